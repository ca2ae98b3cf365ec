import { hasSqlForm } from '../filter/unstored-sql.ts';
import type { FieldDefinition } from './definition.ts';
import { type PathPlace, resolveFieldPath } from './field-path.ts';
import { filterReads } from './filter-reads.ts';
import { headPath } from './formula-order.ts';
import { formulaReads } from './formula-reads.ts';
import type { ResourceLint } from './lint-context.ts';
import type { Field } from './resource.ts';
import type { JsonPath } from './source-file.ts';

/** Checks a formula that is worked out when it is read: what needs a column cannot use it. */
export function lintUnstored(context: ResourceLint, path: JsonPath, field: FieldDefinition): void {
  if (field.stored !== false) return;
  const here = [...path, 'stored'];
  if (field.formula === undefined) context.report(here, '"stored" 只用于公式', 'key');
  if (field.until !== undefined) context.report(here, '"stored": false 与 "until" 不能同时使用', 'key');
}

/** Checks where a resource uses formulas that are not stored, its own and those of what it refers to. */
export function lintUnstoredUses(context: ResourceLint): void {
  const { definition, resource } = context;
  const refuse = (path: JsonPath, name: string, why: string): void =>
    context.report(path, `"${name}" 不保存，不能用于${why}`);
  const unstored = (name: string): boolean => isUnstored(context, name);
  if (unstored(definition.label)) refuse(['label'], definition.label, '标签');
  for (const [index, { each, when, assert }] of (definition.limits ?? []).entries())
    for (const filter of [when, assert]) {
      const { fields, values } = filterReads(filter);
      for (const name of [...fields, ...values])
        if (unstored(headPath(name, each))) refuse(['limits', index], name, '限额');
    }
  for (const [row, { fields }] of (definition.unique ?? []).entries())
    for (const [at, name] of fields.entries())
      if (unstored(name)) refuse(['unique', row, 'fields', at], name, '唯一约束');
  for (const [row, names] of (definition.indexes ?? []).entries())
    for (const [at, name] of names.entries())
      if (unstored(name.replace(/^-/, ''))) refuse(['indexes', row, at], name, '索引');
  for (const [row, { fields, ranges }] of (definition.exclude ?? []).entries())
    for (const name of [...fields, ...ranges.flat()])
      if (unstored(name)) refuse(['exclude', row], name, '期间约束');
  lintList(context);
  for (const path of resource.paths)
    if (!isOwn(context, path) && unstored(path)) refuse(placeOf(context, path), path, '经引用取值');
}

/** Checks that a figure of other records is over columns. */
export function lintUnstoredSource(
  context: ResourceLint,
  path: JsonPath,
  name: string,
  place: PathPlace,
): void {
  const resolved = resolveFieldPath(place, name);
  if (resolved.kind === 'field' && resolved.field.stored === false)
    context.report(path, `"${name}" 不保存，不能用于汇总`);
}

/** A list shows, filters and sorts by what the database can say; it groups and sums up columns only. */
function lintList(context: ResourceLint): void {
  const { list } = context.definition;
  const group = list?.group;
  if (group !== undefined && isUnstored(context, group))
    context.report(['list', 'group'], `"${group}" 不保存，不能用于分组`);
  const check = (path: JsonPath, name: string): void => {
    if (!canBeAsked(context, name)) context.report(path, `"${name}" 的公式不能用于查询，不能用于列表`);
  };
  for (const [index, column] of (list?.columns ?? []).entries()) {
    const name = typeof column === 'string' ? column : column.field;
    check(['list', 'columns', index], name);
    if (typeof column !== 'string' && column.total === true && isUnstored(context, name))
      context.report(['list', 'columns', index, 'total'], `"${name}" 不保存，不能合计`);
  }
  for (const [index, name] of (list?.filters ?? []).entries()) check(['list', 'filters', index], name);
  for (const [index, name] of (list?.sort ?? []).entries())
    check(['list', 'sort', index], name.replace(/^-/, ''));
  for (const [index, { rows }] of (context.definition.access ?? []).entries())
    if (typeof rows === 'object')
      for (const name of filterReads(rows).fields) check(['access', index, 'rows'], name);
}

function isUnstored(context: ResourceLint, name: string): boolean {
  const resolved = resolveFieldPath(context.place(), name);
  return resolved.kind === 'field' && resolved.field.stored === false;
}

/** False for an own formula that is not stored and has no SQL form. */
function canBeAsked({ resource, catalog }: ResourceLint, name: string): boolean {
  const [head = '', column] = name.split('.');
  const own = resource.fields[head];
  const lines = own?.type === 'lines' ? head : undefined;
  const field: Field | undefined = lines === undefined ? own : own?.fields?.[column ?? ''];
  return field?.stored !== false || hasSqlForm(field, { resource, catalog, lines });
}

function isOwn({ resource }: ResourceLint, path: string): boolean {
  const [head = '', column, further] = path.split('.');
  return column === undefined || (resource.fields[head]?.type === 'lines' && further === undefined);
}

/** Where a formula reads a path; else the fields as a whole. */
function placeOf({ definition }: ResourceLint, path: string): JsonPath {
  const reads = (field: FieldDefinition, lines?: string): boolean =>
    field.formula !== undefined && formulaReads(field.formula).some((read) => headPath(read, lines) === path);
  for (const [name, field] of Object.entries(definition.fields)) {
    if (reads(field)) return ['fields', name, 'formula'];
    for (const [column, cell] of Object.entries(field.fields ?? {}))
      if (reads(cell, name)) return ['fields', name, 'fields', column, 'formula'];
  }
  return ['fields'];
}
