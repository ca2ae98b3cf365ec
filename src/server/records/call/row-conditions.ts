import { rowsFor } from '#engine/access/resource-access.ts';
import type { RowAccess } from '#engine/access/row-scope.ts';
import { filterToSql } from '#engine/filter/filter-to-sql.ts';
import { type Call, isSystemCall } from './open-call.ts';
import { bind } from './statement.ts';
import { isStored } from './table-source.ts';
import { writtenOnce } from './written-once.ts';

/** Where a condition is written: the alias of the table and the values that the statement collects. */
export interface ConditionPlace {
  readonly alias: string;
  readonly values: unknown[];
}

/**
 * The rows a call may see or (for an operation) touch, as SQL: not deleted, of the session's company unless super
 * permission opens all, and within the role's rows.
 */
export function rowConditions(call: Call, place: ConditionPlace, operation?: string): readonly string[] {
  if (isSystemCall(call)) return conditionsOf(call, place, operation);
  const { access, caller, resource } = call;
  const key = `rows ${resource.resource} ${place.alias} ${operation ?? ''}`;
  const sql = writtenOnce({ access, context: caller.context }, { key, values: place.values }, (context) =>
    conditionsOf({ ...call, caller: { ...caller, context } }, place, operation).join(' and '),
  );
  return sql === '' ? [] : [sql];
}

/**
 * The rows that a figure of another record is made of, as SQL: not deleted and of the companies that the call may see,
 * whoever they belong to. None for a role that has no rows at all.
 */
export function companyConditions(call: Call, place: ConditionPlace): readonly string[] {
  const { access } = call;
  return [...wallsOf(call, place, access), ...(access.rows === null ? ['false'] : [])];
}

function wallsOf(
  { resource, caller }: Call,
  { alias, values }: ConditionPlace,
  { companies }: Pick<RowAccess, 'companies'>,
): readonly string[] {
  const isWalled = resource.scope === 'company' && companies === 'own';
  return [
    ...(isWalled ? [`${alias}.co_code = ${bind(values, caller.subject.co_code)}`] : []),
    ...(isStored(resource) ? [`${alias}.is_deleted = false`] : []),
  ];
}

function conditionsOf(call: Call, place: ConditionPlace, operation?: string): readonly string[] {
  const { resource, access, catalog, caller } = call;
  const { alias, values } = place;
  const open = operation === undefined ? access : rowsFor(access, operation);
  const conditions = [...wallsOf(call, place, open)];
  if (open.rows === null) return [...conditions, 'false'];
  if (Object.keys(open.rows).length > 0) {
    const env = { resource, catalog, alias, context: caller.context, values };
    conditions.push(`(${filterToSql(open.rows, env)})`);
  }
  return conditions;
}

/** The lines a call may see, as SQL within the lines' table; empty when all. */
export function lineConditions(
  call: Call,
  lines: string,
  place: ConditionPlace & { readonly parentAlias: string },
): readonly string[] {
  const filter = call.access.lines[lines];
  if (filter === undefined) return [];
  const { resource, catalog, caller } = call;
  return [`(${filterToSql(filter, { resource, catalog, context: caller.context, lines, ...place })})`];
}
