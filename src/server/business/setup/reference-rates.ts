import { divideDecimals, roundDecimal } from '#engine/values/decimal.ts';
import type { Derivation, ImportEntry } from './reference-mapping.ts';

type Values = Readonly<Record<string, unknown>>;

const RATE_SCALE = 6;

/** The rates that follow from those read: book rates of each month, rates into dollars, and the last ones carried on to today. */
export function derivedRates(entry: ImportEntry, read: readonly Values[], today: string): readonly Values[] {
  const made = (entry.derive ?? []).flatMap((rule) => derive(rule, read));
  const { extend_last: extension } = entry;
  if (extension === undefined) return made;
  const carried = extension.kinds.flatMap((kind) =>
    carryOn(
      made.filter((row) => row['kind'] === kind),
      { source: extension.source, today },
    ),
  );
  return [...made, ...carried];
}

function derive(rule: Derivation, read: readonly Values[]): readonly Values[] {
  const from = read.filter((row) => row['kind'] === rule.from);
  if (rule.each === 'month') return firstOfMonths(from).map((row) => ({ ...row, kind: rule.kind }));
  if (rule.divide_by === undefined) return [];
  const divisors = new Map<unknown, string>();
  for (const row of from)
    if (row['currency'] === rule.divide_by) divisors.set(row['date'], String(row['rate']));
  const own = from.filter(
    ({ currency }) => rule.currencies === undefined || rule.currencies.includes(String(currency)),
  );
  // The yuan has no rate of its own: it is 1 on every day that the divisor is known.
  const yuan: readonly Values[] =
    rule.currencies?.includes('CNY') === true
      ? from
          .filter((row) => row['currency'] === rule.divide_by)
          .map((row) => ({ ...row, currency: 'CNY', rate: '1', currency_id: undefined }))
      : [];
  return [...own, ...yuan].flatMap((row) => {
    const divisor = divisors.get(row['date']);
    const rate = divisor === undefined ? null : divideDecimals(String(row['rate']), divisor);
    return rate === null ? [] : [{ ...row, kind: rule.kind, rate: roundDecimal(rate, RATE_SCALE) }];
  });
}

/** The first rate of each currency and month, dated the first of the month. */
function firstOfMonths(rows: readonly Values[]): readonly Values[] {
  const first = new Map<string, Values>();
  for (const row of rows) {
    const key = `${String(row['currency'])}|${monthOf(row)}`;
    const known = first.get(key);
    if (known === undefined || String(row['date']) < String(known['date'])) first.set(key, row);
  }
  return [...first.values()].map((row) => ({ ...row, date: `${monthOf(row)}-01` }));
}

/** The newest rate of each currency once more on the first of every month since. */
function carryOn(
  rows: readonly Values[],
  { source, today }: { readonly source: string; readonly today: string },
): readonly Values[] {
  const newest = new Map<unknown, Values>();
  for (const row of rows) {
    const known = newest.get(row['currency']);
    if (known === undefined || String(row['date']) > String(known['date'])) newest.set(row['currency'], row);
  }
  return [...newest.values()].flatMap((row) => {
    const carried: Values[] = [];
    for (let month = nextMonth(monthOf(row)); month <= today.slice(0, 7); month = nextMonth(month))
      carried.push({ ...row, date: `${month}-01`, source });
    return carried;
  });
}

function monthOf(row: Values): string {
  return String(row['date']).slice(0, 7);
}

function nextMonth(month: string): string {
  const [year = 0, no = 0] = month.split('-').map(Number);
  return no === 12 ? `${year + 1}-01` : `${year}-${String(no + 1).padStart(2, '0')}`;
}
