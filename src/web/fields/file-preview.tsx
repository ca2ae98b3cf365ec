import { Button, Modal, Spin } from 'antd';
import { useEffect, useState } from 'react';
import type { FileView } from '#contract/files.ts';
import { isPicture } from '#engine/fields/picture.ts';
import { useFieldServices } from './field-services.ts';
import { faultText } from '#web/data/show-fault.ts';

interface FilePreviewProps {
  readonly file: FileView;
  readonly onClose: () => void;
}

/** So much of a text is shown, bytes. */
const MOST_TEXT = 200_000;

/** Shows an image, a PDF or a text; everything else is offered for download. The content is fetched with the session and shown from memory. */
export function FilePreview({ file, onClose }: FilePreviewProps) {
  const services = useFieldServices();
  const [url, setUrl] = useState<string | null>(null);
  const [text, setText] = useState<string | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const isText = file.type.startsWith('text/plain');
  useEffect(() => {
    let made: string | null = null;
    let isGone = false;
    services?.fileContent(file.id).then(
      (blob) => {
        if (isGone) return;
        made = URL.createObjectURL(blob);
        setUrl(made);
        if (isText)
          void textOf(blob).then((read) => {
            if (!isGone) setText(read);
          });
      },
      (error: unknown) => setProblem(faultText(error, '文件打不开')),
    );
    return () => {
      isGone = true;
      if (made !== null) URL.revokeObjectURL(made);
    };
  }, [services, file.id, isText]);
  const isImage = isPicture(file.type);
  const isPdf = file.type === 'application/pdf';
  return (
    <Modal
      open
      title={file.name}
      onCancel={onClose}
      width={isImage || isPdf || isText ? 960 : 480}
      footer={
        <>
          <Button onClick={onClose}>关闭</Button>
          <Button type="primary" href={url ?? ''} download={file.name} disabled={url === null}>
            下载
          </Button>
        </>
      }
    >
      {problem !== null && <p className="field-problem">{problem}</p>}
      {url === null && problem === null && <Spin />}
      {url !== null && isImage && <img src={url} alt={file.name} style={{ maxWidth: '100%' }} />}
      {url !== null && isPdf && (
        // The PDF viewer does not run in a sandbox; the address is a blob made here of a checked type.
        // oxlint-disable-next-line react/iframe-missing-sandbox
        <iframe src={`${url}#navpanes=0&view=FitH`} title={file.name} className="file-pdf" />
      )}
      {text !== null && (
        <pre className="file-text" aria-label={file.name}>
          {text}
        </pre>
      )}
      {url !== null && !isImage && !isPdf && !isText && <p>此类文件不能预览，请下载后查看。</p>}
    </Modal>
  );
}

/** The start of a text file; those of older Windows programs, as banks send them, are GB18030. */
async function textOf(blob: Blob): Promise<string> {
  const bytes = await blob.slice(0, MOST_TEXT).arrayBuffer();
  const rest = blob.size > MOST_TEXT ? '\n……（其余请下载后查看）' : '';
  const utf8 = new TextDecoder('utf-8').decode(bytes, { stream: true });
  const isUtf8 = !utf8.includes('\uFFFD');
  return (isUtf8 ? utf8 : new TextDecoder('gb18030').decode(bytes, { stream: true })) + rest;
}
