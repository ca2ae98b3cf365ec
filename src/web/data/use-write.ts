import { type BaseRecord, useCustomMutation } from '@refinedev/core';
import { useCallback } from 'react';
import type { WriteMethod } from './keyed-write.ts';

export interface WriteCall {
  readonly url: string;
  readonly method?: WriteMethod;
  readonly values?: object;
  readonly timeoutMs?: number;
}

export interface Writer {
  /** Sends once, under a key of its own, and gives the answer's data. Refusals are thrown to whoever shows them. */
  readonly write: <T>(call: WriteCall) => Promise<T>;
  readonly isWriting: boolean;
}

/** Writes what is no field of a record (actions, comments, approvals) through refine's `useCustomMutation`. */
export function useWrite(): Writer {
  const { mutateAsync, mutation } = useCustomMutation<BaseRecord>();
  const write = useCallback(
    async <T>({ url, method = 'post', values = {}, timeoutMs }: WriteCall): Promise<T> => {
      const { data } = await mutateAsync({
        url,
        method,
        values,
        errorNotification: false,
        ...(timeoutMs === undefined ? {} : { meta: { timeoutMs } }),
      });
      // What comes has the shape that the API's contract gives it; refine's own types know records only.
      return data as T;
    },
    [mutateAsync],
  );
  return { write, isWriting: mutation.isPending };
}
