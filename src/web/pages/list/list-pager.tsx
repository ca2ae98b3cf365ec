import { Pagination } from 'antd';
import { pageItem } from '#web/app/page-item.tsx';
import { useLastPage } from '../table/use-last-page.ts';
import { type ListAddress, PAGE_SIZES } from './list-address.ts';

export interface ListPagerProps {
  readonly address: ListAddress;
  readonly total: number;
  readonly isCapped: boolean;
  /** Nobody knows how many there are: not yet, or because they were not read. */
  readonly isUnknown: boolean;
  readonly isFetching: boolean;
  readonly onAddress: (change: Partial<ListAddress>) => void;
}

/** Pages of a list; above 10,000 rows the count is not worth its time and says so. */
export function ListPager(props: ListPagerProps) {
  const { address, total, isCapped, isUnknown, onAddress } = props;
  const { page, pageSize } = address;
  const known = isUnknown || isCapped ? 0 : total;
  useLastPage({ page, pageSize, total: known, isSettled: !props.isFetching }, (last) =>
    onAddress({ page: last }),
  );
  return (
    <div className="list-pager">
      <span>{isUnknown ? '' : isCapped ? '10,000+ 条' : `共 ${total.toLocaleString('en-US')} 条`}</span>
      <Pagination
        itemRender={pageItem}
        size="small"
        current={page}
        pageSize={pageSize}
        total={total}
        showSizeChanger
        showQuickJumper={total > pageSize * 5}
        pageSizeOptions={[...PAGE_SIZES]}
        onChange={(next, size) => onAddress({ page: size === pageSize ? next : 1, pageSize: size })}
      />
    </div>
  );
}
