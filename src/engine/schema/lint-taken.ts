import type { FieldDefinition } from './definition.ts';
import { targetPlace } from './field-path.ts';
import type { ResourceLint } from './lint-context.ts';
import { lintFilter } from './lint-filter.ts';
import { actionsIn, lintStates, statesIn } from './lint-states.ts';
import type { JsonPath } from './source-file.ts';

/** Keys that make no sense beside a find: the server alone decides what stands there, and it is one record of one resource. */
const NOT_WITH_FIND = ['formula', 'rollup', 'where', 'default', 'multiple', 'fixed'] as const;

/** Checks a reference that the first match is taken into. */
export function lintFind(
  context: ResourceLint,
  path: JsonPath,
  field: FieldDefinition,
  lines: string | undefined,
): void {
  const { find } = field;
  if (find === undefined || field.type !== 'reference') return;
  for (const key of NOT_WITH_FIND)
    if (field[key] !== undefined) context.report([...path, key], `"find" 与 "${key}" 不能同时使用`, 'key');
  if (typeof field.to !== 'string') {
    if (field.to !== undefined) context.report([...path, 'find'], '"find" 只能用于引用一种资源的字段', 'key');
    return;
  }
  const target = targetPlace(field.to, context.catalog);
  if (target === null) return;
  const own = context.place(lines);
  lintFilter(context, [...path, 'find', 'where'], find.where, { place: target, record: own, source: own });
  for (const [index, name] of (find.order ?? []).entries())
    context.field([...path, 'find', 'order', index], name.replace(/^-/, ''), target);
}

/** Checks the states at which a value is taken. */
export function lintUntil(context: ResourceLint, path: JsonPath, field: FieldDefinition): void {
  if (field.until === undefined) return;
  const here = [...path, 'until'];
  if (field.formula === undefined && field.rollup === undefined && field.find === undefined)
    context.report(here, '"until" 只用于公式、汇总和自动取值', 'key');
  if (context.resource.lifecycle === undefined) context.report(here, '没有状态的资源不能用 "until"', 'key');
  else lintStates(context, here, field.until, statesIn(context.resource));
}

/** Checks an action or approval that takes or compares frozen values: there must be some. */
export function lintFrozenUse(
  context: ResourceLint,
  path: JsonPath,
  entry: { readonly refresh?: boolean; readonly fresh?: string },
): void {
  const hasFrozen = Object.values(context.resource.fields).some(
    ({ frozen, fields }) =>
      frozen !== undefined || Object.values(fields ?? {}).some((cell) => cell.frozen !== undefined),
  );
  if (hasFrozen) return;
  for (const key of ['refresh', 'fresh'] as const)
    if (entry[key] !== undefined) context.report([...path, key], '没有字段有 "until"，无从刷新或比较', 'key');
}

/** Checks the moments at which a reference's `where` is asked again. */
export function lintAgain(context: ResourceLint, path: JsonPath, field: FieldDefinition): void {
  if (field.again === undefined) return;
  const here = [...path, 'again'];
  if (field.type !== 'reference' || field.where === undefined)
    return context.report(here, '"again" 须与引用的 "where" 一起使用', 'key');
  context.names(here, '动作', field.again, new Set([...actionsIn(context.resource), 'approved']));
}
