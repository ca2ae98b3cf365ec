import type { ErpRecord, Field } from '#engine/schema/resource.ts';
import { isPlainDecimal, sumDecimals } from '#engine/values/decimal.ts';
import { shownNumber } from '#engine/values/shown-number.ts';
import { currencyOf } from './field-text.ts';

/** One total: what stands in its cell, and every currency of it. */
export interface TotalText {
  readonly text: string;
  readonly whole: string;
}

/** What a column of lines comes to, each currency for itself: dollars and euros make no sum. */
export function columnTotal(
  column: Field,
  lines: readonly ErpRecord[],
  parent: ErpRecord | undefined,
): TotalText {
  const amounts = new Map<string, string[]>();
  for (const line of lines) {
    const value = String(line[column.name] ?? '');
    if (!isPlainDecimal(value)) continue;
    const currency = currencyOf(column, line, parent) ?? '';
    const known = amounts.get(currency);
    if (known === undefined) amounts.set(currency, [value]);
    else known.push(value);
  }
  if (amounts.size === 0) amounts.set(currencyOf(column, lines[0] ?? {}, parent) ?? '', []);
  return totalText(
    Object.fromEntries([...amounts].map(([currency, list]) => [currency, sumDecimals(list)])),
    column,
  );
}

/** A total by currency, or one number: an amount, or of several currencies the first and how many there are. */
export function totalText(total: unknown, field: Field): TotalText {
  const texts = amountsOf(total).map(([currency, amount]) =>
    currency === '' ? shownNumber(amount, field) : `${shownNumber(amount, field, currency)} ${currency}`,
  );
  const [first = '', ...others] = texts;
  return { text: others.length === 0 ? first : `${first} 等${texts.length}币种`, whole: texts.join('\n') };
}

/** The amounts by currency, US dollars first. */
function amountsOf(total: unknown): readonly (readonly [string, string])[] {
  if (typeof total === 'string' || typeof total === 'number') return [['', String(total)]];
  if (typeof total !== 'object' || total === null) return [];
  return Object.entries(total)
    .map(([currency, amount]) => [currency, String(amount)] as const)
    .toSorted(([a], [b]) => Number(b === 'USD') - Number(a === 'USD'));
}
