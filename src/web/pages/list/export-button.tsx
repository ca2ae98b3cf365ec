import { App, Button, Progress } from 'antd';
import { useEffect, useRef, useState } from 'react';
import type { Filter } from '#engine/schema/definition.ts';
import type { JobView } from '#contract/transfer.ts';
import { callApi, callForFile, download } from '#web/data/http.ts';
import { saveFile } from '#web/data/save-file.ts';
import { showFault } from '#web/data/show-fault.ts';

export interface ExportButtonProps {
  readonly resource: string;
  readonly title: string;
  readonly filter: Filter | null;
  readonly keyword: string;
  readonly sorters: readonly string[];
  readonly columns: readonly string[];
}

const POLL_MS = 800;

/** Exports what the list shows: its filters, order and columns. Large ones run as a job with progress and can be cancelled. */
export function ExportButton(props: ExportButtonProps) {
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
      return saveFile(await download('GET /jobs/:id/file', { params: { id } }), `${props.title}.xlsx`);
    }
    setJob(next);
    timer.current = setTimeout(() => void follow(id).catch(fail), POLL_MS);
  };
  const start = async () => {
    setStarting(true);
    try {
      const answer = await callForFile('POST /data/:resource/export', {
        params: { resource: props.resource },
        body: {
          ...(props.filter === null ? {} : { filters: props.filter }),
          ...(props.keyword === '' ? {} : { keyword: props.keyword }),
          sorters: props.sorters,
          columns: props.columns,
        },
      });
      if (answer instanceof Blob) saveFile(answer, `${props.title}.xlsx`);
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

  if (job !== null)
    return (
      <span className="export-progress">
        <Progress type="line" percent={Math.round(job.progress * 100)} size="small" />
        <Button size="small" type="link" onClick={() => void cancel()}>
          取消
        </Button>
      </span>
    );
  return (
    <Button loading={isStarting} onClick={() => void start()}>
      导出
    </Button>
  );
}
