import type { Field } from '#engine/schema/resource.ts';
import { addDecimals, isPlainDecimal } from '#engine/values/decimal.ts';
import { fieldText } from '#web/fields/field-text.ts';
import type { PickedLine } from './pick-dialog.tsx';

interface PickSumProps {
  readonly lines: readonly PickedLine[];
  readonly columns: readonly Field[];
  readonly totals: ReadonlySet<string>;
}

/** How many lines are marked, and what they come to. */
export function PickSum({ lines, columns, totals }: PickSumProps) {
  const documents = new Set(lines.map(({ source }) => source.id)).size;
  const sums = columns
    .filter(({ name }) => totals.has(name) || name === 'quantity')
    .map((column) => ({ column, sum: sumOf(lines, column.name) }))
    .filter(({ sum }) => sum !== null);
  return (
    <span className="pick-sum" role="status">
      {lines.length === 0 ? '还没有勾选' : `已选 ${lines.length} 行，来自 ${documents} 张单据`}
      {sums.map(({ column, sum }) => (
        <span key={column.name}>
          {column.title} {fieldText(column, sum)}
        </span>
      ))}
    </span>
  );
}

function sumOf(lines: readonly PickedLine[], column: string): string | null {
  const values = lines.map(({ line }) => line[column]).filter((value) => isPlainDecimal(value));
  return values.length === 0 ? null : values.reduce((sum, value) => addDecimals(sum, value), '0');
}
