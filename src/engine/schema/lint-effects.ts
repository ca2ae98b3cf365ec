import { hasColumn } from '../fields/field-types.ts';
import type { BlockerDefinition, ExcludeDefinition, LimitDefinition } from './effects-definition.ts';
import { expandField } from './expand-resource.ts';
import { filterReads } from './filter-reads.ts';
import type { ResourceLint } from './lint-context.ts';
import { lintFilter } from './lint-filter.ts';
import { type Inputs, lintFollow, lintThen } from './lint-follows.ts';
import { lintGivenValues } from './lint-formula.ts';
import { lintMake } from './lint-makes.ts';
import { isLinesField, lintOrder, lintOthersFilter, othersPlaces } from './lint-others.ts';
import { lintPickedLines, lintPull } from './lint-picking.ts';
import { actionsIn, hasApproval, statesIn } from './lint-states.ts';
import type { ActionDefinition, ApprovalDefinition } from './lifecycle-definition.ts';
import type { Field } from './resource.ts';
import type { JsonPath } from './source-file.ts';

/** Checks what a resource does to others: limits, makes, what follows, blockers, exclusions, tree. */
export function lintEffects(context: ResourceLint): void {
  const { definition } = context;
  for (const [state, list] of Object.entries(definition.lifecycle?.groups ?? {}))
    context.names(['lifecycle', 'groups', state], '状态', list, statesIn(context.resource));
  for (const [index, limit] of (definition.limits ?? []).entries())
    lintLimit(context, ['limits', index], limit);
  for (const [key, make] of Object.entries(definition.makes ?? {})) lintMake(context, ['makes', key], make);
  for (const on of ['create', 'update', 'save', 'delete'] as const)
    lintThen(context, ['then', on], definition.then?.[on], {});
  for (const [index, blocker] of (definition.blockers ?? []).entries())
    lintBlocker(context, ['blockers', index], blocker);
  for (const [index, exclude] of (definition.exclude ?? []).entries())
    lintExclude(context, ['exclude', index], exclude);
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
  lintGivenValues(context, [...path, 'set'], action.set, { target: context.place(), where, isWrite: true });
  for (const [lines, values] of Object.entries(action.add ?? {})) {
    if (!isLinesField(context, [...path, 'add', lines], lines)) continue;
    lintGivenValues(context, [...path, 'add', lines], values, {
      target: context.place(lines),
      where,
      isWrite: true,
    });
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

/** It is judged at the end of a write, and again every night: what an action was given and what was before are gone. */
function lintLimit(context: ResourceLint, path: JsonPath, limit: LimitDefinition): void {
  if (!isLinesField(context, [...path, 'each'], limit.each)) return;
  const place = context.place(limit.each);
  for (const key of ['when', 'assert'] as const) {
    lintFilter(context, [...path, key], limit[key], { place, record: place, inputs: {} });
    for (const read of filterReads(limit[key]).values)
      if (read.startsWith('before.'))
        context.report([...path, key], `限制在写入结束时判断，不能用 "${read}"`);
  }
}

function lintAuto(context: ResourceLint, path: JsonPath, action: ActionDefinition): void {
  if (action.when === undefined) context.report([...path, 'auto'], '自动执行的动作须有 "when"', 'key');
  for (const key of ['inputs', 'checks', 'approval'] as const)
    if (action[key] !== undefined) context.report([...path, key], `自动执行的动作不能有 "${key}"`, 'key');
  const { fields, values } = filterReads(action.when);
  for (const read of [...fields, ...values]) {
    const name = read.replace(/^record\./, '');
    if (name === 'today') continue;
    const field = context.resource.fields[name];
    if (name.includes('.') || field === undefined)
      context.report([...path, 'when'], `自动动作只能读本单据已保存的字段，"${name}" 不是`);
    else if (field.stored === false) context.report([...path, 'when'], `"${name}" 不保存，不能用于自动动作`);
  }
}

function lintBlocker(context: ResourceLint, path: JsonPath, blocker: BlockerDefinition): void {
  const known = context.definition.lifecycle?.actions ?? {};
  const ends = hasApproval(context.resource) ? ['approved', 'delete'] : ['delete'];
  context.names(
    [...path, 'actions'],
    '动作',
    blocker.actions,
    new Set([...actionsIn(context.resource), ...ends]),
  );
  const source = context.place();
  const inputs = inputsOf(blocker.actions, known);
  if (blocker.at !== undefined && !Object.hasOwn(inputs, blocker.at))
    context.field([...path, 'at'], blocker.at, source);
  lintFilter(context, [...path, 'when'], blocker.when, { place: source, record: source, inputs });
  for (const [index, key] of blocker.actions.entries())
    if (known[key]?.auto === true)
      context.report([...path, 'actions', index], `"${key}" 自动执行，不能有阻止它的记录`);
  if (blocker.of === undefined && blocker.to === undefined) return context.report(path, '须有 "of" 或 "to"');
  const targets = othersPlaces(context, path, blocker, source);
  if (targets === null) return;
  context.unlessAny(targets, (target) => {
    lintOthersFilter(context, [...path, 'where'], blocker.where, { target, source, inputs });
    lintOrder(context, [...path, 'order'], blocker.order, target);
  });
}

/** The inputs of several actions by name. */
function inputsOf(
  actions: readonly string[],
  known: Readonly<Record<string, ActionDefinition>>,
): NonNullable<Inputs> {
  const all = actions.flatMap((key) => Object.entries(known[key]?.inputs ?? {}));
  return Object.fromEntries(all.map(([name, input]) => [name, expandField(name, input)]));
}

/** The ends of a range are columns of one kind that has an order; the keys are columns too. */
function lintExclude(context: ResourceLint, path: JsonPath, exclude: ExcludeDefinition): void {
  const column = (at: JsonPath, name: string): Field | null => {
    const field = context.field(at, name, context.place());
    if (field === null || (!name.includes('.') && hasColumn(field))) return field;
    context.report(at, `"${name}" 不是本表的列`);
    return null;
  };
  for (const [at, name] of exclude.fields.entries()) column([...path, 'fields', at], name);
  for (const [at, range] of exclude.ranges.entries()) {
    const ends = range.map((name, end) => column([...path, 'ranges', at, end], name));
    const [from, to] = ends;
    if (from === null || to === null || from === undefined || to === undefined) continue;
    for (const [end, field] of [from, to].entries())
      if (!RANGE_TYPES.has(field.type))
        context.report([...path, 'ranges', at, end], `"${field.name}" 应为日期、时间或数字`);
    if (RANGE_TYPES.get(from.type) !== RANGE_TYPES.get(to.type))
      context.report([...path, 'ranges', at, 1], `"${from.name}" 与 "${to.name}" 应为同类`);
  }
  lintFilter(context, [...path, 'where'], exclude.where, { place: context.place(), record: null });
  // It is asked of rows as they are stored, with nothing behind their references.
  for (const name of filterReads(exclude.where).fields)
    if (name.includes('.')) context.report([...path, 'where', name], `"${name}" 不是本表的列`, 'key');
}

/** What may be the end of a range, and what goes together. */
const RANGE_TYPES: ReadonlyMap<string, string> = new Map([
  ['date', 'date'],
  ['datetime', 'datetime'],
  ['integer', 'number'],
  ['decimal', 'number'],
  ['money', 'number'],
  ['percent', 'number'],
]);

function lintTree(context: ResourceLint): void {
  const { tree } = context.definition;
  if (tree === undefined) return;
  const parent = context.field(['tree', 'parent'], tree.parent, context.place());
  if (parent !== null && parent.to !== context.definition.resource)
    context.report(['tree', 'parent'], `"${tree.parent}" 须引用本资源`);
  for (const [key, type] of [['path', 'text'] as const, ['depth', 'integer'] as const]) {
    const name = tree[key];
    const field = name === undefined ? null : context.field(['tree', key], name, context.place());
    if (field !== null && (field.type !== type || field.system !== true))
      context.report(['tree', key], `"${name}" 须为系统字段，类型 ${type}`);
  }
}
