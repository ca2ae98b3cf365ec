import type { TypeScope } from '../expression/type-scope.ts';
import { typeOfField } from '../expression/type-scope.ts';
import { NUMBER } from '../expression/value-type.ts';
import { isAppendOnly } from './append-only.ts';
import type { Filter } from './definition.ts';
import type { FollowDefinition } from './effects-definition.ts';
import { expandField } from './expand-resource.ts';
import { type PathPlace, targetPlace } from './field-path.ts';
import type { ResourceLint } from './lint-context.ts';
import { lintFilter } from './lint-filter.ts';
import { lintGivenValue, lintGivenValues } from './lint-formula.ts';
import { isLinesField, lintOrder, lintOthersFilter, othersPlaces } from './lint-others.ts';
import { actionsIn, statesIn } from './lint-states.ts';
import type { JsonPath } from './source-file.ts';
import { statesOf } from './state-groups.ts';

/** The inputs of the action by name; null where they are not known. */
export type Inputs = TypeScope['inputs'];

const KINDS = ['make', 'remake', 'do', 'set', 'add', 'effect'] as const;

/** Checks an ordered list of what follows. */
export function lintThen(
  context: ResourceLint,
  path: JsonPath,
  list: readonly FollowDefinition[] | undefined,
  inputs: Inputs,
): void {
  for (const [index, entry] of (list ?? []).entries()) lintFollow(context, [...path, index], entry, inputs);
}

/** Checks one entry of what follows. */
export function lintFollow(
  context: ResourceLint,
  path: JsonPath,
  entry: FollowDefinition,
  inputs: Inputs,
): void {
  const kinds = KINDS.filter((kind) => entry[kind] !== undefined);
  if (kinds.length !== 1)
    return context.report(path, `须有 ${KINDS.join('、')} 之一，现有 ${kinds.length} 个`);
  for (const key of ['inputs', 'spread', 'take'] as const)
    if (entry[key] !== undefined && entry.do === undefined)
      context.report([...path, key], `"${key}" 只与 "do" 一起使用`, 'key');
  for (const key of ['take', 'rest'] as const)
    if (entry[key] !== undefined && entry.spread === undefined)
      context.report([...path, key], `"${key}" 须与 "spread" 一起使用`, 'key');
  if (!isLinesField(context, [...path, 'each'], entry.each)) return;
  const source = context.place(entry.each);
  lintFilter(context, [...path, 'when'], entry.when, { place: source, record: source, inputs });
  for (const [index, name] of (entry.changed ?? []).entries())
    context.field([...path, 'changed', index], name, source);
  for (const kind of ['make', 'remake'] as const)
    if (entry[kind] !== undefined)
      context.name([...path, kind], '生成', entry[kind], new Set(Object.keys(context.resource.makes)));
  if (entry.effect !== undefined)
    context.name([...path, 'effect'], '处理', entry.effect, context.known.effects);
  const targets = othersPlaces(context, path, entry, source);
  if (targets !== null)
    context.unlessAny(targets, (target) => lintTarget(context, path, { entry, target, source, inputs }));
  lintGivenValue(context, [...path, 'spread'], entry.spread, { place: source, inputs, target: NUMBER });
}

interface Target {
  readonly entry: FollowDefinition;
  readonly target: PathPlace;
  readonly source: PathPlace;
  readonly inputs: Inputs;
}

/** Checks an entry against the records on which it is done. */
function lintTarget(context: ResourceLint, path: JsonPath, { entry, target, source, inputs }: Target): void {
  const where = { place: target, source, inputs };
  const given = entry.spread === undefined ? where : { ...where, given: { given: NUMBER } };
  lintOthersFilter(context, [...path, 'where'], entry.where, { target, source, inputs });
  lintOrder(context, [...path, 'order'], entry.order, target);
  if (entry.do !== undefined) lintDo(context, path, { entry, target, source, inputs });
  for (const key of ['set', 'add'] as const)
    if (entry[key] !== undefined && (target.resource.kind === 'view' || isAppendOnly(target.resource)))
      context.report([...path, key], `${target.resource.title}不能改写`, 'key');
  if (target.lines === undefined && entry.set?.['status'] !== undefined)
    context.report([...path, 'set', 'status'], '状态只能由动作改变，请用 "do"', 'key');
  lintGivenValues(context, [...path, 'set'], entry.set, { target, where, isWrite: true });
  for (const [lines, values] of Object.entries(entry.add ?? {})) {
    const cells = targetPlace(`${target.resource.resource}.${lines}`, context.catalog);
    if (cells === null) context.report([...path, 'add', lines], `"${lines}" 不是明细`, 'key');
    else
      lintGivenValues(context, [...path, 'add', lines], values, {
        target: cells,
        where,
        areRows: true,
        isWrite: true,
      });
  }
  const fields = target.resource.lifecycle?.actions[entry.do ?? '']?.inputs ?? {};
  for (const [name, value] of Object.entries(entry.inputs ?? {})) {
    const input = fields[name];
    const type = input === undefined ? undefined : typeOfField(expandField(name, input), context.catalog);
    lintGivenValue(context, [...path, 'inputs', name], value, {
      ...given,
      ...(type === undefined ? {} : { target: type }),
    });
  }
  lintGivenValue(context, [...path, 'take'], entry.take, { ...where, target: NUMBER });
}

function lintDo(context: ResourceLint, path: JsonPath, { entry, target }: Target): void {
  const key = entry.do ?? '';
  const { lifecycle } = target.resource;
  context.name([...path, 'do'], `${target.resource.title}的动作`, key, actionsIn(target.resource));
  const action = lifecycle?.actions[key];
  if (action === undefined) return;
  for (const name of Object.keys(entry.inputs ?? {}))
    context.name([...path, 'inputs', name], '的输入', name, new Set(Object.keys(action.inputs ?? {})));
  for (const [name, input] of Object.entries(action.inputs ?? {})) {
    const isAsked =
      input.required === true && input.default === undefined && action.asks?.[name] === undefined;
    if (isAsked && entry.inputs?.[name] === undefined)
      context.report([...path, 'do'], `动作 ${key} 须填写 "${name}"，请在 "inputs" 中给出`);
  }
  const admitted = [...statesIn(target.resource)].filter((state) => admits(entry.where, state, target));
  const outside = admitted.filter((state) => !action.from.includes(state));
  if (outside.length > 0 && entry.of !== '*')
    context.report(
      [...path, 'where'],
      `"where" 允许的状态 ${outside.join('、')} 不能执行 ${key}（只能在 ${action.from.join('、')}）`,
    );
}

/** Whether a filter may let through what is in a state: what it says of other fields may hold. */
function admits(where: Filter | undefined, state: string, target: PathPlace): boolean {
  return Object.entries(where ?? {}).every(([key, part]) => {
    if (part === undefined) return true;
    if (isFilterList(part))
      return key === 'or'
        ? part.some((one) => admits(one, state, target))
        : part.every((one) => admits(one, state, target));
    if (key !== 'status') return true;
    return Object.entries(part).every(([operator, value]) => {
      const list = (Array.isArray(value) ? value : [value]).filter((name) => typeof name === 'string');
      const named = statesOf(list, target.resource.lifecycle?.groups);
      if (operator === 'eq' || operator === 'in') return named.includes(state);
      return operator === 'ne' || operator === 'nin' ? !named.includes(state) : true;
    });
  });
}

function isFilterList(part: Filter[string]): part is readonly Filter[] {
  return Array.isArray(part);
}
