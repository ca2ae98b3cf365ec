/** The program of the thread that lays out documents and draws them: each text that comes in is a PrintOrder. */
import { readFileSync } from 'node:fs';
import { parentPort } from 'node:worker_threads';
import { composePrint } from '#engine/print/compose-print.ts';
import { drawPdf } from './draw-pdf.ts';
import { openPrintFont } from './print-font.ts';
import type { PrintOrder } from './print-service.ts';

let loaded: { readonly paths: string; readonly font: ReturnType<typeof openPrintFont> } | null = null;

parentPort?.on('message', (text: string) => {
  // Sent by `print-service.ts`: its shape is known.
  const { kind, fonts, prints, pictures } = JSON.parse(text) as PrintOrder;
  const paths = `${fonts.regular} ${fonts.bold}`;
  if (loaded?.paths !== paths) {
    const files = { regular: readFileSync(fonts.regular), bold: readFileSync(fonts.bold) };
    loaded = { paths, font: openPrintFont(files) };
  }
  const { font } = loaded;
  const composed = prints.map(({ filled, foot }) => composePrint(filled, { font, foot, pictures }));
  parentPort?.postMessage(
    kind === 'pages'
      ? JSON.stringify(composed)
      : Buffer.from(drawPdf(composed, { font, pictures })).toString('base64'),
  );
});
parentPort?.postMessage('ready');
