import { Pagination } from 'antd';
import { type ListAddress, PAGE_SIZES } from './list-address.ts';

export interface ListPagerProps {
  readonly address: ListAddress;
  readonly total: number;
  readonly isCapped: boolean;
  /** Nobody knows yet how many there are. */
  readonly isLoading: boolean;
  readonly onAddress: (change: Partial<ListAddress>) => void;
}

/** Pages of a list; above 10,000 rows the count is not worth its time and says so. */
export function ListPager({ address, total, isCapped, isLoading, onAddress }: ListPagerProps) {
  return (
    <div className="list-pager">
      <span>{isLoading ? '' : isCapped ? '10,000+ 条' : `共 ${total.toLocaleString('en-US')} 条`}</span>
      <Pagination
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
