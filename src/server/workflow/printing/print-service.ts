import { existsSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { ComposedPrint } from '#engine/print/composed-print.ts';
import { AppError } from '#server/kernel/errors.ts';
import { createAsideService } from '#server/kernel/aside-service.ts';
import type { Config } from '#server/kernel/config.ts';
import type { Pictures } from './company-pictures.ts';
import type { RecordPrint } from './print-record.ts';

/** What the thread is asked for. */
export interface PrintOrder {
  readonly kind: 'pages' | 'pdf';
  /** Where the two cuts of the font lie. */
  readonly fonts: { readonly regular: string; readonly bold: string };
  readonly prints: readonly Pick<RecordPrint, 'filled' | 'foot'>[];
  /** What the prints name, each once. */
  readonly pictures: Pictures;
}

/** What is laid out. */
export type PrintJob = Pick<RecordPrint, 'filled' | 'foot' | 'pictures'>;

/** A hundred documents of three pages take some seconds. */
const printer = createAsideService(import.meta.url, './print-worker.ts', {
  heapMb: 300,
  timeMs: 60_000,
  idleMs: 120_000,
});

/** The documents laid out on pages, for the screen. @throws TIMEOUT */
export async function composePages(
  config: Pick<Config, 'webDir'>,
  prints: readonly PrintJob[],
): Promise<readonly ComposedPrint[]> {
  // Answered by `print-worker.ts`: its shape is known.
  return JSON.parse(await ask(config, { kind: 'pages', prints })) as readonly ComposedPrint[];
}

/** All documents as one PDF. @throws TIMEOUT */
export async function makePdf(config: Pick<Config, 'webDir'>, prints: readonly PrintJob[]): Promise<Buffer> {
  return Buffer.from(await ask(config, { kind: 'pdf', prints }), 'base64');
}

async function ask(
  config: Pick<Config, 'webDir'>,
  { kind, prints }: { readonly kind: PrintOrder['kind']; readonly prints: readonly PrintJob[] },
): Promise<string> {
  const question: PrintOrder = {
    kind,
    fonts: { regular: fontPath(config, REGULAR), bold: fontPath(config, BOLD) },
    prints: prints.map(({ filled, foot }) => ({ filled, foot })),
    pictures: Object.assign({}, ...prints.map(({ pictures }) => pictures)),
  };
  const reply = await printer.ask(JSON.stringify(question));
  if (reply === null) throw new AppError('TIMEOUT', { message: '文件太大，没有排完版，请分批打印' });
  return reply;
}

const REGULAR = /^noto-sans-sc-gb2312.*\.ttf$/;
const BOLD = /^noto-sans-sc-bold-gb2312.*\.ttf$/;
const SOURCES = resolve('src/web/assets/fonts');

/** The font of the pages: built with a hash in its name, or as it lies among the sources. */
function fontPath({ webDir }: Pick<Config, 'webDir'>, cut: RegExp): string {
  const folders = [join(webDir, 'assets'), SOURCES];
  for (const folder of folders) {
    const name = existsSync(folder) ? readdirSync(folder).find((entry) => cut.test(entry)) : undefined;
    if (name !== undefined) return join(folder, name);
  }
  throw new TypeError('the font of documents is missing');
}
