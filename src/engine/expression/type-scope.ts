import { SUBJECT_TYPES } from '../filter/subject-values.ts';
import { fieldsAt, type PathPlace, targetPlace } from '../schema/field-path.ts';
import type { Catalog, Field } from '../schema/resource.ts';
import { suggestion, suggestName } from '../schema/suggest-name.ts';
import type { FormulaNames } from './formula-function.ts';
import {
  BOOLEAN,
  currencyKey,
  DATE,
  DATETIME,
  INTEGER,
  NUMBER,
  TEXT,
  UNKNOWN,
  type ValueType,
} from './value-type.ts';

/** What the names of a formula stand for, before it runs. */
export interface TypeScope {
  /** The record that a bare name is of: a resource, or the lines of one. */
  readonly place: PathPlace;
  readonly dictionaries: Catalog['dictionaries'];
  /** `source.x`: the record that declares the construct (its line, under `each`). */
  readonly source?: PathPlace | undefined;
  /** `input.x`: the inputs of the action by name; absent where there is none, null where they are not known. */
  readonly inputs?: Readonly<Record<string, Field>> | null | undefined;
  /** Further names with their types, such as `given`. */
  readonly given?: Readonly<Record<string, ValueType>> | undefined;
  readonly names?: FormulaNames | undefined;
}

/** What `company.x` may name. */
export const COMPANY_TYPES: Readonly<Record<string, ValueType>> = {
  co_code: TEXT,
  name: TEXT,
  name_en: TEXT,
  tax_no: TEXT,
  hotline: TEXT,
  address: TEXT,
  address_en: TEXT,
  place_en: TEXT,
};

export type PathType =
  | { readonly type: ValueType }
  /** What is wrong with the path, with a suggestion. */
  | { readonly fault: string };

/**
 * The type of a path: own fields, `parent.x`, `source.x`, `above.x`, `before.x`, `input.x`, `company.x`, `user.x`,
 * `today`, and on from references. A path through lines gives a list.
 */
export function typePath(path: string, scope: TypeScope): PathType {
  const parts = path.split('.');
  const [first = '', ...rest] = parts;
  const given = scope.given !== undefined && Object.hasOwn(scope.given, path) ? scope.given[path] : undefined;
  if (given !== undefined) return { type: given };
  if (path === 'today') return { type: DATE };
  if (path === 'now') return { type: DATETIME };
  if (rest.length === 0) return walk(scope, { place: scope.place, record: '' }, parts);
  switch (first) {
    case 'user':
      return namedType(path, rest, SUBJECT_TYPES, '人员属性');
    case 'company':
      return namedType(path, rest, COMPANY_TYPES, '公司属性');
    case 'input':
      return inputType(path, rest, scope);
    case 'source':
      return scope.source === undefined
        ? { fault: '此处没有来源单据，不能用 "source."' }
        : walk(scope, { place: scope.source, record: 'source' }, rest, 'source.');
    case 'above':
      return scope.place.lines === undefined
        ? { fault: '"above." 只能用在明细中' }
        : walk(scope, { place: scope.place, record: '' }, rest, 'above.');
    case 'before':
      return walk(scope, { place: scope.place, record: 'before' }, rest, 'before.');
    case 'record':
      return walk(scope, { place: scope.place, record: '' }, rest, 'record.');
    default:
      return walk(scope, { place: scope.place, record: '' }, parts);
  }
}

/** The type of a field's value by itself. `path` is where it was reached, for columns; `record` tells whose currency it has. */
export function typeOfField(
  field: Field,
  { dictionaries }: Pick<TypeScope, 'dictionaries'>,
  at: { readonly record: string; readonly path: string; readonly lines?: string | undefined } = {
    record: '',
    path: field.name,
  },
): ValueType {
  const single = singleType(field, dictionaries, at);
  const isList = field.multiple === true || field.type === 'attachment' || field.type === 'lines';
  return isList ? { kind: 'list', of: single, over: at.path } : single;
}

/** Where a walk has come to, and a name for the record it stands on: two places of one name hold the same record. */
interface Standing {
  readonly place: PathPlace;
  readonly record: string;
}

function walk(scope: TypeScope, from: Standing, parts: readonly string[], prefix = ''): PathType {
  let standing = from;
  let over: string | null = null;
  const walked: string[] = [];
  for (const [index, name] of parts.entries()) {
    const isLast = index === parts.length - 1;
    const { place } = standing;
    if (name === 'parent' && place.lines !== undefined && !isLast) {
      walked.push(name);
      standing = { place: { resource: place.resource, catalog: place.catalog }, record: standing.record };
      continue;
    }
    const fields = fieldsAt(place);
    const field = Object.hasOwn(fields, name) ? fields[name] : undefined;
    if (field === undefined) return { fault: unknownField({ prefix, walked, place, parts, scope }) };
    walked.push(name);
    const path = prefix + walked.join('.');
    if (isLast && field.type === 'lines' && isOfReference(path, scope))
      return { fault: `"${path}" 是引用记录的明细，请取其中一列` };
    if (isLast) {
      const own =
        identity(field, place) ?? typeOfField(field, scope, { ...standing, path, lines: place.lines });
      return { type: over === null ? own : listOver(own, over) };
    }
    if (field.multiple === true) return { fault: `"${path}" 有多个值，后面不能再取字段` };
    const next = stepInto(standing, field, path);
    if (next === 'open') return { type: UNKNOWN };
    if (next === null) return { fault: `"${path}" 不是引用，后面不能再取字段` };
    if (field.type === 'lines') over = path;
    // The server loads the lines of a referenced record, not what they refer to.
    if (field.type === 'reference' && over !== null && isOfReference(over, scope))
      return { fault: `"${path}" 在引用记录的明细中，后面不能再取字段` };
    standing = next;
  }
  return { fault: `路径 "${prefix}${parts.join('.')}" 不完整` };
}

/** Whether lines are those of a referenced record, not of the record itself. */
function isOfReference(lines: string, { place, source }: TypeScope): boolean {
  const own = lines.replace(/^(record|before|source|above)\./, '').replace(/^parent\./, '');
  const resource = lines.startsWith('source.') ? source?.resource : place.resource;
  return resource?.fields[own]?.type !== 'lines';
}

/** A column of lines within lines is one column. */
function listOver(type: ValueType, over: string): ValueType {
  return { kind: 'list', of: type.kind === 'list' ? type.of : type, over };
}

function stepInto({ place, record }: Standing, field: Field, path: string): Standing | 'open' | null {
  if (field.type === 'lines')
    return { place: { resource: place.resource, catalog: place.catalog, lines: field.name }, record };
  if (field.type !== 'reference' || field.to === undefined) return null;
  if (typeof field.to !== 'string') return 'open';
  const target = targetPlace(field.to, place.catalog);
  return target === null ? 'open' : { place: target, record: path };
}

/** The id of a record or of a line is a reference to it. */
function identity(field: Field, { resource, lines }: PathPlace): ValueType | null {
  if (field.name !== 'id') return null;
  return { kind: 'reference', to: lines === undefined ? resource.resource : `${resource.resource}.${lines}` };
}

function singleType(
  field: Field,
  dictionaries: Catalog['dictionaries'],
  at: { readonly record: string; readonly lines?: string | undefined },
): ValueType {
  switch (field.type) {
    case 'integer':
      return INTEGER;
    case 'decimal':
      return NUMBER;
    case 'percent':
      return { kind: 'percent' };
    case 'money':
      return moneyType(field, at);
    case 'date':
      return DATE;
    case 'datetime':
      return DATETIME;
    case 'boolean':
      return BOOLEAN;
    case 'reference':
      return { kind: 'reference', to: typeof field.to === 'string' ? field.to : null };
    case 'lines':
      return { kind: 'line' };
    case 'json':
      return UNKNOWN;
    case 'text':
    case 'dictionary':
      return closedType(field, dictionaries);
    default:
      return TEXT;
  }
}

function moneyType(
  { currency }: Field,
  at: { readonly record: string; readonly lines?: string | undefined },
): ValueType {
  if (currency === undefined) return { kind: 'money' };
  if (/^[A-Z]{3}$/.test(currency)) return { kind: 'money', currency };
  const isOfHead = currency.startsWith('parent.') || at.lines === undefined;
  const field = isOfHead ? currency.replace(/^parent\./, '') : `${at.lines}.${currency}`;
  return { kind: 'money', currency: currencyKey(at.record, field) };
}

function closedType(field: Field, dictionaries: Catalog['dictionaries']): ValueType {
  const values = valuesOf(field, dictionaries);
  if (field.type === 'text' && values === null) return TEXT;
  return { kind: 'dictionary', title: field.title, values };
}

/** The values that a field may have; null when only rows of the database say. */
function valuesOf(field: Field, dictionaries: Catalog['dictionaries']): readonly string[] | null {
  if (field.options !== undefined) return Object.keys(field.options);
  const dictionary =
    field.dictionary !== undefined && Object.hasOwn(dictionaries, field.dictionary)
      ? dictionaries[field.dictionary]
      : undefined;
  if (dictionary === undefined || dictionary.from !== undefined || dictionary.items.length === 0) return null;
  return dictionary.items.map(({ value }) => value);
}

function inputType(path: string, rest: readonly string[], scope: TypeScope): PathType {
  const { inputs } = scope;
  if (inputs === null) return { type: UNKNOWN };
  if (inputs === undefined) return { fault: '此处没有动作的输入，不能用 "input."' };
  const [name = '', column] = rest;
  const input = Object.hasOwn(inputs, name) ? inputs[name] : undefined;
  if (input === undefined) return { fault: `未知的输入 "${name}"${suggestion(name, Object.keys(inputs))}` };
  const own = typeOfField(input, scope, { record: 'input', path: `input.${name}` });
  if (column === undefined) return { type: own };
  const cell = input.type === 'lines' && rest.length === 2 ? input.fields?.[column] : undefined;
  if (cell === undefined) return { fault: `"${path}"：输入后面不能再取字段` };
  return { type: listOver(typeOfField(cell, scope), `input.${name}`) };
}

function namedType(
  path: string,
  rest: readonly string[],
  types: Readonly<Record<string, ValueType>>,
  kind: string,
): PathType {
  const name = rest.join('.');
  const type = Object.hasOwn(types, name) ? types[name] : undefined;
  return type === undefined
    ? { fault: `未知的${kind} "${path}"${suggestion(name, Object.keys(types))}` }
    : { type };
}

interface UnknownField {
  readonly prefix: string;
  readonly walked: readonly string[];
  readonly place: PathPlace;
  readonly parts: readonly string[];
  readonly scope: TypeScope;
}

function unknownField({ prefix, walked, place, parts, scope }: UnknownField): string {
  const lead = walked.map((step) => `${step}.`).join('');
  const rest = parts.slice(walked.length + 1).map((step) => `.${step}`);
  const wrong = `${lead}${parts[walked.length] ?? ''}`;
  const known = Object.keys(fieldsAt(place)).map((name) => `${lead}${name}`);
  const isOwn = walked.length === 0 && place.lines === undefined;
  const more = isOwn ? [...lineColumns(place, wrong), ...Object.keys(scope.given ?? {})] : [];
  const near = suggestName(wrong, [...known, ...more]);
  const meant = near === null ? '' : `，是否想写 "${prefix}${near}${rest.join('')}"？`;
  return `未知字段 "${prefix}${parts.join('.')}"${meant}`;
}

/** A head may have been meant to read a column: `amount` for `items.amount`. */
function lineColumns({ resource }: PathPlace, name: string): readonly string[] {
  return Object.values(resource.fields)
    .filter((field) => field.type === 'lines' && field.fields?.[name] !== undefined)
    .map((field) => `${field.name}.${name}`);
}
