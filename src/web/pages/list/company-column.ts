import type { ColumnDefinition } from '#engine/schema/layout-definition.ts';
import type { Resource } from '#engine/schema/resource.ts';
import { columnName } from '../table/list-column.ts';

const COMPANY = 'co_code';

/**
 * The columns of a list for who sees the rows of all companies: whose row it is stands behind what it is called, where
 * neither a column nor a number of the company says so. The same setting of eight companies is not the same row eight times.
 */
export function withCompany(
  { fields, number }: Pick<Resource, 'fields' | 'number'>,
  defined: readonly ColumnDefinition[],
): readonly ColumnDefinition[] {
  const isTold = number !== undefined || defined.some((column) => columnName(column) === COMPANY);
  if (isTold || fields[COMPANY] === undefined) return defined;
  return [...defined.slice(0, 1), COMPANY, ...defined.slice(1)];
}
