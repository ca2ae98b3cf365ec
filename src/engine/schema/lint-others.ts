import { typeOfField } from '../expression/type-scope.ts';
import { comparisonFault, type ValueType } from '../expression/value-type.ts';
import { hasColumn } from '../fields/field-types.ts';
import type { Filter } from './definition.ts';
import type { OthersDefinition, ValueDefinition } from './effects-definition.ts';
import { type PathPlace, resolveFieldPath, targetPlace } from './field-path.ts';
import type { ResourceLint } from './lint-context.ts';
import { lintFilter } from './lint-filter.ts';
import { lintGivenValue } from './lint-formula.ts';
import type { Field } from './resource.ts';
import type { JsonPath } from './source-file.ts';
import { suggestion } from './suggest-name.ts';
import type { Inputs } from './lint-follows.ts';

/** Where the records lie that a construct names: one place, of `*` every document with such a reference; null after a fault. */
export function othersPlaces(
  context: ResourceLint,
  path: JsonPath,
  others: OthersDefinition,
  source: PathPlace,
): readonly PathPlace[] | null {
  if (others.of !== undefined && others.to !== undefined)
    context.report([...path, 'to'], '"to" 与 "of" 只能写一个', 'key');
  if (others.by !== undefined && others.of === undefined)
    context.report([...path, 'by'], '"by" 须与 "of" 一起使用', 'key');
  if (others.of === '*') return everyPlace(context, path, others.by);
  if (others.of !== undefined) return ofPlaces(context, path, { ...others, of: others.of }, source);
  if (others.to === undefined) return [source];
  const resolved = resolveFieldPath(source, others.to);
  if (resolved.kind === 'unknown') {
    context.report([...path, 'to'], `未知字段 "${others.to}"${suggestion(others.to, resolved.known)}`);
    return null;
  }
  if (resolved.kind === 'open') return [];
  const { field } = resolved;
  if (field.type === 'lines') return [context.place(field.name)];
  if (field.type === 'reference' && typeof field.to === 'string') {
    const target = targetPlace(field.to, context.catalog);
    return target === null ? [] : [target];
  }
  context.report([...path, 'to'], `"${others.to}" 不是引用，也不是明细`);
  return null;
}

function ofPlaces(
  context: ResourceLint,
  path: JsonPath,
  others: OthersDefinition & { readonly of: string },
  source: PathPlace,
): readonly PathPlace[] | null {
  const target = targetPlace(others.of, context.catalog);
  if (target === null) {
    const known = Object.keys(context.catalog.resources);
    context.report([...path, 'of'], `未知资源 "${others.of}"${suggestion(others.of, known)}`);
    return null;
  }
  if (others.by === undefined) {
    context.report(path, '"of" 须有 "by"');
    return null;
  }
  if (typeof others.by === 'string') {
    const field = lintTie(context, [...path, 'by'], others.by, target);
    const fault = field === null ? null : idFault(field, source);
    if (fault !== null) context.report([...path, 'by'], fault);
  } else
    for (const [theirs, own] of Object.entries(others.by)) {
      const field = lintTie(context, [...path, 'by', theirs], theirs, target);
      if (field !== null) lintEqual(context, [...path, 'by', theirs], { field, own, source });
    }
  return [target];
}

/** `"of": "*"`: documents whose head has such a reference to this resource. */
function everyPlace(
  context: ResourceLint,
  path: JsonPath,
  by: OthersDefinition['by'],
): readonly PathPlace[] | null {
  if (typeof by !== 'string') {
    context.report([...path, 'by'], '"of": "*" 须有 "by": 字段');
    return null;
  }
  const own = context.resource.resource;
  const documents = Object.values(context.catalog.resources).filter(({ kind }) => kind === 'document');
  const found = documents.filter(({ fields }) => fields[by]?.to === own);
  if (found.length > 0) return found.map((resource) => ({ resource, catalog: context.catalog }));
  const known = documents.flatMap(({ fields }) =>
    Object.values(fields).flatMap(({ name, to }) => (to === own ? [name] : [])),
  );
  context.report([...path, 'by'], `没有单据以 "${by}" 引用${context.resource.title}${suggestion(by, known)}`);
  return null;
}

/** What ties records is a column of theirs or of their lines, never something behind a reference; null after a fault. */
function lintTie(context: ResourceLint, path: JsonPath, name: string, target: PathPlace): Field | null {
  const before = context.faults.length;
  const field = context.field(path, name, target, path.at(-1) === 'by' ? 'value' : 'key');
  const [head = '', cell] = name.split('.');
  if (context.faults.length > before) return null;
  if (cell === undefined || head === 'parent') return field;
  if (target.resource.fields[head]?.type === 'lines') return field;
  context.report(path, `"${name}" 在引用的记录上，"by" 只认本单据与明细的字段，请改用 "where"`);
  return null;
}

/** Why a field of others cannot hold the id of the record (or line) that stands at `own`; null when it can. Ids may be kept as texts. */
export function idFault(field: Field, own: PathPlace): string | null {
  if (field.type === 'text' || (field.type === 'reference' && typeof field.to !== 'string')) return null;
  const { resource, lines } = own;
  const names = [resource.resource, ...(lines === undefined ? [] : [`${resource.resource}.${lines}`])];
  if (field.type === 'reference' && names.includes(String(field.to))) return null;
  return `"${field.name}" 不引用${resource.title}，不能作 "by"`;
}

/** Checks that a field of others and a value of one's own can be equal. */
export function lintEqual(
  context: ResourceLint,
  path: JsonPath,
  {
    field,
    own,
    source,
  }: { readonly field: Field; readonly own: ValueDefinition; readonly source: PathPlace },
): void {
  if (typeof own !== 'string') return lintGivenValue(context, path, own, { place: source });
  const before = context.faults.length;
  const type = context.formula(path, own, context.typeScope(source));
  if (context.faults.length > before) return;
  const theirs = typeOfField(field, context.catalog);
  const fault = comparisonFault(elementOf(theirs), elementOf(type));
  if (fault !== null) context.report(path, fault);
}

function elementOf(type: ValueType): ValueType {
  return type.kind === 'list' ? type.of : type;
}

/** Checks the order of other records: columns of theirs. */
export function lintOrder(
  context: ResourceLint,
  path: JsonPath,
  order: readonly string[] | undefined,
  target: PathPlace,
): void {
  for (const [index, name] of (order ?? []).entries()) {
    const column = name.replace(/^-/, '');
    const field = context.field([...path, index], column, { ...target, lines: undefined });
    if (field !== null && (column.includes('.') || !hasColumn(field)))
      context.report([...path, index], `"${column}" 不是${target.resource.title}的列，不能排序`);
  }
}

/** Whether a construct's `each` names lines; reports what does not. */
export function isLinesField(context: ResourceLint, path: JsonPath, name: string | undefined): boolean {
  if (name === undefined || context.resource.fields[name]?.type === 'lines') return true;
  context.report(path, `"${name}" 不是明细`);
  return false;
}

/** Checks the filter over other records that a construct names. */
export function lintOthersFilter(
  context: ResourceLint,
  path: JsonPath,
  where: Filter | undefined,
  at: {
    readonly target: PathPlace;
    readonly source: PathPlace;
    readonly inputs: Inputs;
  },
): void {
  lintFilter(context, path, where, {
    place: at.target,
    record: at.source,
    source: at.source,
    inputs: at.inputs,
  });
}
