import { Button, Modal, Spin } from 'antd';
import { useEffect, useState } from 'react';
import type { FileView } from '#contract/files.ts';
import { useFieldServices } from './field-services.ts';
import { faultText } from '#web/data/show-fault.ts';

interface FilePreviewProps {
  readonly file: FileView;
  readonly onClose: () => void;
}

/** Shows an image or a PDF; everything else is offered for download. The content is fetched with the session and shown from memory. */
export function FilePreview({ file, onClose }: FilePreviewProps) {
  const services = useFieldServices();
  const [url, setUrl] = useState<string | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  useEffect(() => {
    let made: string | null = null;
    let isGone = false;
    services?.fileContent(file.id).then(
      (blob) => {
        if (isGone) return;
        made = URL.createObjectURL(blob);
        setUrl(made);
      },
      (error: unknown) => setProblem(faultText(error, '文件打不开')),
    );
    return () => {
      isGone = true;
      if (made !== null) URL.revokeObjectURL(made);
    };
  }, [services, file.id]);
  const isImage = /^image\/(png|jpe?g|gif|webp|bmp)$/.test(file.type);
  const isPdf = file.type === 'application/pdf';
  return (
    <Modal
      open
      title={file.name}
      onCancel={onClose}
      width={isImage || isPdf ? 960 : 480}
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
      {url !== null && !isImage && !isPdf && <p>此类文件不能预览，请下载后查看。</p>}
    </Modal>
  );
}
