import { type GetListResponse, useTable } from '@refinedev/core';
import { useEffect, useState } from 'react';
import type { ListGroup } from '#contract/lists.ts';
import type { Filter } from '#engine/schema/definition.ts';
import type { ErpRecord } from '#engine/schema/resource.ts';
import { dataProvider } from '#web/data/data-provider.ts';
import { useWhenBack } from '#web/data/use-when-back.ts';
import type { ListAddress } from './list-address.ts';

/** What a page of a list shows. */
export interface ListRows {
  readonly rows: readonly ErpRecord[];
  readonly total: number;
  readonly isTotalCapped: boolean;
  /** Totals by column and currency. */
  readonly totals: Readonly<Record<string, unknown>>;
  /** How many rows each group has, when rows are grouped. */
  readonly groups: readonly ListGroup[];
  readonly isLoading: boolean;
  readonly isFetching: boolean;
  /** Somebody has changed, added or removed rows since they were read. */
  readonly hasNews: boolean;
  readonly fault: string | null;
  readonly reload: () => void;
}

/** The rows of a list by refine's useTable; the URL is kept by the page, not by refine, so that hidden tabs stay apart. */
export function useListRows(
  resource: string,
  asked: {
    readonly address: ListAddress;
    readonly filter: Filter | null;
    readonly columns: readonly string[];
    readonly sorters: readonly string[];
  },
): ListRows {
  const { address, filter, columns } = asked;
  const meta = {
    filter,
    keyword: address.keyword,
    sorters: asked.sorters,
    columns,
    ...(address.group === null ? {} : { group: address.group }),
  };
  const table = useTable<Row>({
    resource,
    syncWithLocation: false,
    pagination: { mode: 'server', currentPage: address.page, pageSize: address.pageSize },
    sorters: { mode: 'off' },
    filters: { mode: 'off' },
    errorNotification: false,
    // Only the list is read again, not a form that stands over it.
    liveMode: 'manual',
    onLiveEvent: () => void table.tableQuery.refetch(),
    queryOptions: { placeholderData: (previous) => previous },
    meta,
  });
  const hasNews = useNews(table.tableQuery, () =>
    dataProvider.getList<Row>({
      resource,
      pagination: { currentPage: address.page, pageSize: address.pageSize },
      meta,
    }),
  );
  const { setCurrentPage, setPageSize } = table;
  useEffect(() => {
    setCurrentPage(address.page);
    setPageSize(address.pageSize);
  }, [address.page, address.pageSize, setCurrentPage, setPageSize]);
  const { data, isLoading, isFetching, error, refetch } = table.tableQuery;
  return {
    rows: data?.data ?? [],
    total: data?.total ?? 0,
    isTotalCapped: data?.['totalIsCapped'] === true,
    groups: Array.isArray(data?.['groups']) ? data['groups'] : NO_GROUPS,
    totals: isObject(data?.['totals']) ? data['totals'] : {},
    isLoading,
    isFetching,
    hasNews,
    // A gateway's 502 has no words of its own.
    fault: error === null ? null : error.message || '没有读到数据，请重试',
    reload: () => void refetch(),
  };
}

type Row = ErpRecord & { id: string };

/** Looks now and then whether the page of a list would be another by now. */
function useNews(
  { data, isFetching }: { readonly data: GetListResponse<Row> | undefined; readonly isFetching: boolean },
  ask: () => Promise<GetListResponse<Row>>,
): boolean {
  const [found, setFound] = useState<GetListResponse<Row> | null>(null);
  const [since, setSince] = useState(data);
  // Read again meanwhile: that is the news.
  if (since !== data) {
    setSince(data);
    setFound(null);
  }
  useWhenBack(() => {
    if (data !== undefined && !isFetching) ask().then(setFound, () => undefined);
  });
  return found !== null && data !== undefined && versionsOf(found) !== versionsOf(data);
}

function versionsOf({ data, total }: GetListResponse<Row>): string {
  return JSON.stringify([total, data.map(({ id, version }) => [id, version])]);
}

const NO_GROUPS: readonly ListGroup[] = [];

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
