import { DeleteOutlined, PaperClipOutlined } from '@ant-design/icons';
import { Button } from 'antd';
import { useEffect, useState } from 'react';
import { companyTime } from '#engine/values/dates.ts';
import { HttpFault } from '#web/data/http.ts';
import { FilePreview } from './file-preview.tsx';
import type { FileView } from '#contract/files.ts';
import { isPicture } from '#engine/fields/picture.ts';
import { useFieldServices } from './field-services.ts';

interface FileListProps {
  readonly ids: readonly string[];
  readonly onRemove?: (id: string) => void;
}

/** The files of a record, each with its name; a click previews images and PDF and downloads the rest. */
export function FileList({ ids, onRemove }: FileListProps) {
  const { files } = useFiles(ids);
  const [shown, setShown] = useState<FileView | null>(null);
  return (
    <>
      {files.map((file, index) => (
        <div key={ids[index]} className="attachment">
          {isPicture(file.type) ? (
            <Thumbnail file={file} onOpen={() => setShown(file)} />
          ) : (
            <PaperClipOutlined />
          )}
          <span className="attachment-text">
            <button type="button" className="link-button attachment-name" onClick={() => setShown(file)}>
              {file.name}
            </button>
            <span className="field-hint">{originText(file)}</span>
          </span>
          {onRemove !== undefined && (
            <Button
              type="text"
              size="small"
              icon={<DeleteOutlined />}
              aria-label={`移除${file.name}`}
              onClick={() => onRemove(file.id)}
            />
          )}
        </div>
      ))}
      {shown !== null && <FilePreview file={shown} onClose={() => setShown(null)} />}
    </>
  );
}

/** A small picture beside the name; nothing while it loads or when it cannot be read. */
function Thumbnail({ file, onOpen }: { readonly file: FileView; readonly onOpen: () => void }) {
  const services = useFieldServices();
  const [url, setUrl] = useState<string | null>(null);
  useEffect(() => {
    let made: string | null = null;
    let isGone = false;
    services?.thumbnail(file.id).then(
      (blob) => {
        if (isGone) return;
        made = URL.createObjectURL(blob);
        setUrl(made);
      },
      () => undefined,
    );
    return () => {
      isGone = true;
      if (made !== null) URL.revokeObjectURL(made);
    };
  }, [services, file.id]);
  return (
    <button type="button" className="attachment-thumb" aria-label={`预览${file.name}`} onClick={onOpen}>
      {url !== null && <img src={url} alt="" />}
    </button>
  );
}

/** Keeps the name of a file that was just uploaded, so that it is not asked for. */
export function rememberFile(file: FileView): void {
  KNOWN_FILES.set(file.id, file);
}

/** Files that this browser uploaded or was told of. */
const KNOWN_FILES = new Map<string, FileView>();

/** What is known of files, in their order; of one that is still asked for nothing but its id. */
export function useFiles(ids: readonly string[]): {
  readonly files: readonly FileView[];
  readonly isLoading: boolean;
} {
  const services = useFieldServices();
  const [, setLoaded] = useState(0);
  // What nobody answered is asked for again where the file is shown next.
  const [unread, setUnread] = useState<ReadonlySet<string>>(new Set());
  const missing = ids.filter((id) => !KNOWN_FILES.has(id) && !unread.has(id)).join(',');
  useEffect(() => {
    if (services === null || missing === '') return undefined;
    let isGone = false;
    for (const id of missing.split(','))
      void services
        .fileInfo(id)
        .catch((error: unknown) =>
          error instanceof HttpFault && error.statusCode === 404 ? unknownFile(id, '附件已不存在') : null,
        )
        .then((file) => {
          if (file !== null) KNOWN_FILES.set(id, file);
          if (isGone) return;
          if (file === null) setUnread((before) => new Set([...before, id]));
          else setLoaded((count) => count + 1);
        });
    return () => {
      isGone = true;
    };
  }, [services, missing]);
  return {
    files: ids.map((id) => KNOWN_FILES.get(id) ?? unknownFile(id, unread.has(id) ? '附件' : '…')),
    isLoading: missing !== '',
  };
}

function unknownFile(id: string, name: string): FileView {
  return { id, name, size: 0, type: '', url: '', uploadedBy: '', uploadedAt: '' };
}

/** `120 KB，张三 2026-01-31 09:30 上传` */
function originText({ size, uploadedBy, uploadedAt }: FileView): string {
  const when = uploadedAt === '' ? '' : companyTime(uploadedAt);
  const origin = [uploadedBy, when].filter((part) => part !== '').join(' ');
  return [sizeText(size), origin === '' ? '' : `${origin} 上传`].filter((part) => part !== '').join('，');
}

function sizeText(bytes: number): string {
  if (bytes === 0) return '';
  return bytes < 1024 * 1024 ? `${Math.ceil(bytes / 1024)} KB` : `${(bytes / 1024 / 1024).toFixed(1)} MB`;
}
