import { Pagination } from 'antd';
import { pageItem } from '#web/app/page-item.tsx';
import { type ListAddress, PAGE_SIZES } from './list-address.ts';

export interface ListPagerProps {
  readonly address: ListAddress;
  readonly total: number;
  readonly isCapped: boolean;
  /** Nobody knows how many there are: not yet, or because they were not read. */
  readonly isUnknown: boolean;
  readonly onAddress: (change: Partial<ListAddress>) => void;
}

/** Pages of a list; above 10,000 rows the count is not worth its time and says so. */
export function ListPager({ address, total, isCapped, isUnknown, onAddress }: ListPagerProps) {
  return (
    <div className="list-pager">
      <span>{isUnknown ? '' : isCapped ? '10,000+ 条' : `共 ${total.toLocaleString('en-US')} 条`}</span>
      <Pagination
        itemRender={pageItem}
        size="small"
        current={address.page}
        pageSize={address.pageSize}
        total={total}
        showSizeChanger
        showQuickJumper={total > address.pageSize * 5}
        pageSizeOptions={[...PAGE_SIZES]}
        onChange={(page, pageSize) => onAddress({ page: pageSize === address.pageSize ? page : 1, pageSize })}
      />
    </div>
  );
}
