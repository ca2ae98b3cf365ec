import { useQuery } from '@tanstack/react-query';
import type { RouteEntry } from '#contract/meta.ts';
import { callApi } from '#web/data/http.ts';

export const ROUTES_KEY = ['routes'] as const;

/** All routes of the product with their titles. */
export function useRoutes(): readonly RouteEntry[] | null {
  const { data } = useQuery({
    queryKey: ROUTES_KEY,
    queryFn: () => callApi('GET /meta/routes'),
    staleTime: Number.POSITIVE_INFINITY,
  });
  return data ?? null;
}
