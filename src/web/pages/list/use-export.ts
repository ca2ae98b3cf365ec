import { App } from 'antd';
import { useEffect, useRef, useState } from 'react';
import type { JobView } from '#contract/transfer.ts';
import { callApi, download } from '#web/data/http.ts';
import { saveFile } from '#web/data/save-file.ts';
import { showFault } from '#web/data/show-fault.ts';

const POLL_MS = 800;

/** An export under way: a file at once, or a job with progress that can be cancelled. */
export interface RunningExport {
  readonly job: JobView | null;
  readonly isStarting: boolean;
  readonly start: () => Promise<void>;
  readonly cancel: () => Promise<void>;
}

/** Asks for a file and saves it, following the job that writes it where it takes long. */
export function useExport(
  title: string,
  ask: () => Promise<Blob | { readonly jobId: string }>,
): RunningExport {
  const { message } = App.useApp();
  const [job, setJob] = useState<JobView | null>(null);
  const [isStarting, setStarting] = useState(false);
  const timer = useRef<ReturnType<typeof setTimeout> | null>(null);
  useEffect(() => () => clearTimeout(timer.current ?? undefined), []);

  const fail = (error: unknown) => {
    setJob(null);
    showFault(message, error, '导出没有完成');
  };
  const follow = async (id: string): Promise<void> => {
    const next = await callApi('GET /jobs/:id', { params: { id } });
    if (next.status === 'failed') throw new Error(next.message || '导出失败，请缩小范围后重试');
    if (next.status === 'done') {
      setJob(null);
      return saveFile(await download('GET /jobs/:id/file', { params: { id } }), `${title}.xlsx`);
    }
    setJob(next);
    timer.current = setTimeout(() => void follow(id).catch(fail), POLL_MS);
  };
  const start = async () => {
    setStarting(true);
    try {
      const answer = await ask();
      if (answer instanceof Blob) saveFile(answer, `${title}.xlsx`);
      else await follow(answer.jobId);
    } catch (error) {
      fail(error);
    } finally {
      setStarting(false);
    }
  };
  const cancel = async () => {
    if (job === null) return;
    clearTimeout(timer.current ?? undefined);
    await callApi('DELETE /jobs/:id', { params: { id: job.id } }).catch(() => undefined);
    setJob(null);
    void message.info('已取消导出');
  };
  return { job, isStarting, start, cancel };
}
