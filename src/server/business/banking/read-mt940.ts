import { addDecimals } from '#engine/values/decimal.ts';
import {
  type BankFile,
  type FileFault,
  MAX_READ,
  MAX_STATEMENT_LINES,
  negated,
  readDay,
  type StatementLine,
  tooLong,
} from './bank-file.ts';

/** Whether a text is a SWIFT MT940 (or MT942-like) statement. */
export function isMt940(text: string): boolean {
  return /^:20:/m.test(text) && /^:25[A-Z]?:/m.test(text) && /^:6[01][FM]?:/m.test(text);
}

/** Most rows of the text: a movement has its own field and up to a dozen rows of what it is for. */
const MAX_WRITTEN = 40 * MAX_STATEMENT_LINES;

interface Tag {
  readonly name: string;
  readonly text: string;
  readonly row: number;
}

/** Statements of one account in SWIFT MT940, several pages and days in a row. @throws RULE_REFUSED for too many */
export function readMt940(text: string): BankFile {
  const faults: FileFault[] = [];
  const lines: StatementLine[] = [];
  let opening: Balance | null = null;
  let closing: Balance | null = null;
  let running: string | null = null;
  let account: string | null = null;
  /** Field 86 speaks of the movement just before it, or of the statement. */
  let isNew = false;
  for (const tag of tagsOf(text)) {
    if (tag.name.startsWith('25')) account ??= tag.text.split('\n')[0]?.split('/').at(-1)?.trim() ?? null;
    if (/^6[02]/.test(tag.name)) {
      const balance = readBalance(tag.text);
      if (balance === null) faults.push({ row: tag.row, message: `余额“${tag.text.slice(0, 30)}”无法识别` });
      else if (tag.name.startsWith('60')) {
        opening ??= balance;
        running = balance.amount;
      } else closing = balance;
    }
    if (tag.name === '61') {
      const line = readMovement(tag);
      if (line === null) faults.push({ row: tag.row, message: `流水“${tag.text.slice(0, 30)}”无法识别` });
      else {
        running = running === null ? null : addDecimals(running, line.amount);
        lines.push({ ...line, balance: running });
      }
    }
    if (lines.length + faults.length > MAX_READ) throw tooLong();
    const last = lines.at(-1);
    if (tag.name === '86' && last !== undefined && isNew)
      lines[lines.length - 1] = { ...last, ...readNarrative(tag.text) };
    isNew = tag.name === '61';
  }
  return {
    account,
    currency: opening?.currency ?? closing?.currency ?? null,
    opening: opening?.amount ?? null,
    closing: closing?.amount ?? null,
    lines,
    faults,
  };
}

function tagsOf(text: string): readonly Tag[] {
  const tags: { name: string; text: string; row: number }[] = [];
  const written = text.split(/\r\n|\r|\n/, MAX_WRITTEN + 1);
  if (written.length > MAX_WRITTEN) throw tooLong();
  for (const [place, line] of written.entries()) {
    const start = /^:(\d{2}[A-Z]?):(.*)$/.exec(line);
    const [, name, rest = ''] = start ?? [];
    if (name !== undefined) tags.push({ name, text: rest, row: place + 1 });
    else if (!/^(-\}?|\{.*)$/.test(line.trim()) && tags.length > 0) {
      const last = tags.at(-1);
      if (last !== undefined && line.trim() !== '') last.text += `\n${line}`;
    }
  }
  return tags;
}

interface Balance {
  readonly currency: string;
  readonly amount: string;
}

function readBalance(text: string): Balance | null {
  const found = /^([CD])\d{6}([A-Z]{3})(\d+)(?:,(\d*))?/.exec(text.trim());
  const [, mark, currency, whole, cents = ''] = found ?? [];
  if (whole === undefined || currency === undefined) return null;
  const amount = decimalOf(whole, cents);
  return { currency, amount: mark === 'D' ? negated(amount) : amount };
}

/** Value date, entry date (month and day), sign (`RC` takes back what came in), funds code, amount, type, references. */
const MOVEMENT =
  /^(\d{6})(\d{4})?(R?[CD])[A-Z]?(\d+)(?:,(\d*))?([A-Z][A-Z0-9]{3})?([^\n/]*(?:\/(?!\/)[^\n/]*)*)(?:\/\/([^\n]*))?(?:\n([\s\S]*))?$/;

function readMovement({ text, row }: Tag): StatementLine | null {
  const [, value = '', entry, mark = '', whole, cents = '', , own = '', banks = '', more = ''] =
    MOVEMENT.exec(text) ?? [];
  const valueDate = readDay(`20${value}`);
  const date = entryDay(valueDate, entry);
  if (whole === undefined || date === null || valueDate === null) return null;
  const amount = decimalOf(whole, cents);
  const isIn = mark === 'C' || mark === 'RD';
  const bankRef = [banks, own].map((ref) => ref.trim()).find((ref) => ref !== '' && ref !== 'NONREF') ?? '';
  return {
    row,
    date,
    amount: isIn ? amount : negated(amount),
    balance: null,
    counterparty: '',
    counterAccount: '',
    bankRef,
    summary: more.trim(),
    ...(valueDate === date ? {} : { formerly: { date: valueDate } }),
  };
}

/**
 * The day on which the bank entered a movement: its balances are those of entries, whenever their interest begins. Its
 * year is the one that brings it nearest to the value date, which stands for it where there is no entry date.
 */
function entryDay(value: string | null, entry: string | undefined): string | null {
  if (value === null || entry === undefined) return value;
  const year = Number(value.slice(0, 4));
  const days = [year - 1, year, year + 1].flatMap((each) => readDay(`${each}${entry}`) ?? []);
  const away = (day: string) => Math.abs(Date.parse(day) - Date.parse(value));
  return days.toSorted((a, b) => away(a) - away(b))[0] ?? value;
}

function decimalOf(whole: string, cents: string): string {
  const plain = whole.replace(/^0+(?=\d)/, '');
  return cents === '' ? plain : `${plain}.${cents}`;
}

/** Field 86: names behind the code words of SWIFT or behind `?32`, the rest as it stands. */
function readNarrative(text: string): Pick<StatementLine, 'counterparty' | 'counterAccount' | 'summary'> {
  const flat = text.replaceAll('\n', '');
  const name =
    /\/(?:ORDP|BENM)\/(?:\/)?(?:NAME\/)?([^/]+)/.exec(flat)?.[1] ?? /\?32([^?]+)/.exec(flat)?.[1] ?? '';
  const account = /\/(?:ACCT|IBAN)\/([^/]+)/.exec(flat)?.[1] ?? /\?31([^?]+)/.exec(flat)?.[1] ?? '';
  return {
    counterparty: name.trim().slice(0, 140),
    counterAccount: account.trim().slice(0, 60),
    summary: flat.trim().slice(0, 200),
  };
}
