import { App } from 'antd';
import { useCallback, useEffect, useState } from 'react';
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
  const [jobId, setJobId] = useState<string | null>(null);
  const [isStarting, setStarting] = useState(false);
  const end = useCallback(() => {
    setJobId(null);
    setJob(null);
  }, []);
  const fail = useCallback(
    (error: unknown) => {
      end();
      showFault(message, error, '导出没有完成');
    },
    [end, message],
  );
  // A page behind another asks no more, and goes on where the job is when it comes to the front again.
  useEffect(() => {
    if (jobId === null) return undefined;
    const asking: Asking = { isOver: false, isFetching: false };
    const params = { id: jobId };
    const look = async (): Promise<void> => {
      const next = await callApi('GET /jobs/:id', { params });
      if (asking.isOver) return;
      if (next.status === 'failed') throw new Error(next.message || '导出失败，请缩小范围后重试');
      if (next.status === 'done') {
        asking.isFetching = true;
        const file = await download('GET /jobs/:id/file', { params });
        end();
        return saveFile(file, `${title}.xlsx`);
      }
      setJob(next);
      asking.timer = setTimeout(step, POLL_MS);
    };
    const step = (): void =>
      void look().catch((error: unknown) => {
        if (!asking.isOver || asking.isFetching) fail(error);
      });
    step();
    return () => {
      asking.isOver = true;
      clearTimeout(asking.timer);
    };
  }, [jobId, title, end, fail]);
  const start = async () => {
    setStarting(true);
    try {
      const answer = await ask();
      if (answer instanceof Blob) saveFile(answer, `${title}.xlsx`);
      else setJobId(answer.jobId);
    } catch (error) {
      fail(error);
    } finally {
      setStarting(false);
    }
  };
  const cancel = async () => {
    if (jobId === null) return;
    end();
    await callApi('DELETE /jobs/:id', { params: { id: jobId } }).catch(() => undefined);
    void message.info('已取消导出');
  };
  return { job, isStarting: isStarting || (jobId !== null && job === null), start, cancel };
}

/** One round of questions after a job. */
interface Asking {
  /** The page went behind another, or the job was cancelled. */
  isOver: boolean;
  /** The file is on its way: it is saved wherever the page is by then. */
  isFetching: boolean;
  timer?: ReturnType<typeof setTimeout>;
}
