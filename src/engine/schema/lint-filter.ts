import { checkFilter } from '../filter/check-filter.ts';
import { SUBJECT_KEYS } from '../filter/subject-values.ts';
import { typePath, type TypeScope } from '../expression/type-scope.ts';
import { comparisonFault, UNKNOWN, valuesFault, type ValueType } from '../expression/value-type.ts';
import { FILTER_OPERATORS, type Filter, type FilterValue } from './definition.ts';
import type { PathPlace } from './field-path.ts';
import type { LintContext } from './lint-context.ts';
import type { JsonPath } from './source-file.ts';
import { suggestion } from './suggest-name.ts';

/** Where a filter stands: what its keys speak of, and the record that `{ "$": "record.x" }` means (null: none, as in access rows). */
export interface FilterLint {
  readonly place: PathPlace;
  readonly record: PathPlace | null;
  /** What `source.x` means in a filter over other records: the record that declares it. */
  readonly source?: PathPlace | undefined;
  /** The inputs of the action by name; null where they are not known, absent where there is none. */
  readonly inputs?: TypeScope['inputs'];
  /** Further names of formulas with their types. */
  readonly given?: TypeScope['given'];
}

const OPERATORS: ReadonlySet<string> = new Set(FILTER_OPERATORS);
const LIST_OPERATORS: ReadonlySet<string> = new Set(['in', 'nin', 'hasAny']);

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

/**
 * Checks a value that may come from the surroundings or a formula, and gives its type: null for a list of several, each
 * of which was checked against `fits`.
 */
export function lintValue(
  context: LintContext,
  path: JsonPath,
  value: FilterValue | undefined,
  where: FilterLint,
): ValueType {
  if (typeof value !== 'object' || value === null) return UNKNOWN;
  if (isValueList(value)) {
    for (const [index, item] of value.entries()) lintValue(context, [...path, index], item, where);
    return UNKNOWN;
  }
  const keys = Object.keys(value);
  if (keys.length !== 1 || (keys[0] !== '$' && keys[0] !== '=')) {
    context.report(path, '值应为文本、数字、列表、{ "$": ... } 或 { "=": 公式 }');
    return UNKNOWN;
  }
  if ('$' in value) return lintSource(context, [...path, '$'], value.$, where);
  if (typeof value['='] !== 'string') return UNKNOWN;
  return context.formula([...path, '='], value['='], formulaScope(context, where));
}

function formulaScope(context: LintContext, { place, record, source, inputs, given }: FilterLint): TypeScope {
  return context.typeScope(record ?? place, { source, inputs: inputs ?? null, given });
}

function lintConditions(context: LintContext, path: JsonPath, filter: Filter, where: FilterLint): void {
  for (const [key, part] of Object.entries(filter)) {
    const here = [...path, key];
    const before = context.faults.length;
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
      const type = lintValue(context, [...here, operator], value, where);
      if (context.faults.length > before) continue;
      const fault = comparisonOf(keyType(context, key, where), operator, { value, type });
      if (fault !== null) context.report([...here, operator], fault);
    }
  }
}

/** The type of what a comparison speaks of; unknown for what was reported. */
function keyType(context: LintContext, key: string, where: FilterLint): ValueType {
  const { inputs, given } = where;
  const found = typePath(key, context.typeScope(where.place, { inputs: inputs ?? null, given }));
  const type = 'type' in found ? found.type : UNKNOWN;
  // A condition on lines speaks of any of them.
  return type.kind === 'list' ? type.of : type;
}

/** Why a value cannot be what a key is compared with; the shape of literals is `checkFilter`'s. */
function comparisonOf(
  key: ValueType,
  operator: string,
  { value, type }: { readonly value: FilterValue | undefined; readonly type: ValueType },
): string | null {
  if (operator === 'null') return null;
  if (operator === 'contains' || operator === 'startswith') return null;
  if (typeof value === 'object' && value !== null && !isValueList(value)) {
    const isList = LIST_OPERATORS.has(operator);
    if (type.kind === 'list' && !isList && operator !== 'under')
      return '一列值应与 in、nin 或 hasAny 一起使用';
    const one = type.kind === 'list' ? type.of : type;
    // Among instants a day stands for all of it.
    return key.kind === 'datetime' && one.kind === 'date' ? null : comparisonFault(key, one);
  }
  if (key.kind !== 'dictionary') return null;
  for (const item of isValueList(value ?? null) ? (value as readonly FilterValue[]) : [value]) {
    const fault = literalFault(key, item);
    if (fault !== null) return fault;
  }
  return null;
}

/** Groups of states and values stand with an @ in their place; they are checked where they are spelt out. */
function literalFault(
  key: ValueType & { readonly kind: 'dictionary' },
  value: FilterValue | undefined,
): string | null {
  if (typeof value !== 'string' || value === '' || value.startsWith('@')) return null;
  return valuesFault({ kind: 'dictionary', title: '', values: [value] }, key);
}

function lintKey(
  context: LintContext,
  path: JsonPath,
  { key, where }: { readonly key: string; readonly where: FilterLint },
): void {
  if (!key.startsWith('input.')) context.field(path, key, where.place, 'key');
  else if (isKnown(where.inputs))
    context.name(path, '的输入', key.slice('input.'.length), new Set(Object.keys(where.inputs)));
}

function isKnown(inputs: FilterLint['inputs']): inputs is NonNullable<FilterLint['inputs']> {
  return inputs !== undefined && inputs !== null;
}

/** The steps of a fault's path inside a filter, whose keys may hold dots themselves. */
function stepsOf(filter: unknown, path: string): JsonPath {
  if (path === '' || typeof filter !== 'object' || filter === null) return [];
  const key = Object.keys(filter).find((name) => path === name || path.startsWith(`${name}.`));
  if (key === undefined) return [];
  const step = Array.isArray(filter) ? Number(key) : key;
  return [step, ...stepsOf(Reflect.get(filter, key), path.slice(key.length + 1))];
}

function lintSource(context: LintContext, path: JsonPath, source: string, where: FilterLint): ValueType {
  const scope = formulaScope(context, where);
  if (source === 'today' || source === 'now') return typeOf(source, scope);
  if (source.startsWith('param.')) {
    const { params } = context.known.formulas;
    const name = source.slice('param.'.length);
    if (params !== undefined) context.name(path, '参数', name, new Set(params.keys()));
    return params?.get(name) ?? UNKNOWN;
  }
  if (source.startsWith('user.')) {
    context.name(path, '的人员属性', source.slice('user.'.length), SUBJECT_KEYS);
    return typeOf(source, scope);
  }
  if (source.startsWith('input.')) {
    const name = source.slice('input.'.length).split('.')[0] ?? '';
    if (isKnown(where.inputs)) context.name(path, '的输入', name, new Set(Object.keys(where.inputs)));
    return typeOf(source, scope);
  }
  if (/^(record|parent|source|above|before|company)\./.test(source)) {
    if (where.record === null && where.source === undefined) {
      context.report(path, `此处没有单据，不能用 "${source}"`);
      return UNKNOWN;
    }
    const found = typePath(source, scope);
    if ('type' in found) return found.type;
    context.report(path, found.fault);
    return UNKNOWN;
  }
  context.report(
    path,
    `未知的取值 "${source}"，应以 user.、record.、parent.、source.、above.、before.、input.、company.、param. 开头，或为 today、now`,
  );
  return UNKNOWN;
}

function typeOf(path: string, scope: TypeScope): ValueType {
  const found = typePath(path, scope);
  return 'type' in found ? found.type : UNKNOWN;
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
