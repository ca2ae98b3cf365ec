import { useRef, useState } from 'react';
import type { RecomputedStretch } from '#contract/recompute.ts';
import { useWrite } from '#web/data/use-write.ts';

interface RecomputeAsked {
  readonly resource: string;
  /** None: all computed fields. */
  readonly fields: readonly string[];
  readonly apply: boolean;
}

type Result = Omit<RecomputedStretch, 'next'> & { readonly isApplied: boolean };

const NOTHING: Omit<Result, 'isApplied'> = { looked: 0, changed: 0, first: [], refused: [] };
/** So many changed records are shown. */
const SHOWN = 100;

/** Goes over the records of a resource stretch by stretch; can be stopped after any, and run again. */
export function useRecompute() {
  const { write } = useWrite();
  const [result, setResult] = useState<Result | null>(null);
  const [isRunning, setRunning] = useState(false);
  const [fault, setFault] = useState<string | null>(null);
  const isStopped = useRef(false);
  const start = async ({ resource, fields, apply }: RecomputeAsked): Promise<void> => {
    isStopped.current = false;
    setRunning(true);
    setFault(null);
    let whole: Result = { ...NOTHING, isApplied: apply };
    setResult(whole);
    try {
      let after: string | null = null;
      do {
        const body = { apply, after, ...(fields.length === 0 ? {} : { fields }) };
        const stretch: RecomputedStretch = await write('POST /recompute/:resource', {
          params: { resource },
          body,
        });
        whole = added(whole, stretch);
        setResult(whole);
        after = stretch.next;
      } while (after !== null && !isStopped.current);
    } catch (error) {
      setFault(error instanceof Error ? error.message : '没有完成');
    }
    setRunning(false);
  };
  return {
    result,
    isRunning,
    fault,
    start,
    stop: () => {
      isStopped.current = true;
    },
    clear: () => {
      setResult(null);
      setFault(null);
    },
  };
}

function added(whole: Result, { looked, changed, first, refused }: RecomputedStretch): Result {
  return {
    isApplied: whole.isApplied,
    looked: whole.looked + looked,
    changed: whole.changed + changed,
    first: [...whole.first, ...first].slice(0, SHOWN),
    refused: [...whole.refused, ...refused],
  };
}
