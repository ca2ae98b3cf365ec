import type { Field } from '#engine/schema/resource.ts';
import { type TotalText, totalText } from '#web/fields/column-total.ts';

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
