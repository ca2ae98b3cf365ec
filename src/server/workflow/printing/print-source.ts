import type { PrintSource } from '#engine/print/fill-print.ts';
import { cutText, rowsKey, templateTexts } from '#engine/print/placeholders.ts';
import type { PrintTemplate } from '#engine/print/print-template.ts';
import type { PrintValue } from '#engine/print/write-value.ts';
import type { ErpRecord } from '#engine/schema/resource.ts';
import type { Call } from '#server/records/call/open-call.ts';
import type { Holder, PathReader } from './print-paths.ts';
import { openingOf, type PrintPeriod, relatedRows } from './related-rows.ts';

/** What a template is filled in for. */
export interface SourceAsk {
  readonly template: PrintTemplate;
  readonly head: Holder;
  readonly call: Call;
  readonly company: ErpRecord;
  readonly period: PrintPeriod | null;
}

const COMPANY = 'company.';
const PERIOD = 'period.';

type Values = Pick<PrintSource, 'head' | 'rows' | 'opening'>;

/** Every value that a template names, read before it is filled in. */
export async function readValues(reader: PathReader, asked: SourceAsk): Promise<Values> {
  const { template, head, company, period } = asked;
  const { rows, openings } = await readRows(reader, asked);
  const heads = new Map<string, PrintValue | null>();
  const cells = new Map<string, readonly Map<string, PrintValue | null>[]>();
  for (const [key, holders] of rows)
    cells.set(
      key,
      holders.map(() => new Map()),
    );
  for (const { text, lines: key } of templateTexts(template))
    for (const part of cutText(text)) {
      if (typeof part === 'string') continue;
      const { path } = part;
      if (path.startsWith(COMPANY)) heads.set(path, named(company[path.slice(COMPANY.length)]));
      else if (path.startsWith(PERIOD))
        heads.set(path, named(period?.[path.slice(PERIOD.length) === 'from' ? 'from' : 'to']));
      else {
        const holders = key === null ? [] : (rows.get(key) ?? []);
        for (const [place, holder] of holders.entries())
          cells.get(key ?? '')?.[place]?.set(path, await reader.read(holder, path));
        if (!heads.has(path)) heads.set(path, await reader.read(head, path));
      }
    }
  return {
    head: (path) => heads.get(path) ?? null,
    rows: (key) => (cells.get(key) ?? []).map((row) => (path: string) => row.get(path) ?? null),
    opening: (key, path) => openings.get(`${key} ${path}`) ?? '0',
  };
}

/** The rows of every table by its key, and what its running columns began with. */
async function readRows(
  reader: PathReader,
  { template, head, call, period }: SourceAsk,
): Promise<{
  readonly rows: ReadonlyMap<string, readonly Holder[]>;
  readonly openings: ReadonlyMap<string, string>;
}> {
  const rows = new Map<string, readonly Holder[]>();
  const openings = new Map<string, string>();
  for (const [index, block] of template.blocks.entries()) {
    if (block.kind !== 'table') continue;
    const key = rowsKey(block, index);
    if (block.lines !== undefined) rows.set(key, await reader.lines(head, block.lines));
    if (block.from === undefined) continue;
    const asked = { from: block.from, id: String(head.record['id']), period, on: reader.on };
    rows.set(key, await relatedRows(call, asked));
    for (const { value, running } of block.columns) {
      const [part] = running === true ? cutText(value) : [];
      if (part === undefined || typeof part === 'string') continue;
      openings.set(`${key} ${part.path}`, await openingOf(call, asked, part.path));
    }
  }
  return { rows, openings };
}

function named(value: unknown): PrintValue | null {
  return typeof value === 'string' ? { value, label: null, field: null, currency: null } : null;
}
