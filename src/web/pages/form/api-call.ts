import { randomKey } from '#web/data/random-key.ts';
import { useDataProvider } from '@refinedev/core';
import { useCallback } from 'react';

export interface ApiCall {
  readonly path: string;
  readonly body?: unknown;
  readonly method?: 'get' | 'post';
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal | undefined;
  /** A POST that only asks. */
  readonly isRead?: boolean;
}

/** Calls beyond the five of a data provider, through the same provider: its session, envelope and errors. Gives `data`. */
export function useApi(): (call: ApiCall) => Promise<unknown> {
  const provider = useDataProvider();
  return useCallback(
    async ({ path, body, method = 'post', headers, signal, isRead = false }: ApiCall): Promise<unknown> => {
      const { custom } = provider();
      if (custom === undefined) return undefined;
      const answer = await custom({
        url: path,
        method,
        ...(body === undefined ? {} : { payload: body }),
        ...(headers === undefined ? {} : { headers }),
        meta: { isRead, ...(signal === undefined ? {} : { signal }) },
      });
      return answer.data;
    },
    [provider],
  );
}

/** A key for one intention: the same click sent twice makes one record. */
export function newIdempotencyKey(): string {
  return randomKey();
}
