import type { FieldDefinition } from './definition.ts';
import { targetPlace } from './field-path.ts';
import type { ResourceLint } from './lint-context.ts';
import { lintFilter } from './lint-filter.ts';
import { lintStates, statesIn } from './lint-states.ts';
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
