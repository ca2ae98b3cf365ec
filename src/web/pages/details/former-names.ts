import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { Field, Resource } from '#engine/schema/resource.ts';
import { callApi } from '#web/data/http.ts';
import { definitionQuery } from '#web/data/page-resource.ts';
import type { HistoryRow } from './history-row.ts';

/** What records are called, by their id. */
export type Names = ReadonlyMap<string, string>;

const NONE: Names = new Map();
const MAX_IDS = 100;

/**
 * The names of the records that a history speaks of and the record at hand no longer does: read as any list is, so that of
 * what the reader may not see there is no name.
 */
export function useFormerNames(
  resource: Resource,
  rows: readonly Pick<HistoryRow, 'changes'>[] | undefined,
): Names {
  const client = useQueryClient();
  const wanted = rows === undefined ? [] : referencesIn(resource, rows);
  const { data } = useQuery({
    queryKey: ['former-names', wanted],
    enabled: wanted.length > 0,
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: async () => {
      const found = await Promise.all(
        wanted.map(async ([to, ids]) => {
          const definition = await client.fetchQuery(definitionQuery(to)).catch(() => null);
          if (definition === null) return [];
          const { label } = definition;
          const body = { pageSize: MAX_IDS, columns: [label], filters: { id: { in: [...ids] } } };
          const page = await callApi('POST /data/:resource/query', { params: { resource: to }, body }).catch(
            () => null,
          );
          return (page?.records ?? []).map(
            (record) => [String(record['id']), String(record[label] ?? '')] as const,
          );
        }),
      );
      return new Map(found.flat());
    },
  });
  return data ?? NONE;
}

/** The ids in the changes, by the resource that they are of. */
function referencesIn(
  resource: Resource,
  rows: readonly Pick<HistoryRow, 'changes'>[],
): readonly (readonly [string, readonly string[]])[] {
  const ids = new Map<string, Set<string>>();
  const take = (field: Field | undefined, value: unknown): void => {
    if (field?.type !== 'reference' || typeof field.to !== 'string' || field.to.includes('.')) return;
    if (typeof value !== 'string') return;
    ids.set(field.to, (ids.get(field.to) ?? new Set()).add(value));
  };
  for (const { field: path, old, new: now } of rows.flatMap((row) => row.changes)) {
    const [name = '', line, column] = path.split('.');
    const head = resource.fields[name];
    for (const value of [old, now]) {
      if (line === undefined) take(head, value);
      else if (column !== undefined) take(head?.fields?.[column], value);
      else if (typeof value === 'object' && value !== null)
        for (const [cell, inner] of Object.entries(value)) take(head?.fields?.[cell], inner);
    }
  }
  return [...ids].map(([to, found]) => [to, [...found].slice(0, MAX_IDS)]);
}
