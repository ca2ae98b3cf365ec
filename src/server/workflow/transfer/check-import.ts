import type { ImportPreview, ImportProblem, ImportRowView } from '#contract/transfer.ts';
import { createGate } from '#server/kernel/gate.ts';
import { letOthers } from '#server/kernel/let-others.ts';
import type { Call } from '#server/records/call/open-call.ts';
import { inTransaction, requireWritable } from '#server/records/write/save-record.ts';
import { createTextFinder } from './find-by-text.ts';
import { findHeader, type ImportHeader, importFields } from './import-fields.ts';
import { importFault, MAX_IMPORT_ROWS, type ReadRow } from './import-fault.ts';
import { countKinds, type KeptRow, keepImport } from './import-store.ts';
import { judgeRows, TakenKeys } from './judge-rows.ts';
import { type Match, matchExisting } from './match-existing.ts';
import { type ImportRow, loadChoices, readImportRows } from './read-import-rows.ts';
import { readTableAside } from './read-table-aside.ts';

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
/** Rows that are judged at once: as many statements as one takes, and nobody waits long for their turn. */
const BATCH = 200;
const HEADER_ROWS = 10;
const SHOWN_ROWS = 500;
const SHOWN_ERRORS = 1_000;

/** Reads a file and judges every row as a create or update would. Nothing is written but the judgement. */
export async function checkImport(call: Call, file: SentFile): Promise<ImportPreview> {
  requireWritable(call);
  return IMPORTS(call.caller.subject.id, () => judgeFile(call, file));
}

async function judgeFile(call: Call, file: SentFile): Promise<ImportPreview> {
  const { header, rows } = await openTable(call, file);
  const kept = await judgeAll(call, header, rows);
  if (kept.length === 0) throw importFault('文件中没有数据行');
  const importId = await keepImport(call.services.db, call, {
    fileName: file.name,
    content: { titles: header.titles, rows: kept },
  });
  return { importId, counts: countKinds(kept), rows: shownRows(kept), ignored: header.ignored };
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
): Promise<{ readonly header: ImportHeader; readonly rows: AsyncGenerator<ReadRow> }> {
  const source = readTableAside(file);
  const first: ReadRow[] = [];
  while (first.length < HEADER_ROWS) {
    const next = await source.next();
    if (next.done === true) break;
    if (next.value.cells.some((cell) => cell !== null)) first.push(next.value);
  }
  if (first.length === 0) throw importFault('文件是空的');
  const header = findHeader(importFields(call), first);
  return { header, rows: after(header.row, first, source) };
}

/** The rows below the header. */
async function* after(
  header: number,
  first: readonly ReadRow[],
  source: AsyncGenerator<ReadRow>,
): AsyncGenerator<ReadRow> {
  yield* first.filter(({ row }) => row > header);
  yield* source;
}

async function judgeAll(
  call: Call,
  header: ImportHeader,
  rows: AsyncGenerator<ReadRow>,
): Promise<readonly KeptRow[]> {
  const { db } = call.services;
  const taken = new TakenKeys();
  const reading = {
    columns: header.columns,
    choices: await loadChoices(call, header.columns),
    finder: createTextFinder(db, call),
    width: header.titles.length,
  };
  const kept: KeptRow[] = [];
  for await (const batch of batches(rows)) {
    const read = await readImportRows(batch, reading);
    if (kept.length + read.length > MAX_IMPORT_ROWS)
      throw importFault(`一次最多导入${MAX_IMPORT_ROWS.toLocaleString('en-US')}行，请拆分文件`);
    kept.push(...(await judgeBatch(call, read, taken)));
    await letOthers();
  }
  return kept;
}

async function judgeBatch(
  call: Call,
  read: readonly ImportRow[],
  taken: TakenKeys,
): Promise<readonly KeptRow[]> {
  const matches = await matchExisting(call.services.db, call, read);
  const candidates = read.map(({ row, body, problems }, index) => {
    const match = matches[index] ?? 'new';
    return {
      row,
      body,
      id: typeof match === 'object' ? match.id : null,
      version: null,
      problems: [...problems, ...matchProblems(call, match)],
    };
  });
  const judged = await inTransaction(call, (tx) =>
    judgeRows(tx, call, { rows: candidates, judging: { taken, isLocking: false, withChecks: true } }),
  );
  return judged.map((row, index) => {
    const source = read[index];
    const isBad = row.problems.length > 0;
    const version = row.current?.['version'];
    return {
      row: row.row,
      kind: isBad ? 'error' : row.id === null ? 'create' : 'update',
      label: row.label,
      id: row.id,
      version: typeof version === 'number' ? version : null,
      body: isBad ? {} : (source?.body ?? {}),
      texts: source?.texts ?? [],
      errors: row.problems,
    };
  });
}

function matchProblems(call: Call, match: Match): readonly ImportProblem[] {
  const { number, fields, unique } = call.resource;
  const titleOf = (name: string | undefined): string => fields[name ?? '']?.title ?? '';
  if (match === 'missing')
    return [{ column: titleOf(number?.field), message: '没有这个编号的记录；新增请留空' }];
  if (match === 'several')
    return [{ column: titleOf(unique[0]?.fields[0]), message: '系统中有多条相同的记录，无法确定更新哪一条' }];
  return [];
}

async function* batches<T>(rows: AsyncGenerator<T>): AsyncGenerator<readonly T[]> {
  let batch: T[] = [];
  for await (const row of rows) {
    batch.push(row);
    if (batch.length < BATCH) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}
