import { useQuery } from '@tanstack/react-query';
import type { Filter } from '#engine/schema/definition.ts';
import { callApi } from '#web/data/http.ts';
import { useResourceList } from '#web/data/resource-list.ts';

/** A figure of a card: how many records match and, where asked, the sum of one column. */
export interface FigureQuery {
  readonly resource: string;
  readonly filter: Filter;
  /** A column whose list asks for a total, summed by the server for each currency. */
  readonly total?: string;
}

/** Whether the role may list a resource; cards of others are not shown. */
export function useCanList(): (resource: string) => boolean {
  const entries = useResourceList();
  return (resource) =>
    entries.some((entry) => entry.resource === resource && entry.operations.includes('list'));
}

/** A few records for a card's list. */
export function useRecords(
  query: FigureQuery & { readonly sorters: readonly string[]; readonly size: number },
) {
  return useQuery({
    queryKey: ['figure-records', query],
    staleTime: 60_000,
    queryFn: async () => {
      const { resource, filter: filters, sorters, size: pageSize } = query;
      const answer = await callApi('POST /data/:resource/query', {
        params: { resource },
        body: { currentPage: 1, pageSize, filters, sorters },
      });
      return answer.records;
    },
  });
}
