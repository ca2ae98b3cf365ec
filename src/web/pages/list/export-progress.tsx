import { Button, Progress } from 'antd';
import type { RunningExport } from './use-export.ts';

/** The button of an export; while a job writes the file its progress, and how to stop it. */
export function ExportProgress({
  run: { job, isStarting, start, cancel },
  isDisabled = false,
}: {
  readonly run: RunningExport;
  readonly isDisabled?: boolean;
}) {
  if (job !== null)
    return (
      <span className="export-progress">
        <Progress type="line" percent={Math.round(job.progress * 100)} size="small" aria-label="导出进度" />
        <Button size="small" type="link" onClick={() => void cancel()}>
          取消
        </Button>
      </span>
    );
  return (
    <Button loading={isStarting} disabled={isDisabled} onClick={() => void start()}>
      导出
    </Button>
  );
}
