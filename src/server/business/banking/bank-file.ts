import { addDecimals, compareDecimals, isPlainDecimal, sumDecimals } from '#engine/values/decimal.ts';
import { withoutGroups } from '#engine/values/grouped-digits.ts';
import { AppError } from '#server/kernel/errors.ts';

/** Most movements of one file: what people can look through, and what one save can write. */
export const MAX_STATEMENT_LINES = 3_000;
/** After so many rows or entries a file is read no further: titles, sums and what is not booked yet stand among them. */
export const MAX_READ = 2 * MAX_STATEMENT_LINES;

/** A movement as a bank tells it. */
export interface StatementLine {
  /** Where it stands in the file, from 1. */
  readonly row: number;
  readonly date: string;
  /** Signed: what came in is positive. */
  readonly amount: string;
  /** The balance after it, where the file says so. */
  readonly balance: string | null;
  readonly counterparty: string;
  readonly counterAccount: string;
  readonly bankRef: string;
  readonly summary: string;
  /** What earlier statements were read with in place of it, where that is another. */
  readonly formerly?: { readonly date?: string; readonly bankRef?: string };
}

/** Something in a bank file that cannot be read. */
export interface FileFault {
  readonly row: number;
  readonly message: string;
}

/** A bank's statement as read from its file, whatever the format. */
export interface BankFile {
  readonly account: string | null;
  readonly currency: string | null;
  readonly opening: string | null;
  readonly closing: string | null;
  readonly lines: readonly StatementLine[];
  readonly faults: readonly FileFault[];
}

/** How a date is written where its order cannot be told. */
export type DayOrder = 'ymd' | 'dmy' | 'mdy';

/** A date of a bank file as `yyyy-MM-dd`; null for what is none, the 30th of February included. */
export function readDay(text: string, order: DayOrder = 'ymd'): string | null {
  const [day = ''] = text
    .trim()
    .replaceAll(/[年月./]/g, '-')
    .replaceAll('日', '')
    .split(/[ T]/);
  const parts = /^\d{8}$/.test(day)
    ? order === 'ymd'
      ? [day.slice(0, 4), day.slice(4, 6), day.slice(6)]
      : [day.slice(0, 2), day.slice(2, 4), day.slice(4)]
    : day.split('-');
  if (parts.length !== 3 || parts.some((part) => !/^\d{1,4}$/.test(part))) return null;
  const [a = '', b = '', c = ''] = parts;
  const [year, month, date] = order === 'ymd' ? [a, b, c] : order === 'dmy' ? [c, b, a] : [c, a, b];
  if (year.length !== 4) return null;
  const written = `${year}-${month.padStart(2, '0')}-${date.padStart(2, '0')}`;
  const instant = new Date(`${written}T00:00:00Z`);
  return Number.isNaN(instant.getTime()) || instant.toISOString().slice(0, 10) !== written ? null : written;
}

/** An amount of a bank file as plain decimal text; empty text gives null, what is no amount undefined. */
export function readAmount(text: string): string | null | undefined {
  const bare = withoutGroups(text.normalize('NFKC').replaceAll(/[\s'¥$€£]/g, ''));
  if (bare === null) return undefined;
  if (bare === '' || bare === '-' || bare === '--') return null;
  const inBrackets = /^\((.+)\)$/.exec(bare)?.[1];
  const signed = (inBrackets === undefined ? bare : `-${inBrackets}`).replace(/^\+/, '');
  const plain = /^-?\d+\.$/.test(signed) ? signed.slice(0, -1) : signed.replace(/^(-?)\./, '$10.');
  if (!isPlainDecimal(plain) || (plain.split('.')[1] ?? '').replace(/0+$/, '').length > 2) return undefined;
  return plain;
}

/** The same amount with the other sign. */
export function negated(amount: string): string {
  return amount.startsWith('-') ? amount.slice(1) : `-${amount}`;
}

/** Whether the balance of a movement is that of the one before with its amount; a balance that is not told counts as 0. */
export function follows(before: StatementLine, line: StatementLine): boolean {
  return compareDecimals(addDecimals(before.balance ?? '0', line.amount), line.balance ?? '0') === 0;
}

/** Refuses movements that do not lead from the opening balance to the closing one. @throws RULE_REFUSED */
export function refuseOtherSum({
  opening,
  closing,
  lines,
}: Pick<BankFile, 'opening' | 'closing' | 'lines'>): void {
  if (opening === null || closing === null) return;
  const reckoned = addDecimals(opening, sumDecimals(lines.map(({ amount }) => amount)));
  if (compareDecimals(reckoned, closing) !== 0)
    throw bankFileFault('对账单不完整：期初余额加明细不等于期末余额', [
      `应为 ${closing}，按明细为 ${reckoned}`,
    ]);
}

/** What a file is refused with: the first of its problems stands behind the message. */
export function bankFileFault(message: string, problems: readonly string[] = []): AppError {
  return new AppError('RULE_REFUSED', {
    message: [message, ...problems.slice(0, 1)].join('：'),
    problems: (problems.length === 0 ? [message] : problems).map((each) => ({
      path: 'file',
      code: 'bank_file',
      message: each,
    })),
  });
}

/** The refusal of a file with more movements than one statement takes. */
export function tooLong(): AppError {
  return bankFileFault(`对账单超过 ${MAX_STATEMENT_LINES} 行，请按日期拆分后导入`);
}
