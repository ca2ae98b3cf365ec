import { isPlainDecimal } from '#engine/values/decimal.ts';
import { hasLostDigits, isError, plainText } from '#server/workflow/transfer/cell-value.ts';
import type { ReadCell, ReadRow } from '#server/workflow/transfer/import-fault.ts';
import {
  type BankFile,
  type DayOrder,
  type FileFault,
  follows,
  negated,
  readAmount,
  readDay,
  type StatementLine,
} from './bank-file.ts';

/** Under which titles a bank's table holds what. Several titles of one column are separated by `|`. */
export interface TableFormat {
  readonly name: string;
  readonly date: string;
  /** One signed column, two columns, or one with a mark of the direction beside it. */
  readonly amounts: 'signed' | 'two' | 'marked';
  readonly amount: string;
  readonly income: string;
  readonly expense: string;
  readonly mark: string;
  /** What stands in the mark's column for money that came in. */
  readonly incomeMarks: readonly string[];
  readonly balance: string;
  readonly counterparty: string;
  readonly counterAccount: string;
  readonly bankRef: string;
  readonly summary: string;
  readonly dayOrder: DayOrder;
}

/** Titles are looked for in the first rows: banks write the account and its owner above them. */
const MAX_HEADER_ROW = 40;

/** Places of the columns that a table has. */
type Columns = Readonly<Record<ColumnName, number>>;
type ColumnName =
  | 'date'
  | 'amount'
  | 'income'
  | 'expense'
  | 'mark'
  | 'balance'
  | 'counterparty'
  | 'counterAccount'
  | 'bankRef'
  | 'summary';

const NEEDED: Readonly<Record<TableFormat['amounts'], readonly ColumnName[]>> = {
  signed: ['date', 'amount'],
  two: ['date', 'income', 'expense'],
  marked: ['date', 'amount', 'mark'],
};

/** What a table says read by the first of these formats whose titles it has; null when none fits. */
export function readStatementTable(
  rows: readonly ReadRow[],
  formats: readonly TableFormat[],
): BankFile | null {
  for (const format of formats)
    for (const [place, row] of rows.slice(0, MAX_HEADER_ROW).entries()) {
      const columns = columnsOf(row, format);
      if (columns !== null) return readRows(rows.slice(place + 1), columns, format);
    }
  return null;
}

function columnsOf({ cells }: ReadRow, format: TableFormat): Columns | null {
  const titles = cells.map((cell) => plainTitle(cell?.text ?? ''));
  const placeOf = (given: string): number => {
    const wanted = given.split('|').map(plainTitle);
    return titles.findIndex((title) => title !== '' && wanted.includes(title));
  };
  const columns: Columns = {
    date: placeOf(format.date),
    amount: placeOf(format.amount),
    income: placeOf(format.income),
    expense: placeOf(format.expense),
    mark: placeOf(format.mark),
    balance: placeOf(format.balance),
    counterparty: placeOf(format.counterparty),
    counterAccount: placeOf(format.counterAccount),
    bankRef: placeOf(format.bankRef),
    summary: placeOf(format.summary),
  };
  return NEEDED[format.amounts].every((name) => columns[name] >= 0) ? columns : null;
}

function plainTitle(text: string): string {
  return text.normalize('NFKC').replaceAll(/\s/g, '').toLowerCase();
}

function readRows(rows: readonly ReadRow[], columns: Columns, format: TableFormat): BankFile {
  const lines: StatementLine[] = [];
  const faults: FileFault[] = [];
  for (const row of rows) {
    const read = readRow(row, columns, format);
    if (read === null) continue;
    if ('message' in read) faults.push(read);
    else lines.push(read);
  }
  return { account: null, currency: null, opening: null, closing: null, lines: inOrder(lines), faults };
}

/** Banks list the newest first as often as the oldest; of a single day only the balances tell. */
function inOrder(lines: readonly StatementLine[]): readonly StatementLine[] {
  const [first] = lines;
  const last = lines.at(-1);
  if (first === undefined || last === undefined || first.date < last.date) return lines;
  const turned = lines.toReversed();
  if (first.date > last.date) return turned;
  return !isUnbroken(lines) && isUnbroken(turned) ? turned : lines;
}

/** Whether each balance follows from the one before. */
function isUnbroken(lines: readonly StatementLine[]): boolean {
  return lines.every((line, place) => {
    const before = lines[place - 1];
    return line.balance !== null && (before === undefined || follows(before, line));
  });
}

/** Rows of sums and remarks below the movements are passed over. */
function readRow(row: ReadRow, columns: Columns, format: TableFormat): StatementLine | FileFault | null {
  const cell = (name: ColumnName): ReadCell | null => row.cells[columns[name]] ?? null;
  const text = (name: ColumnName, max: number): string => {
    const found = cell(name);
    return found === null || isError(found) ? '' : found.text.trim().slice(0, max);
  };
  /** A number of 20 digits that a spreadsheet took for an amount is nobody's. */
  const isLost = (name: ColumnName): boolean => {
    const found = cell(name);
    return found !== null && hasLostDigits(found);
  };
  const dated = cell('date');
  const amount = amountOf(cell, format);
  if (dated === null && (amount === null || amount === undefined)) return null;
  if (dated !== null && /合计|总计|小计|total/i.test(dated.text)) return null;
  const day = writtenText(dated);
  const date = dated === null ? null : readDay(day, dated.kind === 'date' ? 'ymd' : format.dayOrder);
  if (date === null)
    return amount === null ? null : { row: row.row, message: `日期“${day.slice(0, 30)}”无法识别` };
  if (amount === undefined) return { row: row.row, message: '金额无法识别' };
  if (amount === null) return { row: row.row, message: '没有金额' };
  const balance = readAmount(writtenText(cell('balance')));
  if (balance === undefined)
    return { row: row.row, message: `余额“${writtenText(cell('balance')).slice(0, 30)}”无法识别` };
  return {
    row: row.row,
    date,
    amount,
    balance,
    counterparty: text('counterparty', 140),
    counterAccount: isLost('counterAccount') ? '' : text('counterAccount', 60),
    ...(isLost('bankRef')
      ? { bankRef: '', formerly: { bankRef: text('bankRef', 60) } }
      : { bankRef: text('bankRef', 60) }),
    summary: text('summary', 200),
  };
}

/** A cell as a person reads it: a spreadsheet keeps days as numbers, and 8.2 as 8.1999999999999993. */
function writtenText(cell: ReadCell | null): string {
  return cell === null ? '' : plainText(cell).trim();
}

/** Signed; null without any, undefined for what cannot be read. */
function amountOf(
  cell: (name: ColumnName) => ReadCell | null,
  format: TableFormat,
): string | null | undefined {
  const read = (name: ColumnName): string | null | undefined => {
    const amount = readAmount(writtenText(cell(name)));
    return typeof amount === 'string' && isZero(amount) ? null : amount;
  };
  if (format.amounts === 'two') {
    const income = read('income');
    const expense = read('expense');
    if (income === undefined || expense === undefined) return undefined;
    if (income !== null && expense !== null) return undefined;
    return income ?? (expense === null ? null : negated(expense));
  }
  const amount = read('amount');
  if (amount === null || amount === undefined || format.amounts === 'signed') return amount;
  const marked = cell('mark');
  const mark = marked === null || isError(marked) ? '' : plainTitle(marked.text);
  if (mark === '') return undefined;
  return format.incomeMarks.map(plainTitle).includes(mark) ? amount : negated(amount);
}

function isZero(amount: string): boolean {
  return isPlainDecimal(amount) && /^-?0*(\.0*)?$/.test(amount);
}
