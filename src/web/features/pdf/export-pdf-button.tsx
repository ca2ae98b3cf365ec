import { App, Button } from 'antd';
import { type RefObject, useState } from 'react';
import { loadChunk } from '#web/faults/load-chunk.ts';
import { saveFile } from '#web/data/save-file.ts';
import { paperHtml } from './paper-html.ts';

export interface ExportPdfButtonProps {
  readonly title: string;
  /** Holds the rich text that is exported as it is shown, with its images. */
  readonly within: RefObject<HTMLElement | null>;
}

/** Saves what is shown as an A4 PDF; the writer of PDF and its font are loaded on the first click. */
export function ExportPdfButton({ title, within }: ExportPdfButtonProps) {
  const { message } = App.useApp();
  const [isBusy, setBusy] = useState(false);
  const save = async () => {
    const shown = within.current?.querySelector('.richtext');
    if (shown === null || shown === undefined) return;
    setBusy(true);
    try {
      const html = paperHtml(shown);
      const { blockToPdf } = await loadChunk(() => import('./block-to-pdf.ts'));
      saveFile(await blockToPdf(html, title), `${title.replace(/[\\/:*?"<>|]/g, ' ')}.pdf`);
    } catch (error) {
      void message.error(error instanceof Error ? `PDF 没有生成：${error.message}` : 'PDF 没有生成', 4);
    }
    setBusy(false);
  };
  return (
    <Button loading={isBusy} onClick={() => void save()}>
      导出PDF
    </Button>
  );
}
