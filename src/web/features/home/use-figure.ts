import { useQuery } from '@tanstack/react-query';
import type { Filter } from '#engine/schema/definition.ts';
import type { ErpRecord } from '#engine/schema/resource.ts';
import { compareDecimals } from '#engine/values/decimal.ts';
import { http } from '#web/data/http.ts';
import { type ResourceEntry, useResourceList } from '#web/data/resource-list.ts';

/** A figure of a card: how many records match and, where asked, the sum of one column. */
export interface FigureQuery {
  readonly resource: string;
  readonly filter: Filter;
  /** A column whose list asks for a total, summed by the server for each currency. */
  readonly total?: string;
}

export interface Figure {
  readonly count: number;
  readonly isCapped: boolean;
  /** Sums by currency, the largest first. */
  readonly totals: readonly { readonly currency: string; readonly amount: string }[];
}

/** Whether the role may list a resource; cards of others are not shown. */
export function useCanList(): (resource: string) => boolean {
  const entries = useResourceList();
  return (resource) =>
    entries.some((entry: ResourceEntry) => entry.resource === resource && entry.operations.includes('list'));
}

/** Counts and sums by the ordinary list call, so that row access holds. */
export function useFigure(query: FigureQuery, isOn: boolean) {
  return useQuery({
    queryKey: ['figure', query],
    enabled: isOn,
    staleTime: 60_000,
    queryFn: async (): Promise<Figure> => {
      const answer = await http.post<{
        total: number;
        totalIsCapped?: boolean;
        totals?: Readonly<Record<string, unknown>>;
      }>(`/data/${query.resource}/query`, {
        currentPage: 1,
        pageSize: 1,
        filters: query.filter,
        columns: ['id'],
      });
      return {
        count: answer.total,
        isCapped: answer.totalIsCapped === true,
        totals: query.total === undefined ? [] : currencySums(answer.totals?.[query.total]),
      };
    },
  });
}

/** A few records for a card's list. */
export function useRecords(
  query: FigureQuery & { readonly sorters: readonly string[]; readonly size: number },
  isOn: boolean,
) {
  return useQuery({
    queryKey: ['figure-records', query],
    enabled: isOn,
    staleTime: 60_000,
    queryFn: async () => {
      const answer = await http.post<{ records: readonly ErpRecord[] }>(`/data/${query.resource}/query`, {
        currentPage: 1,
        pageSize: query.size,
        filters: query.filter,
        sorters: query.sorters,
      });
      return answer.records;
    },
  });
}

function currencySums(total: unknown): Figure['totals'] {
  if (typeof total !== 'object' || total === null) return [];
  return Object.entries(total)
    .filter((entry): entry is [string, string] => typeof entry[1] === 'string')
    .map(([currency, amount]) => ({ currency, amount }))
    .sort((a, b) => compareDecimals(b.amount, a.amount));
}
