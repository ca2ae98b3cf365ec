import { createHash } from 'node:crypto';
import { roundDecimal } from '#engine/values/decimal.ts';
import type { StatementLine } from './bank-file.ts';

/** A movement with what tells it from every other of its account. */
interface MarkedLine extends StatementLine {
  /** 40 hexadecimal digits. */
  readonly fingerprint: string;
  /** The one that statements have it under which were read before `formerly` was read otherwise; else the same. */
  readonly formerFingerprint: string;
}

/** What tells a movement from every other of its account; equal ones of one file are counted. */
export function withFingerprints(lines: readonly StatementLine[]): readonly MarkedLine[] {
  const former = fingerprintsOf(lines.map((line) => ({ ...line, ...line.formerly })));
  const now = fingerprintsOf(lines);
  return lines.map((line, place) => ({
    ...line,
    fingerprint: now[place] ?? '',
    formerFingerprint: former[place] ?? '',
  }));
}

/** The first and the last day on which statements may have these movements. */
export function daysTaken(lines: readonly StatementLine[]): { readonly from: string; readonly to: string } {
  const days = lines.flatMap(({ date, formerly }) => [date, formerly?.date ?? date]).toSorted();
  return { from: days[0] ?? '', to: days.at(-1) ?? '' };
}

function fingerprintsOf(lines: readonly StatementLine[]): readonly string[] {
  const seen = new Map<string, number>();
  return lines.map(({ date, amount, balance, bankRef, counterparty, summary }) => {
    const amounts = [amount, balance ?? ''].map((each) => (each === '' ? '' : roundDecimal(each, 2)));
    const key = JSON.stringify([date, ...amounts, bankRef, counterparty, summary]);
    const count = (seen.get(key) ?? 0) + 1;
    seen.set(key, count);
    return createHash('sha256').update(`${key}${count}`).digest('hex').slice(0, 40);
  });
}
