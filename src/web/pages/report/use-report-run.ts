import { useCallback, useEffect, useRef, useState } from 'react';
import type { ReportResult } from '#contract/reports.ts';
import { endOf } from '#web/app/page-end.ts';
import { useTab } from '#web/app/tab-context.ts';
import { callApi } from '#web/data/http.ts';
import type { ChosenParams } from './report-address.ts';

/** How far a report has come. */
export interface ReportRun {
  readonly result: ReportResult | null;
  readonly isRunning: boolean;
  /** Since when it runs, by the browser's clock. */
  readonly since: number;
  readonly fault: string | null;
  readonly isCancelled: boolean;
  readonly run: () => void;
  readonly cancel: () => void;
}

/** A little more than the server takes at most. */
const TIMEOUT_MS = 75_000;
const IDLE = { result: null, isRunning: false, since: 0, fault: null, isCancelled: false };

/**
 * Runs a report whenever its parameters change; cancelling ends it on the server too, and so does closing its tab. One
 * whose tab goes behind another runs on, and what it found is still there.
 */
export function useReportRun(report: string, params: ChosenParams, isReady: boolean): ReportRun {
  const [state, setState] = useState<Omit<ReportRun, 'run' | 'cancel'>>(IDLE);
  const running = useRef<AbortController | null>(null);
  const key = JSON.stringify(params);
  const { id, refreshKey } = useTab();
  const run = useCallback(() => {
    running.current?.abort();
    const own = new AbortController();
    running.current = own;
    endOf({ id, refreshKey }).addEventListener('abort', () => own.abort(), { signal: own.signal });
    setState((before) => ({
      ...before,
      isRunning: true,
      since: Date.now(),
      fault: null,
      isCancelled: false,
    }));
    const asked = { params: { reportId: report }, body: { params: JSON.parse(key) as ChosenParams } };
    callApi('POST /report/:reportId/run', { ...asked, signal: own.signal, timeoutMs: TIMEOUT_MS }).then(
      (result) => {
        if (!own.signal.aborted) setState((before) => ({ ...before, result, isRunning: false }));
      },
      (error: unknown) => {
        if (own.signal.aborted) return;
        const fault = error instanceof Error && error.message !== '' ? error.message : '报表没有算出来';
        setState((before) => ({ ...before, isRunning: false, fault }));
      },
    );
  }, [report, key, id, refreshKey]);
  const ran = useRef<(() => void) | null>(null);
  useEffect(() => {
    if (!isReady) running.current?.abort();
    else if (ran.current !== run) run();
    ran.current = isReady ? run : null;
  }, [isReady, run]);
  const cancel = () => {
    running.current?.abort();
    setState((before) => ({ ...before, isRunning: false, isCancelled: true }));
  };
  return { ...state, run, cancel };
}
