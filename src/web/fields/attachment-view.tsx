import { PaperClipOutlined, UploadOutlined } from '@ant-design/icons';
import { Button, Progress } from 'antd';
import { useRef, useState } from 'react';
import { useUnsaved } from '#web/app/use-unsaved.ts';
import { HttpFault } from '#web/data/http.ts';
import { faultText } from '#web/data/show-fault.ts';
import { AttachmentCell, attachmentIds } from './attachment-cell.tsx';
import { EmptyFilter } from './empty-filter.tsx';
import { FileList, rememberFile } from './file-list.tsx';
import { useFieldServices } from './field-services.ts';
import type { ControlProps, FieldView, ShowProps } from './field-view.ts';
import { TextCell } from './show-text.tsx';

const MAX_BYTES = 20 * 1024 * 1024;

interface RunningUpload {
  readonly key: number;
  readonly file: File;
  readonly fraction: number;
  readonly problem: string | null;
  /** Sent again it may arrive: what stopped it was not the file itself. */
  readonly mayRetry: boolean;
  readonly abort: AbortController;
}

/** Uploads by button, drop or paste; each file shows its progress and may be cancelled, sent again, previewed and removed. */
function AttachmentControl({ field, value, onChange, isDisabled, place, recordId, id }: ControlProps) {
  const services = useFieldServices();
  const input = useRef<HTMLInputElement>(null);
  const ids = attachmentIds(value);
  const latest = useRef(ids);
  latest.current = ids;
  // Who shows the field may have more values beside it by then: the file is told to whoever shows it when it arrives.
  const told = useRef(onChange);
  told.current = onChange;
  const [uploads, setUploads] = useState<readonly RunningUpload[]>([]);
  // Until it has arrived the form knows nothing of a file: leaving asks all the same.
  useUnsaved(uploads.some(({ problem, mayRetry }) => problem === null || mayRetry));
  const update = (key: number, change: Partial<RunningUpload> | null): void =>
    setUploads((all) =>
      change === null
        ? all.filter((upload) => upload.key !== key)
        : all.map((upload) => (upload.key === key ? { ...upload, ...change } : upload)),
    );
  const start = (file: File): void => {
    const problem = file.size > MAX_BYTES ? '文件超过20M' : null;
    const upload = {
      key: nextKey(),
      file,
      fraction: 0,
      problem,
      mayRetry: false,
      abort: new AbortController(),
    };
    setUploads((all) => [...all, upload]);
    if (problem === null) send(upload);
  };
  const send = ({ key, file, abort }: RunningUpload): void => {
    if (services === null || place === undefined) return;
    const onProgress = (fraction: number): void => update(key, { fraction });
    services.upload({ file, place, recordId, onProgress, signal: abort.signal }).then(
      (uploaded) => {
        rememberFile(uploaded);
        latest.current = [...latest.current, uploaded.id];
        told.current(latest.current);
        update(key, null);
      },
      (error: unknown) =>
        update(
          key,
          abort.signal.aborted
            ? null
            : { problem: faultText(error, '上传失败'), mayRetry: !isRefused(error) },
        ),
    );
  };
  return (
    <div
      className="attachments"
      onDragOver={(event) => event.preventDefault()}
      onDrop={(event) => {
        event.preventDefault();
        if (isDisabled !== true) [...event.dataTransfer.files].forEach(start);
      }}
      onPaste={(event) => {
        if (isDisabled !== true) [...event.clipboardData.files].forEach(start);
      }}
    >
      <FileList
        ids={ids}
        {...(isDisabled === true
          ? {}
          : {
              onRemove: (removed: string) => {
                const kept = ids.filter((other) => other !== removed);
                onChange(kept.length === 0 ? null : kept);
              },
            })}
      />
      {uploads.map((upload) => (
        <div key={upload.key} className="attachment" role="status">
          <PaperClipOutlined />
          <span className="attachment-name">{upload.file.name}</span>
          {upload.problem === null ? (
            <Progress
              percent={Math.round(upload.fraction * 100)}
              size="small"
              style={{ width: 120 }}
              aria-label="上传进度"
            />
          ) : (
            <span className="field-problem">{upload.problem}</span>
          )}
          {upload.mayRetry && (
            <Button
              type="link"
              size="small"
              onClick={() => {
                update(upload.key, { problem: null, mayRetry: false, fraction: 0 });
                send(upload);
              }}
            >
              重试
            </Button>
          )}
          <Button
            type="text"
            size="small"
            onClick={() => {
              upload.abort.abort();
              update(upload.key, null);
            }}
          >
            {upload.problem === null ? '取消' : '知道了'}
          </Button>
        </div>
      ))}
      {isDisabled !== true && (
        <>
          <Button
            id={id ?? ''}
            size="small"
            icon={<UploadOutlined />}
            onClick={() => input.current?.click()}
            disabled={services === null}
          >
            上传
          </Button>
          <span className="field-hint">可拖入或粘贴，每个不超过20M</span>
          <input
            ref={input}
            type="file"
            multiple
            hidden
            aria-label={`上传${field.title}`}
            onChange={(event) => {
              [...(event.target.files ?? [])].forEach(start);
              event.target.value = '';
            }}
          />
        </>
      )}
    </div>
  );
}

function AttachmentDetail({ value }: ShowProps) {
  const ids = attachmentIds(value);
  return ids.length === 0 ? <span className="field-empty">—</span> : <FileList ids={ids} />;
}

/** The file itself is not taken, or not from this person: sent again it would be refused again. */
function isRefused(error: unknown): boolean {
  return error instanceof HttpFault && REFUSALS.has(error.statusCode);
}

const REFUSALS: ReadonlySet<number> = new Set([400, 403, 404, 413, 415, 422]);

let lastKey = 0;
function nextKey(): number {
  lastKey += 1;
  return lastKey;
}

export const ATTACHMENT_VIEW: FieldView = {
  Control: AttachmentControl,
  Cell: TextCell,
  LineCell: AttachmentCell,
  Detail: AttachmentDetail,
  FilterControl: EmptyFilter,
};
