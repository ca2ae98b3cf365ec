import { useCallback, useEffect, useState } from 'react';
import type { Face } from '#contract/face.ts';
import { takeFace } from '#web/data/face-ahead.ts';

/** The home page's content; `fault` is fit to show. Without the query cache, which belongs to the shell. */
export function useFace(): {
  readonly face: Face | null;
  readonly fault: string | null;
  readonly reload: () => void;
} {
  const [face, setFace] = useState<Face | null>(null);
  const [fault, setFault] = useState<string | null>(null);
  const [round, setRound] = useState(0);
  useEffect(() => {
    const stop = new AbortController();
    takeFace(stop.signal).then(
      (answer) => {
        if (stop.signal.aborted) return;
        setFace(answer);
        setFault(null);
      },
      (error: unknown) => {
        if (!stop.signal.aborted) setFault(error instanceof Error ? error.message : '');
      },
    );
    return () => stop.abort();
  }, [round]);
  return { face, fault, reload: useCallback(() => setRound((count) => count + 1), []) };
}
