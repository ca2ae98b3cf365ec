import { Button, Progress } from 'antd';
import type { RunningExport } from './use-export.ts';

/** The button of an export; while a job writes the file its progress and how to stop it, and how to fetch what did not come. */
export function ExportProgress({
  run: { job, isStarting, isUnfetched, fetchAgain, start, cancel },
  isDisabled = false,
}: {
  readonly run: RunningExport;
  readonly isDisabled?: boolean;
}) {
  if (isUnfetched)
    return (
      <span className="export-progress">
        <span role="status">文件已生成，没有下载完</span>
        <Button size="small" onClick={fetchAgain}>
          重新下载
        </Button>
        <Button size="small" type="link" onClick={() => void cancel()}>
          取消
        </Button>
      </span>
    );
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
