import { useQuery } from '@tanstack/react-query';
import { http } from '#web/data/http.ts';

/** One route as GET /meta/routes tells it. */
export interface RouteEntry {
  readonly path: string;
  readonly title: string;
  readonly kind: string;
  /** The hand-written page that stands there. */
  readonly component?: string;
}

export const ROUTES_KEY = ['routes'] as const;

/** All routes of the product with their titles. */
export function useRoutes(): readonly RouteEntry[] | null {
  const { data } = useQuery({
    queryKey: ROUTES_KEY,
    queryFn: () => http.get<readonly RouteEntry[]>('/meta/routes'),
    staleTime: Number.POSITIVE_INFINITY,
  });
  return data ?? null;
}
