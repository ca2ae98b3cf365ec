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

/** The page of a route and the resource it belongs to; null when the role has no such page. */
export function findPage(
  entries: readonly ResourceEntry[],
  path: string,
): { readonly entry: ResourceEntry; readonly page: PageDefinition } | null {
  for (const entry of entries) {
    const page = entry.pages.find((item) => item.route === path);
    if (page !== undefined) return { entry, page };
  }
  return null;
}
