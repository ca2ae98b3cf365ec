import { useEffect, useState } from 'react';

/** Seconds that are left, 0 when none run; by the clock, so that a sleeping page does not count too slowly. */
export function useCountdown(): { readonly leftS: number; readonly start: (seconds: number) => void } {
  const [endMs, setEnd] = useState(0);
  const [nowMs, setNow] = useState(() => Date.now());
  const leftS = Math.max(0, Math.ceil((endMs - nowMs) / 1_000));
  const isRunning = leftS > 0;
  useEffect(() => {
    if (!isRunning) return;
    const timer = setInterval(() => setNow(Date.now()), 250);
    return () => clearInterval(timer);
  }, [isRunning]);
  const start = (seconds: number) => {
    setNow(Date.now());
    setEnd(Date.now() + seconds * 1_000);
  };
  return { leftS, start };
}
