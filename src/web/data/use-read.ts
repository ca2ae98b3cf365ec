import { type HttpError, useCustom } from '@refinedev/core';
import { useCallback } from 'react';
import type { CallKey, DataOf, InputOf } from '#contract/calls.ts';
import { type LooseInput, requestOf } from './call-address.ts';

export interface ReadOptions {
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
export function useRead<Key extends CallKey>(
  call: Key,
  given: InputOf<Key>,
  { key, ...options }: ReadOptions & { readonly key: readonly unknown[] },
): Read<DataOf<Key>> {
  const { isEnabled, staleTimeMs, keepsLast = false } = options;
  const { body, ...parts }: LooseInput = given;
  const { method, path } = requestOf(call, parts);
  const { query } = useCustom({
    url: path,
    method: method === 'POST' ? 'post' : 'get',
    ...(body === undefined ? {} : { config: { payload: body } }),
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
    data: query.data?.data as DataOf<Key> | undefined,
    error: query.error,
    isLoading: query.isLoading,
    isFetching: query.isFetching,
    isError: query.isError,
    reload,
  };
}
