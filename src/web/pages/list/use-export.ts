import { App } from 'antd';
import { useCallback, useEffect, useState } from 'react';
import type { JobView } from '#contract/transfer.ts';
import { callApi, download, HttpFault } from '#web/data/http.ts';
import { saveFile } from '#web/data/save-file.ts';
import { showFault } from '#web/data/show-fault.ts';

const POLL_MS = 800;
const AGAIN_MS = 2_000;

/** An export under way: a file at once, or a job with progress that can be cancelled. */
export interface RunningExport {
  readonly job: JobView | null;
  readonly isStarting: boolean;
  /** The file is there and did not come whole. */
  readonly isUnfetched: boolean;
  readonly fetchAgain: () => void;
  readonly start: () => Promise<void>;
  readonly cancel: () => Promise<void>;
}

/**
 * Asks for a file and saves it, following the job that writes it where it takes long. The job goes on whatever becomes of
 * a question after it, so a lost answer ends nothing: it is asked again, and the file is there to be fetched again.
 */
export function useExport(
  title: string,
  ask: () => Promise<Blob | { readonly jobId: string }>,
): RunningExport {
  const { message } = App.useApp();
  const [job, setJob] = useState<JobView | null>(null);
  const [jobId, setJobId] = useState<string | null>(null);
  const [isStarting, setStarting] = useState(false);
  const [isUnfetched, setUnfetched] = useState(false);
  const [round, setRound] = useState(0);
  const end = useCallback(() => {
    setJobId(null);
    setJob(null);
    setUnfetched(false);
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
        if (asking.isOver && !asking.isFetching) return;
        if (!isPassing(error)) return fail(error);
        if (!asking.isFetching) {
          asking.timer = setTimeout(step, AGAIN_MS);
          return;
        }
        setUnfetched(true);
        showFault(message, error, '文件没有下载完，请重新下载');
      });
    step();
    return () => {
      asking.isOver = true;
      clearTimeout(asking.timer);
    };
  }, [jobId, round, title, end, fail, message]);
  const fetchAgain = () => {
    setUnfetched(false);
    setRound((last) => last + 1);
  };
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
  const isBeginning = isStarting || (jobId !== null && job === null);
  return { job, isStarting: isBeginning, isUnfetched, fetchAgain, start, cancel };
}

/** What the server says while it or its store cannot answer for now. */
const FOR_NOW: ReadonlySet<string | null> = new Set(['UNAVAILABLE', 'FILE_UNAVAILABLE']);

/** True for what may be well again at the next try. */
function isPassing(error: unknown): boolean {
  return error instanceof HttpFault && (error.isAnswerLost || FOR_NOW.has(error.error));
}

/** One round of questions after a job. */
interface Asking {
  /** The page went behind another, or the job was cancelled. */
  isOver: boolean;
  /** The file is on its way: it is saved wherever the page is by then. */
  isFetching: boolean;
  timer?: ReturnType<typeof setTimeout>;
}
