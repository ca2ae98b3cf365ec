import type { ImportPreview, ImportRowView } from '#contract/transfer.ts';
import { createGate } from '#server/kernel/gate.ts';
import { letOthers } from '#server/kernel/let-others.ts';
import type { Call } from '#server/records/call/open-call.ts';
import { requireWritable } from '#server/records/write/save-record.ts';
import { createTextFinder } from './find-by-text.ts';
import { DocumentGrouper, type ImportDocument, joinSheets } from './group-documents.ts';
import { type ChosenColumns, findHeader, type ImportHeader, importFields, pathOf } from './import-fields.ts';
import { importFault, MAX_IMPORT_ROWS, refusePastSecond, type ReadRow } from './import-fault.ts';
import { countKinds, type KeptRow, keepImport } from './import-store.ts';
import { JUDGED_AT_ONCE, judgeBatch, judgeInOrder } from './judge-documents.ts';
import { TakenKeys } from './judge-rows.ts';
import { type ImportRow, loadChoices, readImportRows } from './read-import-rows.ts';
import { readTableAside } from './read-table-aside.ts';
import { hasOwnOrder } from './writing-order.ts';

/** A file as it was sent. */
export interface SentFile {
  readonly bytes: Buffer;
  readonly name: string;
}

/** Files that are read at once: each takes a thread and memory. */
const IMPORTS = createGate({
  atOnce: 2,
  perPerson: 1,
  waiting: 10,
  message: '已有导入正在检查，请等待完成后再试',
});
const HEADER_ROWS = 10;
const SHOWN_ROWS = 500;
const SHOWN_ERRORS = 1_000;

/**
 * Reads a file and judges every document as a create or update would: a row each, or heads with lines whose head columns
 * are repeated or left empty, or whose lines stand in a second sheet. Nothing is written but the judgement.
 */
export async function checkImport(
  call: Call,
  file: SentFile,
  chosen: ChosenColumns = new Map(),
): Promise<ImportPreview> {
  requireWritable(call);
  refusePastSecond(call);
  return IMPORTS(call.caller.subject.id, () => judgeFile(call, file, chosen));
}

async function judgeFile(call: Call, file: SentFile, chosen: ChosenColumns): Promise<ImportPreview> {
  const { header, rows } = await openTable(call, file, chosen);
  const isKnown = header.columns.length > 0;
  const { kept, lineTitles } = isKnown ? await judgeAll(call, header, rows) : { kept: [], lineTitles: null };
  if (!isKnown) await rows.return(undefined);
  else if (kept.length === 0) throw importFault('文件中没有数据行');
  const importId = await keepImport(call.services.db, call, {
    fileName: file.name,
    content: { titles: header.titles, lineTitles, rows: kept },
  });
  return {
    importId,
    counts: countKinds(kept),
    rows: shownRows(kept),
    ignored: header.ignored,
    columns: header.titles.map((title, place) => {
      const column = header.columns.find((one) => one.place === place);
      return { title, field: column === undefined ? null : pathOf(column) };
    }),
    fields: importFields(call).map((field) => ({ name: pathOf(field), title: field.title })),
  };
}

/** The first 500 rows and, of those beyond, the bad ones: at most 1,000 bad ones altogether. */
export function shownRows(kept: readonly KeptRow[]): readonly ImportRowView[] {
  let errors = 0;
  const shown: ImportRowView[] = [];
  for (const [index, { row, kind, label, errors: problems }] of kept.entries()) {
    if (kind === 'error') errors += 1;
    const isShown = index < SHOWN_ROWS || (kind === 'error' && errors <= SHOWN_ERRORS);
    if (isShown) shown.push({ row, kind, label, errors: problems });
  }
  return shown;
}

async function openTable(
  call: Call,
  file: SentFile,
  chosen: ChosenColumns,
): Promise<{ readonly header: ImportHeader; readonly rows: AsyncGenerator<ReadRow> }> {
  const sheets = Object.values(call.resource.fields).flatMap(({ type, title }) =>
    type === 'lines' ? [title] : [],
  );
  const source = readTableAside({ ...file, sheets });
  const first: ReadRow[] = [];
  while (first.length < HEADER_ROWS) {
    const next = await source.next();
    if (next.done === true) break;
    if (next.value.cells.some((cell) => cell !== null)) first.push(next.value);
  }
  if (first.length === 0) throw importFault('文件是空的');
  const own = first.filter(({ sheet }) => sheet === undefined);
  const header = findHeader(importFields(call), own, chosen);
  return { header, rows: after(header.row, first, source) };
}

/** A row of sums, as exports end with: no record. */
const SUMS = /^合计(?: [A-Z]{3})?$/;

/** The rows below the header. */
async function* after(
  header: number,
  first: readonly ReadRow[],
  source: AsyncGenerator<ReadRow>,
): AsyncGenerator<ReadRow> {
  yield* first.filter((one) => (one.sheet !== undefined || one.row > header) && isRecord(one));
  for await (const row of source) if (isRecord(row)) yield row;
}

function isRecord({ cells }: ReadRow): boolean {
  return !cells.some((cell) => cell !== null && SUMS.test(cell.text));
}

interface Judged {
  readonly kept: readonly KeptRow[];
  readonly lineTitles: readonly string[] | null;
}

async function judgeAll(call: Call, header: ImportHeader, rows: AsyncGenerator<ReadRow>): Promise<Judged> {
  const taken = new TakenKeys();
  const reading = await readingOf(call, header);
  const grouper = new DocumentGrouper(header);
  const lines = new LineSheet(call);
  const kept: KeptRow[] = [];
  // Lines may stand in a second sheet: then the documents are complete at the end of the file only.
  let waiting: ImportDocument[] = [];
  let count = 0;
  const isTogether = hasOwnOrder(call.resource);
  const judge = async (isAll: boolean) => {
    if (isTogether && !isAll) return;
    if (isTogether) return void kept.push(...(await judgeInOrder(call, waiting, taken)));
    while (waiting.length >= (isAll ? 1 : JUDGED_AT_ONCE)) {
      const batch = waiting.slice(0, JUDGED_AT_ONCE);
      waiting = waiting.slice(JUDGED_AT_ONCE);
      kept.push(...(await judgeBatch(call, batch, taken)));
      await letOthers();
    }
  };
  for await (const batch of batches(rows)) {
    const read = await readImportRows(
      batch.filter(({ sheet }) => sheet === undefined),
      reading,
    );
    count += read.length + (await lines.take(batch.filter(({ sheet }) => sheet !== undefined)));
    if (count > MAX_IMPORT_ROWS)
      throw importFault(`一次最多导入${MAX_IMPORT_ROWS.toLocaleString('en-US')}行，请拆分文件`);
    waiting.push(...grouper.take(read));
    if (!lines.mayCome(header)) await judge(false);
    await letOthers();
  }
  waiting.push(...(await grouper.end()));
  const second = lines.found();
  if (second !== null) waiting = [...joinSheets(waiting, header, second)];
  await judge(true);
  return { kept, lineTitles: second?.header.titles ?? null };
}

async function readingOf(call: Call, header: ImportHeader) {
  return {
    columns: header.columns,
    choices: await loadChoices(call, header.columns),
    finder: createTextFinder(call.services.db, call),
    width: header.titles.length,
  };
}

/** The second sheet of a file: its header is found in its first rows, the others are read as they come. */
class LineSheet {
  readonly #call: Call;
  readonly #rows: ImportRow[] = [];
  #header: ImportHeader | null = null;
  #reading: Awaited<ReturnType<typeof readingOf>> | null = null;

  constructor(call: Call) {
    this.#call = call;
  }

  /** Documents wait for a second sheet when the first one has a way to name them and no lines of its own. */
  mayCome({ columns, groupPlace }: ImportHeader): boolean {
    const fields = Object.values(this.#call.resource.fields);
    if (!fields.some(({ type }) => type === 'lines') || columns.some(({ lines }) => lines !== null))
      return false;
    return groupPlace !== null || columns.some(({ isKeyOnly }) => isKeyOnly);
  }

  /** Takes rows; gives how many have something to read. */
  async take(rows: readonly ReadRow[]): Promise<number> {
    let given = rows.filter(({ cells }) => cells.some((cell) => cell !== null));
    if (given.length === 0) return 0;
    if (this.#header === null) {
      const name = given[0]?.sheet ?? '';
      const fields = importFields(this.#call).filter(
        ({ lines, isKeyOnly }) => isKeyOnly || this.#call.resource.fields[lines ?? '']?.title === name,
      );
      const header = findHeader(fields, given.slice(0, HEADER_ROWS));
      this.#header = header;
      this.#reading = await readingOf(this.#call, header);
      given = given.filter(({ row }) => row > header.row);
    }
    if (this.#reading === null) return 0;
    const read = await readImportRows(given, this.#reading);
    this.#rows.push(...read);
    return read.length;
  }

  found(): { readonly header: ImportHeader; readonly rows: readonly ImportRow[] } | null {
    return this.#header === null ? null : { header: this.#header, rows: this.#rows };
  }
}

async function* batches<T>(rows: AsyncGenerator<T>): AsyncGenerator<readonly T[]> {
  let batch: T[] = [];
  for await (const row of rows) {
    batch.push(row);
    if (batch.length < JUDGED_AT_ONCE) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}
