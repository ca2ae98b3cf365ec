import type { TypeScope } from '../expression/type-scope.ts';
import { NUMBER } from '../expression/value-type.ts';
import type { Filter } from './definition.ts';
import type { ActionDefinition, ApprovalDefinition } from './lifecycle-definition.ts';
import {
  type BlockerDefinition,
  type FollowDefinition,
  type MadeFinds,
  type MakeDefinition,
  OF_RECORD,
} from './effects-definition.ts';
import { type PathPlace, targetPlace } from './field-path.ts';
import type { ResourceLint } from './lint-context.ts';
import { lintFilter } from './lint-filter.ts';
import { lintGivenValue, lintGivenValues } from './lint-formula.ts';
import { lintMadeForm, lintPickedLines, lintPull } from './lint-picking.ts';
import { actionsIn, statesIn } from './lint-states.ts';
import type { JsonPath } from './source-file.ts';
import { statesOf } from './state-groups.ts';
import { suggestion } from './suggest-name.ts';
import { othersPlaces, lintOthersFilter } from './lint-others.ts';

/** Checks what a resource does to others: limits, makes, what follows, blockers, exclusions, tree. */
export function lintEffects(context: ResourceLint): void {
  const { definition } = context;
  for (const [state, list] of Object.entries(definition.lifecycle?.groups ?? {}))
    context.names(['lifecycle', 'groups', state], '状态', list, statesIn(context.resource));
  for (const [index, limit] of (definition.limits ?? []).entries()) {
    const path = ['limits', index];
    if (!isLinesField(context, [...path, 'each'], limit.each)) continue;
    const place = context.place(limit.each);
    lintFilter(context, [...path, 'when'], limit.when, { place, record: place });
    lintFilter(context, [...path, 'assert'], limit.assert, { place, record: place });
  }
  for (const [key, make] of Object.entries(definition.makes ?? {})) lintMake(context, ['makes', key], make);
  for (const on of ['create', 'update', 'save', 'delete'] as const)
    lintThen(context, ['then', on], definition.then?.[on], {});
  for (const [index, blocker] of (definition.blockers ?? []).entries())
    lintBlocker(context, ['blockers', index], blocker);
  for (const [index, exclude] of (definition.exclude ?? []).entries()) {
    const path = ['exclude', index];
    for (const [at, name] of exclude.fields.entries())
      context.field([...path, 'fields', at], name, context.place());
    for (const [at, range] of exclude.ranges.entries())
      for (const [end, name] of range.entries())
        context.field([...path, 'ranges', at, end], name, context.place());
    lintFilter(context, [...path, 'where'], exclude.where, { place: context.place(), record: null });
  }
  lintTree(context);
  lintPickedLines(context);
}

/** Checks what an action does beyond its own state. */
export function lintActionEffects(
  context: ResourceLint,
  path: JsonPath,
  action: ActionDefinition,
  inputs: Inputs,
): void {
  const where = { place: context.place(), inputs };
  if (action.set !== undefined && 'status' in action.set)
    context.report([...path, 'set', 'status'], '状态由动作的 "to" 改变，不能由 "set" 写', 'key');
  lintGivenValues(context, [...path, 'set'], action.set, { target: context.place(), where });
  for (const [lines, values] of Object.entries(action.add ?? {})) {
    if (!isLinesField(context, [...path, 'add', lines], lines)) continue;
    lintGivenValues(context, [...path, 'add', lines], values, { target: context.place(lines), where });
  }
  lintThen(context, [...path, 'then'], action.then, inputs);
  lintPull(context, path, action.pull);
  if (action.auto === true) lintAuto(context, path, action);
}

/** Checks what follows an approval and its end. */
export function lintApprovalEffects(
  context: ResourceLint,
  path: JsonPath,
  approval: ApprovalDefinition,
): void {
  // What the submission was given is gone when the approval ends.
  lintThen(context, [...path, 'then'], approval.then, {});
  for (const [index, entry] of (approval.released ?? []).entries())
    if (typeof entry === 'string')
      context.name([...path, 'released', index], '处理', entry, context.known.effects);
    else lintFollow(context, [...path, 'released', index], entry, {});
}

function lintAuto(context: ResourceLint, path: JsonPath, action: ActionDefinition): void {
  if (action.when === undefined) context.report([...path, 'auto'], '自动执行的动作须有 "when"', 'key');
  for (const key of ['inputs', 'checks', 'approval'] as const)
    if (action[key] !== undefined) context.report([...path, key], `自动执行的动作不能有 "${key}"`, 'key');
  for (const name of keysOf(action.when)) {
    const field = context.resource.fields[name];
    if (name.includes('.'))
      context.report([...path, 'when'], `自动动作只能读本单据已保存的字段，"${name}" 不是`);
    else if (field?.stored === false) context.report([...path, 'when'], `"${name}" 不保存，不能用于自动动作`);
  }
}

function lintThen(
  context: ResourceLint,
  path: JsonPath,
  list: readonly FollowDefinition[] | undefined,
  inputs: Inputs,
): void {
  for (const [index, entry] of (list ?? []).entries()) lintFollow(context, [...path, index], entry, inputs);
}

/** The inputs of the action by name; null where they are not known. */
export type Inputs = TypeScope['inputs'];

const KINDS = ['make', 'remake', 'do', 'set', 'add', 'effect'] as const;

function lintFollow(context: ResourceLint, path: JsonPath, entry: FollowDefinition, inputs: Inputs): void {
  const kinds = KINDS.filter((kind) => entry[kind] !== undefined);
  if (kinds.length !== 1)
    return context.report(path, `须有 ${KINDS.join('、')} 之一，现有 ${kinds.length} 个`);
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
  if (targets === null) return;
  for (const target of targets) {
    const where = { place: target, source, inputs, given: { given: NUMBER } };
    lintOthersFilter(context, [...path, 'where'], entry.where, { target, source, inputs });
    if (entry.do !== undefined) lintDo(context, path, entry, target);
    if (target.lines === undefined && entry.set?.['status'] !== undefined)
      context.report([...path, 'set', 'status'], '状态只能由动作改变，请用 "do"', 'key');
    lintGivenValues(context, [...path, 'set'], entry.set, { target, where });
    for (const [lines, values] of Object.entries(entry.add ?? {})) {
      const cells = targetPlace(`${target.resource.resource}.${lines}`, context.catalog);
      if (cells === null) context.report([...path, 'add', lines], `"${lines}" 不是明细`, 'key');
      else lintGivenValues(context, [...path, 'add', lines], values, { target: cells, where, areRows: true });
    }
    for (const [name, value] of Object.entries(entry.inputs ?? {}))
      lintGivenValue(context, [...path, 'inputs', name], value, where);
    lintGivenValue(context, [...path, 'take'], entry.take, where);
  }
  lintGivenValue(context, [...path, 'spread'], entry.spread, { place: source, inputs });
}

function lintDo(context: ResourceLint, path: JsonPath, entry: FollowDefinition, target: PathPlace): void {
  const key = entry.do ?? '';
  const { lifecycle } = target.resource;
  context.name([...path, 'do'], `${target.resource.title}的动作`, key, actionsIn(target.resource));
  const action = lifecycle?.actions[key];
  if (action === undefined) return;
  for (const name of Object.keys(entry.inputs ?? {}))
    context.name([...path, 'inputs', name], '的输入', name, new Set(Object.keys(action.inputs ?? {})));
  const admitted = admittedStates(entry.where, target);
  const outside = admitted.filter((state) => !action.from.includes(state));
  if (outside.length > 0 && entry.of !== '*')
    context.report(
      [...path, 'where'],
      `"where" 允许的状态 ${outside.join('、')} 不能执行 ${key}（只能在 ${action.from.join('、')}）`,
    );
}

/** The states that a filter lets through; all without a condition on `status`. */
function admittedStates(where: Filter | undefined, { resource }: PathPlace): readonly string[] {
  const all = [...statesIn(resource)];
  const groups = resource.lifecycle?.groups;
  const comparison = where?.['status'];
  if (comparison === undefined || Array.isArray(comparison)) return where?.or === undefined ? all : [];
  return all.filter((state) =>
    Object.entries(comparison).every(([operator, value]) => {
      const list = (Array.isArray(value) ? value : [value]).filter((name) => typeof name === 'string');
      const named = statesOf(list, groups);
      if (operator === 'eq' || operator === 'in') return named.includes(state);
      return operator === 'ne' || operator === 'nin' ? !named.includes(state) : true;
    }),
  );
}

function lintBlocker(context: ResourceLint, path: JsonPath, blocker: BlockerDefinition): void {
  const actions = new Set([...actionsIn(context.resource), 'approved', 'delete']);
  context.names([...path, 'actions'], '动作', blocker.actions, actions);
  const source = context.place();
  const inputs = blocker.actions.flatMap((key) =>
    Object.keys(context.definition.lifecycle?.actions?.[key]?.inputs ?? {}),
  );
  if (blocker.at !== undefined && !inputs.includes(blocker.at))
    context.field([...path, 'at'], blocker.at, source);
  lintFilter(context, [...path, 'when'], blocker.when, { place: source, record: source });
  const targets = othersPlaces(context, path, blocker, source);
  for (const target of targets ?? [])
    lintOthersFilter(context, [...path, 'where'], blocker.where, { target, source, inputs: null });
}

function lintMake(context: ResourceLint, path: JsonPath, make: MakeDefinition): void {
  const target = targetPlace(make.to, context.catalog);
  if (target === null) {
    const known = Object.keys(context.catalog.resources);
    return context.report([...path, 'to'], `未知资源 "${make.to}"${suggestion(make.to, known)}`);
  }
  if (!isLinesField(context, [...path, 'each'], make.each)) return;
  const source = context.place(make.each);
  lintMadeForm(context, path, make);
  if (make.do !== undefined)
    context.name([...path, 'do'], `${target.resource.title}的动作`, make.do, actionsIn(target.resource));
  lintFilter(context, [...path, 'when'], make.when, { place: source, record: source });
  if (Array.isArray(make.same))
    for (const [index, name] of make.same.entries()) {
      context.field([...path, 'same', index], name, target);
      if (make.each === undefined) context.field([...path, 'same', index], name, source);
    }
  lintGivenValues(context, [...path, 'map'], make.map, { target, where: { place: source, inputs: null } });
  lintMadeFinds(context, [...path, 'find'], make.find, { target, own: source });
  if (make.per !== undefined) context.field([...path, 'per'], make.per, context.place());
  // Lines go into a document: the condition is on that document.
  const head = targetPlace(make.to.split('.')[0] ?? '', context.catalog) ?? target;
  lintFilter(context, [...path, 'into'], make.into, { place: head, record: source, source });
  for (const [lines, entry] of Object.entries(make.lines ?? {})) {
    const here = [...path, 'lines', lines];
    const cells = targetPlace(`${make.to}.${lines}`, context.catalog);
    if (cells === null) {
      context.report(here, `${target.resource.title}没有明细 "${lines}"`, 'key');
      continue;
    }
    const of = entry.of === OF_RECORD ? make.each : (entry.of ?? lines);
    if (!isLinesField(context, entry.of === undefined ? here : [...here, 'of'], of)) continue;
    const own = context.place(of);
    lintFilter(context, [...here, 'where'], entry.where, { place: own, record: own });
    for (const [index, name] of (entry.same ?? []).entries()) {
      context.field([...here, 'same', index], name, own);
      context.field([...here, 'same', index], name, cells);
    }
    lintGivenValues(context, [...here, 'map'], entry.map, { target: cells, where: { place: own } });
    lintMadeFinds(context, [...here, 'find'], entry.find, { target: cells, own });
  }
}

/** What is looked for is a reference of what is made; its condition is on the records that it refers to. */
function lintMadeFinds(
  context: ResourceLint,
  path: JsonPath,
  finds: MadeFinds | undefined,
  { target, own }: { readonly target: PathPlace; readonly own: PathPlace },
): void {
  for (const [name, { where, order, else: otherwise }] of Object.entries(finds ?? {})) {
    const field = context.field([...path, name], name, target);
    if (field === null) continue;
    const place = typeof field.to === 'string' ? targetPlace(field.to, context.catalog) : null;
    if (place === null || place.lines !== undefined) {
      context.report([...path, name], `"${name}" 不引用单据或档案`, 'key');
      continue;
    }
    lintFilter(context, [...path, name, 'where'], where, { place, record: own, source: own });
    lintGivenValues(context, [...path, name, 'else'], otherwise, { target, where: { place: own } });
    for (const [index, by] of (order ?? []).entries())
      context.field([...path, name, 'order', index], by.replace(/^-/, ''), place);
  }
}

function lintTree(context: ResourceLint): void {
  const { tree } = context.definition;
  if (tree === undefined) return;
  const parent = context.field(['tree', 'parent'], tree.parent, context.place());
  if (parent !== null && parent.to !== context.definition.resource)
    context.report(['tree', 'parent'], `"${tree.parent}" 须引用本资源`);
  for (const key of ['path', 'depth'] as const)
    if (tree[key] !== undefined) context.field(['tree', key], tree[key], context.place());
}

function isLinesField(context: ResourceLint, path: JsonPath, name: string | undefined): boolean {
  if (name === undefined || context.resource.fields[name]?.type === 'lines') return true;
  context.report(path, `"${name}" 不是明细`);
  return false;
}

function keysOf(filter: Filter | undefined): readonly string[] {
  return Object.entries(filter ?? {}).flatMap(([key, part]) =>
    Array.isArray(part) ? part.flatMap((inner: Filter) => keysOf(inner)) : [key],
  );
}
