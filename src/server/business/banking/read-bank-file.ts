import { addDecimals, compareDecimals, sumDecimals } from '#engine/values/decimal.ts';
import { AppError } from '#server/kernel/errors.ts';
import type { ReadRow } from '#server/workflow/transfer/import-fault.ts';
import { readTable } from '#server/workflow/transfer/read-table.ts';
import {
  type BankFile,
  bankFileFault,
  follows,
  MAX_READ,
  MAX_STATEMENT_LINES,
  refuseOtherSum,
  type StatementLine,
  tooLong,
} from './bank-file.ts';
import { isCamt, readCamt } from './read-camt.ts';
import { isMt940, readMt940 } from './read-mt940.ts';
import { readStatementTable, type TableFormat } from './read-statement-table.ts';

/** A bank's file as it was uploaded. */
export interface SentBankFile {
  readonly bytes: Buffer;
  readonly name: string;
}

/**
 * A bank's file: MT940 and camt.053 by their content, tables (csv, xlsx) by the first format whose titles they have.
 * It works as long as the file makes it work: the server calls it in a thread of its own (`read-bank-file-aside.ts`).
 * @throws RULE_REFUSED for what cannot be read, with the rows of the file; IMPORT_FAULT for what is no table
 */
export async function readBankFile(file: SentBankFile, formats: readonly TableFormat[]): Promise<BankFile> {
  const told = readMarked(file.bytes) ?? (await readRows(file, formats));
  if (told.faults.length > 0)
    refuse(
      `对账单有 ${told.faults.length} 行无法读取`,
      told.faults.slice(0, 20).map(({ row, message }) => `第${row}行：${message}`),
    );
  if (told.lines.length === 0) refuse('对账单中没有流水', []);
  if (told.lines.length > MAX_STATEMENT_LINES) throw tooLong();
  refuseGaps(told);
  return told;
}

function readMarked(bytes: Buffer): BankFile | null {
  if (bytes.subarray(0, 4).toString('hex') === '504b0304') return null;
  const text = textOfFile(bytes);
  if (isMt940(text)) return readMt940(text);
  if (!isCamt(text)) return null;
  try {
    return readCamt(text);
  } catch (cause) {
    if (cause instanceof AppError) throw cause;
    throw new AppError('RULE_REFUSED', { message: 'camt.053 文件已损坏，无法读取', cause });
  }
}

/** UTF-8, else the encoding of Chinese banks. */
function textOfFile(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('gb18030').decode(bytes);
  }
}

async function readRows({ bytes, name }: SentBankFile, formats: readonly TableFormat[]): Promise<BankFile> {
  const rows: ReadRow[] = [];
  for await (const row of readTable(bytes, name)) {
    if (row.cells.every((cell) => cell === null)) continue;
    rows.push(row);
    if (rows.length > MAX_READ) throw tooLong();
  }
  const told = readStatementTable(rows, formats);
  if (told !== null) return told;
  const known = formats.map(({ name }) => name).join('、');
  return refuse(
    known === ''
      ? '该银行还没有对账单格式，请先在“银行文件格式”中设置列名'
      : `文件的列名与“${known}”都不符，请检查银行文件格式`,
    [],
  );
}

/** A balance that does not follow from the one before: a movement is missing, or was read wrongly. */
function refuseGaps(file: BankFile): void {
  refuseOtherSum(file);
  const { lines } = file;
  if (lines.some(({ balance }) => balance === null)) return;
  const gaps = lines.flatMap((line, place) => {
    const before = lines[place - 1];
    return before === undefined || follows(before, line) ? [] : [`第${line.row}行：余额与上一行不连续`];
  });
  // Banks that list movements of one moment in any order have gaps that close again: the ends decide.
  if (gaps.length > 0 && !closes(lines)) refuse('对账单的余额不连续，可能缺少流水', gaps.slice(0, 20));
}

function closes(lines: readonly StatementLine[]): boolean {
  const [first] = lines;
  const last = lines.at(-1);
  const moved = sumDecimals(lines.slice(1).map(({ amount }) => amount));
  return compareDecimals(addDecimals(first?.balance ?? '0', moved), last?.balance ?? '0') === 0;
}

function refuse(message: string, problems: readonly string[]): never {
  throw bankFileFault(message, problems);
}
