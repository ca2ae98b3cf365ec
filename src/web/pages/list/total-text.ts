import type { FilterPlace } from '#engine/filter/check-filter.ts';
import { describeFilter } from '#engine/filter/describe-filter.ts';
import { totalColumns, uncountedStates } from '#engine/schema/list-totals.ts';
import type { Resource } from '#engine/schema/resource.ts';
import { type TotalText, totalText } from '#web/fields/column-total.ts';

/**
 * The totals line: an amount, or of several currencies the first and how many more there are; on hover all of them, and
 * which records they count.
 */
export function totalTexts(
  totals: Readonly<Record<string, unknown>>,
  place: FilterPlace,
): Readonly<Record<string, TotalText>> {
  const columns = new Map(totalColumns(place.resource).map((column) => [column.field, column]));
  return Object.fromEntries(
    Object.entries(totals).flatMap(([name, total]) => {
      const field = place.resource.fields[name];
      if (field === undefined) return [];
      const { text, whole } = totalText(total, field);
      const where = columns.get(name)?.where ?? null;
      const told = where === null ? '' : `\n只计${describeFilter(where, place)}`;
      return [[name, { text, whole: `${whole}${told}` }]];
    }),
  );
}

/**
 * What the totals count: all rows of the list, those of the conditions, or, above the count's end, more than that; and
 * what is listed but not counted.
 */
export function totalsOf(
  list: { readonly total: number; readonly isTotalCapped: boolean },
  isFiltered: boolean,
  resource: Resource,
): string {
  const count = list.isTotalCapped ? '10,000+' : list.total.toLocaleString('en-US');
  const left = uncountedStates(resource);
  const but = left.length === 0 ? '' : `，不计${left.join('、')}`;
  return `合计（${isFiltered ? '符合条件的' : '全部'} ${count} 条${but}）`;
}
