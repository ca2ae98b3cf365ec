import { Alert, App, Button, Modal, Upload } from 'antd';
import { useRef, useState } from 'react';
import type { ImportPreview, ImportResult } from '#contract/transfer.ts';
import { callApi, download } from '#web/data/http.ts';
import { useRefreshRecords } from '#web/data/refresh-records.ts';
import { saveFile } from '#web/data/save-file.ts';
import { useWrite } from '#web/data/use-write.ts';
import { faultText } from '#web/data/show-fault.ts';
import { type ColumnChoice, choiceText, rememberColumns, rememberedColumns } from './import-choice.ts';
import { ImportColumns } from './import-columns.tsx';
import { ImportRows, PreviewRows } from './import-rows.tsx';

export interface ImportDialogProps {
  readonly resource: string;
  readonly title: string;
  readonly onClose: () => void;
}

/** What did not come through, and the way to try it again: the file is still there, a commit goes under its own key. */
interface ImportFault {
  readonly message: string;
  readonly work: () => Promise<void>;
}

/**
 * Import in two steps: every row is judged first, then all good ones are written by one commit. What was good when judged
 * and is not any more is told with its reasons.
 */
export function ImportDialog({ resource, title, onClose }: ImportDialogProps) {
  const { message } = App.useApp();
  const refresh = useRefreshRecords();
  const { write } = useWrite();
  const [preview, setPreview] = useState<ImportPreview | null>(null);
  const [file, setFile] = useState<File | null>(null);
  const [fault, setFault] = useState<ImportFault | null>(null);
  const [isBusy, setBusy] = useState(false);
  const [result, setResult] = useState<ImportResult | null>(null);
  // Nobody would be told which rows were not written.
  const [isWriting, setWriting] = useState(false);
  const checking = useRef<AbortController | null>(null);
  const attempt = async (work: () => Promise<void>) => {
    setBusy(true);
    setFault(null);
    try {
      await work();
    } catch (error) {
      setFault({ message: faultText(error, '导入没有完成'), work });
    } finally {
      setBusy(false);
    }
  };
  const check = async (sent: File, chosen: ColumnChoice): Promise<ImportPreview> => {
    const form = new FormData();
    form.append('file', sent);
    const columns = choiceText(chosen);
    checking.current?.abort();
    checking.current = new AbortController();
    return callApi('POST /data/:resource/import', {
      params: { resource },
      query: columns === '' ? {} : { columns },
      files: form,
      signal: checking.current.signal,
      timeoutMs: 300_000,
    });
  };
  const upload = (sent: File) =>
    attempt(async () => {
      setFile(sent);
      const first = await check(sent, {});
      const known = await rememberedColumns(resource, first.columns);
      setPreview(known === null ? first : await check(sent, known));
    });
  const choose = (sent: File, chosen: ColumnChoice) =>
    attempt(async () => {
      const next = await check(sent, chosen);
      await rememberColumns(resource, next.columns, chosen);
      setPreview(next);
    });
  const commit = (importId: string) =>
    attempt(async () => {
      setWriting(true);
      const done = await write('POST /data/:resource/import/:importId/commit', {
        params: { resource, importId },
        timeoutMs: 300_000,
      }).finally(() => setWriting(false));
      await refresh(resource);
      if (done.rows.length > 0) return setResult(done);
      void message.success(`导入完成：${countText(done)}`);
      onClose();
    });
  const template = () =>
    attempt(async () =>
      saveFile(
        await download('GET /data/:resource/import/template', { params: { resource } }),
        `${title}导入模板.xlsx`,
      ),
    );
  const errors = (importId: string) =>
    attempt(async () =>
      saveFile(
        await download('GET /data/:resource/import/:importId/errors', { params: { resource, importId } }),
        `${title}导入错误.xlsx`,
      ),
    );
  const close = () => {
    checking.current?.abort();
    onClose();
  };

  return (
    <Modal
      open
      title={`导入${title}`}
      width={860}
      onCancel={close}
      closable={!isWriting}
      keyboard={!isWriting}
      footer={null}
      maskClosable={false}
    >
      {preview === null ? (
        <>
          <p>
            先下载模板，按列填写后上传；支持 xlsx 与
            csv，表头与模板不同也可以在上传后指定。带明细的单据：单据的列重复或留空，或把明细放在第二张表。上传后逐行检查，确认后写入。{' '}
            <Button type="link" onClick={() => void template()}>
              下载模板
            </Button>
          </p>
          <Upload.Dragger
            accept=".xlsx,.csv"
            showUploadList={false}
            disabled={isBusy}
            beforeUpload={(file) => {
              void upload(file);
              return false;
            }}
          >
            <p>{isBusy ? '正在检查每一行…' : '点击或拖入文件'}</p>
          </Upload.Dragger>
        </>
      ) : result !== null ? (
        <>
          <Alert
            type="warning"
            showIcon
            message={`已写入：${countText(result)}。以下各行检查后情况有变，没有写入`}
          />
          <ImportRows rows={result.rows} />
        </>
      ) : (
        <>
          {file !== null && (
            <ImportColumns
              key={preview.importId}
              preview={preview}
              isBusy={isBusy}
              onChoose={(chosen) => void choose(file, chosen)}
            />
          )}
          <PreviewRows preview={preview} />
        </>
      )}
      {fault !== null && (
        <Alert
          style={{ marginTop: 12 }}
          type="error"
          showIcon
          message={fault.message}
          action={
            <Button size="small" disabled={isBusy} onClick={() => void attempt(fault.work)}>
              重试
            </Button>
          }
        />
      )}
      {preview !== null && result !== null && (
        <div className="import-foot">
          <Button onClick={() => void errors(preview.importId)}>下载错误文件</Button>
          <Button type="primary" onClick={onClose}>
            知道了
          </Button>
        </div>
      )}
      {preview !== null && result === null && (
        <div className="import-foot">
          <Button disabled={isWriting} onClick={() => setPreview(null)}>
            重新选择文件
          </Button>
          {preview.counts.error > 0 && (
            <Button onClick={() => void errors(preview.importId)}>下载错误文件</Button>
          )}
          <Button
            type="primary"
            loading={isBusy}
            disabled={preview.counts.create + preview.counts.update === 0}
            onClick={() => void commit(preview.importId)}
          >
            写入 {preview.counts.create + preview.counts.update} 条
            {preview.counts.error > 0 ? `（跳过 ${preview.counts.error} 条错误）` : ''}
          </Button>
        </div>
      )}
    </Modal>
  );
}

function countText({ created, updated }: ImportResult): string {
  return `新增 ${created} 条，更新 ${updated} 条`;
}
