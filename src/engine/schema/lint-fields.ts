import type { FieldDefinition } from './definition.ts';
import { hasColumn, parseField } from '../fields/field-types.ts';
import { SCOPE_NAMES } from '../filter/scope.ts';
import { compareDecimals, isPlainDecimal } from '../values/decimal.ts';
import { compilePattern } from '../values/linear-pattern.ts';
import { valueFault } from '../filter/value-fault.ts';
import { typeOfField } from '../expression/type-scope.ts';
import { assignmentFault, valuesFault, type ValueType } from '../expression/value-type.ts';
import { expandField } from './expand-resource.ts';
import { targetPlace } from './field-path.ts';
import { orderFormulas } from './formula-order.ts';
import { KEY_TYPES } from './key-types.ts';
import type { ResourceLint } from './lint-context.ts';
import { lintFilter, lintValue } from './lint-filter.ts';
import { lintRollup } from './lint-rollup.ts';
import { lintAgain, lintFind, lintUntil } from './lint-taken.ts';
import type { JsonPath } from './source-file.ts';
import type { Field } from './resource.ts';
import { lintCaption, lintOpens, lintRecalls } from './lint-line-columns.ts';
import { lintFollows, lintFormer } from './lint-follows-lines.ts';
import { lintUnique } from './lint-unique.ts';
import { lintUnstored, lintUnstoredUses } from './lint-unstored.ts';
import { STORAGE_COLUMNS } from './standard-fields.ts';
import { suggestion } from './suggest-name.ts';
import { lintNumber } from './lint-numbers.ts';

const MAX_TABLE_NAME = 63;
const RESERVED = new Set([
  'and',
  'or',
  'record',
  'parent',
  'user',
  'input',
  'today',
  'now',
  'true',
  'false',
  'null',
]);
const LINE_RESERVED = new Set(['id', 'line_order', 'parent_id', 'co_code']);

/** Checks fields, formulas, rollups, numbers, unique constraints and indexes of one resource. */
export function lintFields(context: ResourceLint): void {
  const { definition } = context;
  for (const [name, field] of Object.entries(definition.fields)) {
    lintIdentifier(context, ['fields', name], name, undefined);
    lintField(context, ['fields', name], field, undefined);
    if (field.type === 'lines') lintLines(context, name, field);
  }
  for (const cycle of orderFormulas(definition.fields).cycles)
    context.report(computedPath(context, cycle[0] ?? ''), `公式循环引用：${cycle.join(' → ')}`);
  lintUnique(context, ['unique'], definition.unique, undefined);
  for (const [row, index] of (definition.indexes ?? []).entries())
    for (const [column, name] of index.entries())
      lintIndexed(context, ['indexes', row, column], name.replace(/^-/, ''));
  lintNumber(context);
  lintUnstoredUses(context);
}

function lintIndexed(context: ResourceLint, path: JsonPath, name: string): void {
  const field = context.field(path, name, context.place());
  if (field !== null && (name.includes('.') || !hasColumn(field)))
    context.report(path, `"${name}" 不是本表的列，不能建索引`);
}

/** Checks one field: also used for the inputs of actions. */
export function lintField(
  context: ResourceLint,
  path: JsonPath,
  field: FieldDefinition,
  lines: string | undefined,
): void {
  for (const [key, types] of Object.entries(KEY_TYPES))
    if (key in field && !types.includes(field.type))
      context.report([...path, key], `"${key}" 不适用于类型 ${field.type}`, 'key');
  if (field.formula !== undefined && field.rollup !== undefined)
    context.report([...path, 'rollup'], '公式与汇总不能同时使用', 'key');
  lintFind(context, path, field, lines);
  lintUntil(context, path, field);
  lintAgain(context, path, field);
  lintUnstored(context, path, field);
  lintRecalls(context, path, { field, lines });
  lintCaption(context, path, field);
  lintOpens(context, path, { field, lines });
  lintFormer(context, path, { field, lines });
  lintPattern(context, path, field);
  lintBounds(context, path, field);
  lintMoney(context, path, field, lines);
  lintDictionary(context, path, field);
  lintReference(context, path, field, lines);
  if (field.check !== undefined)
    context.name([...path, 'check'], '值检查', field.check, context.known.valueChecks);
  const own = expandField(String(path.at(-1)), field);
  const type = typeOfField(own, context.catalog, { record: '', path: own.name, lines });
  if (field.formula !== undefined)
    context.formula([...path, 'formula'], field.formula, context.typeScope(context.place(lines)), type);
  if (field.rollup !== undefined)
    lintRollup(context, [...path, 'rollup'], { rollup: field.rollup, lines, type });
  lintDefault(context, [...path, 'default'], { field: own, type, lines });
}

/** A default is a value of the field, taken from the surroundings, or a formula over the record so far. */
function lintDefault(
  context: ResourceLint,
  path: JsonPath,
  {
    field,
    type,
    lines,
  }: { readonly field: Field; readonly type: ValueType; readonly lines: string | undefined },
): void {
  const { default: value } = field;
  if (value === undefined) return;
  const before = context.faults.length;
  const place = context.place(lines);
  const given = lintValue(context, path, value, { place, record: place });
  if (context.faults.length > before) return;
  const isLiteral = typeof value !== 'object' || value === null;
  const fault = isLiteral ? defaultFault(value, field, type) : assignmentFault(given, type);
  if (fault !== null) context.report(path, `默认值不合字段：${fault}`);
}

/** Null, or why a literal is no value of the field. */
function defaultFault(value: unknown, field: Field, type: ValueType): string | null {
  if (value === null) return null;
  const misfit = valueFault(value, field);
  if (misfit !== null) return misfit;
  if (type.kind === 'dictionary' && typeof value === 'string') {
    const unknown = valuesFault({ kind: 'dictionary', title: '', values: [value] }, type);
    if (unknown !== null) return unknown;
  }
  // What a person may not type is no default either: lengths, bounds, patterns.
  const isAmount = typeof value === 'number' && field.type !== 'integer';
  const parsed = parseField(isAmount ? String(value) : value, field);
  return 'problem' in parsed ? parsed.problem.message : null;
}

function lintLines(context: ResourceLint, name: string, field: FieldDefinition): void {
  const path = ['fields', name];
  if (field.fields === undefined) context.report(path, '明细须有 "fields"');
  const table = `${context.definition.resource}__${name}`;
  if (table.length > MAX_TABLE_NAME)
    context.report(path, `表名 "${table}" 超过${MAX_TABLE_NAME}个字符`, 'key');
  for (const [column, cell] of Object.entries(field.fields ?? {})) {
    const here = [...path, 'fields', column];
    lintIdentifier(context, here, column, name);
    if (cell.type === 'lines') context.report([...here, 'type'], '明细中不能再有明细');
    else lintField(context, here, cell, name);
  }
  lintUnique(context, [...path, 'unique'], field.unique, name);
  lintFollows(context, name, field);
}

function lintIdentifier(
  context: ResourceLint,
  path: JsonPath,
  name: string,
  lines: string | undefined,
): void {
  const isReserved =
    RESERVED.has(name) || STORAGE_COLUMNS.has(name) || (lines !== undefined && LINE_RESERVED.has(name));
  if (isReserved || name.startsWith('_')) context.report(path, `字段名 "${name}" 是保留名，请换一个`, 'key');
  // A field `source` is no harm, but `source.x` means another record.
  else if (SCOPE_NAMES.some((own) => own === name) && leadsOn(context, name, lines))
    context.report(path, `引用或明细不能叫 "${name}"，"${name}." 另有含义`, 'key');
}

function leadsOn(context: ResourceLint, name: string, lines: string | undefined): boolean {
  const fields = context.resource.fields;
  const type = (lines === undefined ? fields[name] : fields[lines]?.fields?.[name])?.type;
  return type === 'reference' || type === 'lines';
}

/** Bounds are numbers, and the lower one is no greater than the upper. */
function lintBounds(context: ResourceLint, path: JsonPath, { min, max }: FieldDefinition): void {
  for (const [key, bound] of [['min', min] as const, ['max', max] as const])
    if (bound !== undefined && !isPlainDecimal(String(bound)))
      context.report([...path, key], `"${key}" 应为数字`);
  if (min === undefined || max === undefined) return;
  if (
    isPlainDecimal(String(min)) &&
    isPlainDecimal(String(max)) &&
    compareDecimals(String(min), String(max)) > 0
  )
    context.report([...path, 'min'], '下限大于上限');
}

function lintPattern(context: ResourceLint, path: JsonPath, field: FieldDefinition): void {
  if (field.pattern === undefined || doesCompile(compilePattern, field.pattern)) return;
  const isOfJavaScript = doesCompile((pattern) => new RegExp(pattern, 'u'), field.pattern);
  context.report(
    [...path, 'pattern'],
    isOfJavaScript ? '正则表达式不能含前后查找与反向引用（须在线性时间内判断）' : '正则表达式不正确',
  );
}

function doesCompile(compile: (pattern: string) => unknown, pattern: string): boolean {
  try {
    compile(pattern);
    return true;
  } catch {
    return false;
  }
}

function lintMoney(
  context: ResourceLint,
  path: JsonPath,
  field: FieldDefinition,
  lines: string | undefined,
): void {
  if (field.type !== 'money') return;
  if (field.currency === undefined) context.report(path, '金额字段须有 "currency"');
  else if (!/^[A-Z]{3}$/.test(field.currency))
    context.field([...path, 'currency'], field.currency, context.place(lines));
}

function lintDictionary(context: ResourceLint, path: JsonPath, field: FieldDefinition): void {
  if (field.type !== 'dictionary') return;
  if (field.dictionary !== undefined) {
    context.name([...path, 'dictionary'], '字典', field.dictionary, context.known.dictionaries);
    return;
  }
  const isStates = path.length === 2 && path[1] === 'status' && context.resource.lifecycle !== undefined;
  if (field.options === undefined && !isStates)
    context.report(path, '字典字段须有 "dictionary" 或 "options"');
}

function lintReference(
  context: ResourceLint,
  path: JsonPath,
  field: FieldDefinition,
  lines: string | undefined,
): void {
  if (field.type !== 'reference') return;
  const own = context.place(lines);
  if (field.to === undefined) {
    context.report(path, '引用字段须有 "to"');
    return;
  }
  if (typeof field.to !== 'string') {
    context.field([...path, 'to', 'by'], field.to.by, own);
    return;
  }
  const target = targetPlace(field.to, context.catalog);
  if (target === null) {
    context.report(
      [...path, 'to'],
      `未知资源 "${field.to}"${suggestion(field.to, Object.keys(context.catalog.resources))}`,
    );
    return;
  }
  lintFilter(context, [...path, 'where'], field.where, { place: target, record: own });
  lintFilter(context, [...path, 'prefers'], field.prefers, { place: target, record: own });
  for (const [mine, theirs] of Object.entries(field.fill ?? {})) {
    const filled = context.field([...path, 'fill', mine], mine, own, 'key');
    const taken = context.field([...path, 'fill', mine], theirs, target);
    if (filled === null || taken === null) continue;
    const fault = assignmentFault(typeOfField(taken, context.catalog), typeOfField(filled, context.catalog));
    if (fault !== null) context.report([...path, 'fill', mine], `带出的值不合字段：${fault}`);
  }
}

function computedPath({ definition }: ResourceLint, name: string): JsonPath {
  const [head = '', column] = name.split('.');
  const field = column === undefined ? definition.fields[head] : definition.fields[head]?.fields?.[column];
  const key = field?.find === undefined ? 'formula' : 'find';
  return column === undefined ? ['fields', head, key] : ['fields', head, 'fields', column, key];
}
