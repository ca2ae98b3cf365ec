import { CheckCircleFilled, PaperClipOutlined } from '@ant-design/icons';
import { Button, Progress } from 'antd';
import { sizeText } from './file-rules.ts';
import type { UploadItem, UploadQueue } from './upload-queue.ts';

interface FileRowsProps {
  readonly queue: UploadQueue;
  readonly items: readonly UploadItem[];
}

/** The files that were chosen, each with its size and how far it is. */
export function FileRows({ queue, items }: FileRowsProps) {
  return (
    <ul className="media-files" aria-label="已选文件">
      {items.map((item) => (
        <li key={item.key} className="media-file">
          <PaperClipOutlined />
          <span className="media-file-name" title={item.file.name}>
            {item.file.name}
          </span>
          <span className="field-hint media-file-size">{sizeText(item.file.size)}</span>
          <span className="media-file-state" role="status">
            <FileState item={item} />
          </span>
          {item.mayRetry && item.state === 'failed' && (
            <Button size="small" type="link" onClick={() => queue.retry(item.key)}>
              重试
            </Button>
          )}
          <Button
            size="small"
            type="text"
            aria-label={`移除${item.file.name}`}
            onClick={() => queue.remove(item.key)}
          >
            移除
          </Button>
        </li>
      ))}
    </ul>
  );
}

function FileState({ item }: { readonly item: UploadItem }) {
  if (item.state === 'done')
    return (
      <span className="media-done">
        <CheckCircleFilled /> 已上传
      </span>
    );
  if (item.state === 'failed') return <span className="media-problem">{item.fault}</span>;
  return <Progress percent={Math.round(item.fraction * 100)} size="small" aria-label="上传进度" />;
}
