import type { ErpRecord, Field } from '#engine/schema/resource.ts';
import { currencyOf, scalarText } from './field-text.ts';

/** Where the currency of a column stands: in its head, or in each of its cells. */
export interface TableUnits {
  readonly heads: ReadonlyMap<string, string>;
  readonly cells: ReadonlySet<string>;
}

/**
 * How a table of lines tells what its amounts are in. One currency for all of them is told by the totals; of several each
 * column tells its own in its head, or in every cell where its lines differ.
 */
export function tableUnits(
  columns: readonly Field[],
  lines: readonly ErpRecord[],
  parent: ErpRecord | undefined,
): TableUnits {
  const found = columns.flatMap((column) => {
    const amounts = lines.filter((line) => scalarText(line[column.name]) !== '');
    const own = new Set(amounts.flatMap((line) => currencyOf(column, line, parent) ?? []));
    return own.size === 0 ? [] : [{ name: column.name, own: [...own] }];
  });
  const isMixed = new Set(found.flatMap(({ own }) => own)).size > 1;
  const told = isMixed ? found : [];
  const single = told.filter(({ own }) => own.length === 1);
  return {
    heads: new Map(single.flatMap(({ name, own }) => own.map((unit) => [name, unit] as const))),
    cells: new Set(told.filter(({ own }) => own.length > 1).map(({ name }) => name)),
  };
}
