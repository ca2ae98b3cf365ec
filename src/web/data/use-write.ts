import { useCustomMutation } from '@refinedev/core';
import { useCallback } from 'react';
import type { CallKey, DataOf, InputOf } from '#contract/calls.ts';
import { type LooseInput, requestOf } from './call-address.ts';
import type { CallOptions } from './http.ts';
import { isWriteMethod } from './keyed-write.ts';

export interface Writer {
  /** Sends once, under a key of its own, and gives the answer's data. Refusals are thrown to whoever shows them. */
  readonly write: <Key extends CallKey>(
    key: Key,
    given: InputOf<Key> & Pick<CallOptions, 'timeoutMs'>,
  ) => Promise<DataOf<Key>>;
  readonly isWriting: boolean;
}

/** Writes what is no field of a record (actions, comments, approvals) through refine's `useCustomMutation`. */
export function useWrite(): Writer {
  const { mutateAsync, mutation } = useCustomMutation();
  const write = useCallback(
    async <Key extends CallKey>(
      key: Key,
      given: InputOf<Key> & Pick<CallOptions, 'timeoutMs'>,
    ): Promise<DataOf<Key>> => {
      const { body, timeoutMs, ...parts }: LooseInput & CallOptions = given;
      const { method, path } = requestOf(key, parts);
      const lower = method.toLowerCase();
      const { data } = await mutateAsync({
        url: path,
        method: isWriteMethod(lower) ? lower : 'post',
        values: body ?? {},
        errorNotification: false,
        ...(timeoutMs === undefined ? {} : { meta: { timeoutMs } }),
      });
      // What comes has the shape that the API's contract gives it; refine's own types know records only.
      return data as DataOf<Key>;
    },
    [mutateAsync],
  );
  return { write, isWriting: mutation.isPending };
}
