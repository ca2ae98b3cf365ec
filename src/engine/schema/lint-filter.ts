import { checkFilter } from '../filter/check-filter.ts';
import { SUBJECT_KEYS } from '../filter/subject-values.ts';
import { FILTER_OPERATORS, type Filter, type FilterValue } from './definition.ts';
import type { PathPlace } from './field-path.ts';
import type { LintContext } from './lint-context.ts';
import type { JsonPath } from './source-file.ts';
import { suggestion } from './suggest-name.ts';

/** Where a filter stands: what its keys speak of, and the record that `{ "$": "record.x" }` means (null: none, as in access rows). */
export interface FilterLint {
  readonly place: PathPlace;
  readonly record: PathPlace | null;
  readonly inputs?: readonly string[] | undefined;
}

const OPERATORS: ReadonlySet<string> = new Set(FILTER_OPERATORS);

/** Checks a filter: its fields, operators and values, each with its place. */
export function lintFilter(
  context: LintContext,
  path: JsonPath,
  filter: Filter | undefined,
  where: FilterLint,
): void {
  if (filter === undefined) return;
  const before = context.faults.length;
  lintConditions(context, path, filter, where);
  if (context.faults.length > before) return;
  for (const fault of checkFilter(filter, filterPlace(where)))
    context.report([...path, ...stepsOf(filter, fault.path)], fault.message);
}

/** Checks a value that may come from the surroundings. */
export function lintValue(
  context: LintContext,
  path: JsonPath,
  value: FilterValue | undefined,
  where: FilterLint,
): void {
  if (typeof value !== 'object' || value === null) return;
  if (isValueList(value)) {
    for (const [index, item] of value.entries()) lintValue(context, [...path, index], item, where);
    return;
  }
  const keys = Object.keys(value);
  if (keys.length !== 1 || (keys[0] !== '$' && keys[0] !== '=')) {
    context.report(path, '值应为文本、数字、列表、{ "$": ... } 或 { "=": 公式 }');
    return;
  }
  if ('$' in value) lintSource(context, [...path, '$'], value.$, where);
  else if (typeof value['='] === 'string' && where.record !== null)
    context.formula([...path, '='], value['='], where.record, ['input.', 'user.']);
}

function lintConditions(context: LintContext, path: JsonPath, filter: Filter, where: FilterLint): void {
  for (const [key, part] of Object.entries(filter)) {
    const here = [...path, key];
    if (key === 'and' || key === 'or') {
      if (!isFilterList(part)) context.report(here, `"${key}" 应为条件的列表`);
      else
        for (const [index, inner] of part.entries()) lintConditions(context, [...here, index], inner, where);
      continue;
    }
    lintKey(context, here, { key, where });
    if (part === undefined || isFilterList(part) || typeof part !== 'object') {
      context.report(here, `条件应写为 { "${key}": { "运算": 值 } }`);
      continue;
    }
    for (const [operator, value] of Object.entries(part)) {
      if (!OPERATORS.has(operator))
        context.report(
          [...here, operator],
          `未知运算 "${operator}"${suggestion(operator, OPERATORS)}`,
          'key',
        );
      lintValue(context, [...here, operator], value, where);
    }
  }
}

function lintKey(
  context: LintContext,
  path: JsonPath,
  { key, where }: { readonly key: string; readonly where: FilterLint },
): void {
  if (!key.startsWith('input.')) context.field(path, key, where.place, 'key');
  else if (where.inputs !== undefined)
    context.name(path, '的输入', key.slice('input.'.length), new Set(where.inputs));
}

/** The steps of a fault's path inside a filter, whose keys may hold dots themselves. */
function stepsOf(filter: unknown, path: string): JsonPath {
  if (path === '' || typeof filter !== 'object' || filter === null) return [];
  const key = Object.keys(filter).find((name) => path === name || path.startsWith(`${name}.`));
  if (key === undefined) return [];
  const step = Array.isArray(filter) ? Number(key) : key;
  return [step, ...stepsOf(Reflect.get(filter, key), path.slice(key.length + 1))];
}

function lintSource(context: LintContext, path: JsonPath, source: string, where: FilterLint): void {
  if (source === 'today' || source === 'now' || source.startsWith('param.')) return;
  if (source.startsWith('user.')) {
    context.name(path, '的人员属性', source.slice('user.'.length), SUBJECT_KEYS);
    return;
  }
  if (source.startsWith('input.')) {
    const name = source.slice('input.'.length).split('.')[0] ?? '';
    if (where.inputs !== undefined) context.name(path, '的输入', name, new Set(where.inputs));
    return;
  }
  if (source.startsWith('record.') || source.startsWith('parent.')) {
    if (where.record === null) context.report(path, `此处没有单据，不能用 "${source}"`);
    else context.field(path, source, where.record);
    return;
  }
  context.report(
    path,
    `未知的取值 "${source}"，应以 user.、record.、parent.、input.、param. 开头，或为 today、now`,
  );
}

function filterPlace(where: FilterLint): Parameters<typeof checkFilter>[1] {
  const { resource, catalog, lines } = where.place;
  return {
    resource,
    catalog: { dictionaries: {}, roles: {}, menu: [], ...catalog },
    ...(lines === undefined ? {} : { lines }),
  };
}

function isFilterList(part: unknown): part is readonly Filter[] {
  return Array.isArray(part);
}

function isValueList(value: FilterValue): value is readonly FilterValue[] {
  return Array.isArray(value);
}
