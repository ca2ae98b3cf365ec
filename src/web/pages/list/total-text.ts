import type { Field } from '#engine/schema/resource.ts';
import { shownNumber } from '#engine/values/shown-number.ts';

/** One total: what stands in its cell, and every currency of it. */
export interface TotalText {
  readonly text: string;
  readonly whole: string;
}

/** The totals line: an amount, or of several currencies the first and how many more there are; all of them on hover. */
export function totalTexts(
  totals: Readonly<Record<string, unknown>>,
  fields: Readonly<Record<string, Field>>,
): Readonly<Record<string, TotalText>> {
  return Object.fromEntries(
    Object.entries(totals).flatMap(([name, total]) => {
      const field = fields[name];
      return field === undefined ? [] : [[name, totalText(total, field)]];
    }),
  );
}

/** What the totals count: all rows of the list, those of the conditions, or, above the count's end, more than that. */
export function totalsOf(
  list: { readonly total: number; readonly isTotalCapped: boolean },
  isFiltered: boolean,
): string {
  const count = list.isTotalCapped ? '10,000+' : list.total.toLocaleString('en-US');
  return `合计（${isFiltered ? '符合条件的' : '全部'} ${count} 条）`;
}

function totalText(total: unknown, field: Field): TotalText {
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
