import { queryOptions, useQuery } from '@tanstack/react-query';
import type { PageDefinition } from '#engine/schema/layout-definition.ts';
import type { ResourceEntry } from '#contract/meta.ts';
import { callApi } from './http.ts';

export const RESOURCE_LIST_KEY = ['resource-list'] as const;

/** The query of all resources of the role. */
export const RESOURCE_LIST = queryOptions({
  queryKey: RESOURCE_LIST_KEY,
  queryFn: () => callApi('GET /meta/resources'),
  staleTime: Number.POSITIVE_INFINITY,
});

/** All resources of the role. */
export function useResourceList(): readonly ResourceEntry[] {
  const { data } = useQuery(RESOURCE_LIST);
  return data ?? NONE;
}

const NONE: readonly ResourceEntry[] = [];

/** The page of an address and the resource it belongs to; null when the role has no such page. */
export function findPage(
  entries: readonly ResourceEntry[],
  address: string,
): { readonly entry: ResourceEntry; readonly page: PageDefinition } | null {
  const [path = '', query = ''] = address.split('?');
  // Pages for all name the resource.
  const named = new URLSearchParams(query).get('resource') ?? '';
  for (const entry of entries) {
    const own = entry.resource === named ? `${path}?resource=${named}` : path;
    const page = entry.pages.find(({ route }) => route === path || route === own);
    if (page !== undefined) return { entry, page };
  }
  return null;
}

/** True for the form of a record that is there: its tab has the name that its details have. */
export function isFormOfRecord(entries: readonly ResourceEntry[], address: string): boolean {
  const [, query = ''] = address.split('?');
  return new URLSearchParams(query).has('id') && findPage(entries, address)?.page.kind === 'edit';
}
