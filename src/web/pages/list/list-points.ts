import type { ListChartDefinition } from '#engine/schema/layout-definition.ts';
import type { ErpRecord, Resource } from '#engine/schema/resource.ts';
import { isPlainDecimal, sumDecimals } from '#engine/values/decimal.ts';
import { labelsOf } from '#web/fields/field-text.ts';
import type { ChartPoints } from '../report/chart-points.ts';

/** So many values of the axis are drawn. */
const MOST_POINTS = 16;

/** The sums of a list's rows, which come with the last value of the axis first; drawn from left to right. */
export function listPoints(
  resource: Resource,
  { by, amounts, per }: ListChartDefinition,
  { rows, isCut }: { readonly rows: readonly ErpRecord[]; readonly isCut: boolean },
): ChartPoints {
  const values = [...new Set(rows.map((row) => row[by]).filter((value) => value !== null))];
  // Of the earliest value not all rows may be there.
  const whole = isCut && values.length > 1 ? values.slice(0, -1) : values;
  const shown = whole.slice(0, MOST_POINTS).toReversed();
  const parts = per === undefined ? [null] : partsOf(rows, per);
  return {
    names: shown.map((value) => nameOf(rows, by, value)),
    series: parts.flatMap((part) =>
      amounts.map((amount) => ({
        title: `${part?.label ?? ''}${resource.fields[amount]?.title ?? amount}`,
        isShare: false,
        values: shown.map((value) =>
          sumOf(
            rows.filter((row) => row[by] === value && (part === null || row[per ?? ''] === part.value)),
            amount,
          ),
        ),
      })),
    ),
  };
}

function partsOf(
  rows: readonly ErpRecord[],
  per: string,
): readonly { readonly value: unknown; readonly label: string }[] {
  return [...new Set(rows.map((row) => row[per]))]
    .toSorted((a, b) => (String(a) < String(b) ? -1 : 1))
    .map((value) => ({ value, label: nameOf(rows, per, value) }));
}

function nameOf(rows: readonly ErpRecord[], name: string, value: unknown): string {
  const row = rows.find((one) => one[name] === value);
  const label = row === undefined ? undefined : labelsOf(row)[name];
  return typeof label === 'string' ? label : String(value);
}

/** Drawing needs no cents. */
function sumOf(rows: readonly ErpRecord[], name: string): number | null {
  const figures = rows.map((row) => row[name]).filter(isPlainDecimal);
  return figures.length === 0 ? null : Number(sumDecimals(figures));
}
