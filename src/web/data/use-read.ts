import { type BaseRecord, type HttpError, useCustom } from '@refinedev/core';
import { useCallback } from 'react';

export interface ReadOptions {
  /** `post` where the question is too long for an address. */
  readonly method?: 'get' | 'post';
  readonly payload?: unknown;
  readonly isEnabled?: boolean;
  readonly staleTimeMs?: number;
  /** Shows the last answer while another is asked for. */
  readonly keepsLast?: boolean;
}

export interface Read<T> {
  readonly data: T | undefined;
  readonly error: HttpError | null;
  readonly isLoading: boolean;
  readonly isFetching: boolean;
  readonly isError: boolean;
  readonly reload: () => void;
}

/**
 * Reads what is no record of a resource (history, comments, counts) through refine's `useCustom`. The key is the query's
 * name for `invalidateQueries`; the caller shows faults in the place of the data.
 */
export function useRead<T>(url: string, key: readonly unknown[], options: ReadOptions = {}): Read<T> {
  const { method = 'get', payload, isEnabled, staleTimeMs, keepsLast = false } = options;
  const { query } = useCustom<BaseRecord>({
    url,
    method,
    ...(payload === undefined ? {} : { config: { payload } }),
    errorNotification: false,
    queryOptions: {
      queryKey: [...key],
      ...(isEnabled === undefined ? {} : { enabled: isEnabled }),
      ...(staleTimeMs === undefined ? {} : { staleTime: staleTimeMs }),
      ...(keepsLast ? { placeholderData: (previous) => previous } : {}),
    },
  });
  const { refetch } = query;
  const reload = useCallback(() => void refetch(), [refetch]);
  return {
    // What comes has the shape that the API's contract gives it; refine's own types know records only.
    data: query.data?.data as T | undefined,
    error: query.error,
    isLoading: query.isLoading,
    isFetching: query.isFetching,
    isError: query.isError,
    reload,
  };
}
