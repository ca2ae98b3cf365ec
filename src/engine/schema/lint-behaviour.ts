import type { FieldDefinition } from './definition.ts';
import {
  type AccessDefinition,
  type ActionDefinition,
  type EditableDefinition,
  ROW_SCOPES,
  type RuleDefinition,
} from './lifecycle-definition.ts';
import { BOOLEAN } from '../expression/value-type.ts';
import { AMENDED } from '../ledger/posting-moment.ts';
import { messageFormulas } from '../record/message-text.ts';
import { expandField } from './expand-resource.ts';
import type { ResourceLint } from './lint-context.ts';
import { lintField } from './lint-fields.ts';
import { lintActionEffects, lintApprovalEffects, lintEffects } from './lint-effects.ts';
import type { Inputs } from './lint-follows.ts';
import { actionsIn, hasApproval, isAmended, lintStates } from './lint-states.ts';
import { lintFilter } from './lint-filter.ts';
import { lintFrozenUse } from './lint-taken.ts';
import type { JsonPath } from './source-file.ts';

/** Operations that need no action of the lifecycle. */
export const BASE_OPERATIONS = [
  'list', 'read', 'create', 'update', 'delete', 'export', 'import', 'print', 'name', 'approve', 'withdraw',
] as const; // prettier-ignore

/** Checks rules, named checks and effects, lifecycle and access of one resource. */
export function lintBehaviour(context: ResourceLint): void {
  lintRules(context);
  const { checks, effects } = context.definition;
  context.names(['checks', 'save'], '检查', checks?.save, context.known.checks);
  context.names(['checks', 'submit'], '检查', checks?.submit, context.known.checks);
  context.names(['effects', 'create'], '处理', effects?.create, context.known.effects);
  context.names(['effects', 'update'], '处理', effects?.update, context.known.effects);
  context.names(['effects', 'delete'], '处理', effects?.delete, context.known.effects);
  lintEffects(context);
  lintLifecycle(context);
  for (const [index, grant] of (context.definition.access ?? []).entries())
    lintGrant(context, ['access', index], grant);
}

function lintRules(context: ResourceLint): void {
  for (const [index, rule] of (context.definition.rules ?? []).entries()) {
    const path = ['rules', index];
    if (rule.each !== undefined && context.resource.fields[rule.each]?.type !== 'lines') {
      context.report([...path, 'each'], `"${rule.each}" 不是明细`);
      continue;
    }
    const place = context.place(rule.each);
    lintMoments(context, [...path, 'on'], rule.on);
    const inputs = ruleInputs(context, rule.on);
    lintFilter(context, [...path, 'when'], rule.when, { place, record: place, inputs });
    lintFilter(context, [...path, 'assert'], rule.assert, { place, record: place, inputs });
    for (const key of ['require', 'hide', 'readOnly'] as const)
      for (const [at, name] of (rule[key] ?? []).entries()) context.field([...path, key, at], name, place);
    if (rule.at !== undefined) context.field([...path, 'at'], rule.at, place);
    if (rule.holds !== undefined)
      context.formula([...path, 'holds'], rule.holds, context.typeScope(place, { inputs }), BOOLEAN);
    if (rule.holds !== undefined && rule.at === undefined) context.report(path, '有 "holds" 的规则须有 "at"');
    for (const formula of messageFormulas(rule.message ?? ''))
      context.formula([...path, 'message'], formula, context.typeScope(place, { inputs }));
    if ((rule.assert !== undefined || rule.holds !== undefined) && rule.message === undefined)
      context.report(path, '有 "assert" 或 "holds" 的规则须有 "message"');
    const doesNothing = !rule.require && !rule.hide && !rule.readOnly && !rule.assert && !rule.holds;
    if (doesNothing) context.report(path, '规则须有 require、hide、readOnly、assert、holds 之一');
  }
}

/** Moments at which a rule is asked: actions, `submit` for whatever makes the record complete, the ends of an approval and of an amendment. */
function lintMoments(context: ResourceLint, path: JsonPath, on: RuleDefinition['on']): void {
  const known = new Set([
    ...actionsIn(context.resource),
    'submit',
    ...(hasApproval(context.resource) ? ['approved'] : []),
    ...(isAmended(context) ? [AMENDED] : []),
  ]);
  if (typeof on === 'string') context.name(path, '动作', on, known);
  else context.names(path, '动作', on, known);
}

/** What a rule of some moments may read as `input.x`: the inputs of the actions it is asked at; null where it is of none. */
function ruleInputs(context: ResourceLint, on: RuleDefinition['on']): Inputs {
  const actions = context.definition.lifecycle?.actions ?? {};
  const asked = [on ?? []].flat().flatMap((moment) => Object.entries(actions[moment]?.inputs ?? {}));
  if (asked.length === 0) return null;
  return Object.fromEntries(asked.map(([name, input]) => [name, expandField(name, input)]));
}

function lintLifecycle(context: ResourceLint): void {
  const lifecycle = context.definition.lifecycle;
  if (lifecycle === undefined) {
    if (context.definition.kind === 'document') context.report([], '单据须有 "lifecycle"');
    return;
  }
  const states = new Set(Object.keys(lifecycle.states));
  context.name(['lifecycle', 'initial'], '状态', lifecycle.initial, states);
  for (const [state, { edit }] of Object.entries(lifecycle.states))
    lintEditable(context, ['lifecycle', 'states', state, 'edit'], edit);
  for (const [key, action] of Object.entries(lifecycle.actions ?? {})) {
    const path = ['lifecycle', 'actions', key];
    if (isBaseOperation(key)) context.report(path, `动作名 "${key}" 是保留名，请换一个`, 'key');
    lintStates(context, [...path, 'from'], action.from, new Set([...states, '$new']));
    context.name([...path, 'to'], '状态', action.to, new Set([...states, '$same', '$previous']));
    for (const clock of ['daily', 'often'] as const)
      if (action[clock] === true && (action.system !== true || action.when === undefined))
        context.report([...path, clock], '由时钟执行的动作须有 "system": true 和 "when"');
    lintAction(context, path, action, states);
  }
}

function lintAction(
  context: ResourceLint,
  path: JsonPath,
  action: ActionDefinition,
  states: ReadonlySet<string>,
): void {
  const { known } = context;
  const inputs = Object.fromEntries(
    Object.entries(action.inputs ?? {}).map(([name, input]) => [name, expandField(name, input)]),
  );
  const where = { place: context.place(), record: context.place(), inputs };
  lintFilter(context, [...path, 'when'], action.when, where);
  for (const [name, input] of Object.entries(action.inputs ?? {}))
    lintField(context, [...path, 'inputs', name], plainInput(input, Object.keys(inputs)), undefined);
  for (const [name, filter] of Object.entries(action.asks ?? {})) {
    context.name([...path, 'asks', name], '填写内容', name, new Set(Object.keys(inputs)));
    lintFilter(context, [...path, 'asks', name], filter, where);
  }
  for (const [target, source] of Object.entries(action.proposes ?? {}))
    lintProposal(context, [...path, 'proposes', target], { target, source, amends: action.amends ?? [] });
  for (const formula of messageFormulas(action.confirm ?? ''))
    context.formula([...path, 'confirm'], formula, context.typeScope(context.place()));
  lintActionEffects(context, path, action, inputs);
  for (const [index, name] of (action.amends ?? []).entries())
    context.field([...path, 'amends', index], name, context.place());
  context.names([...path, 'checks'], '检查', action.checks, known.checks);
  context.names([...path, 'effects'], '处理', action.effects, known.effects);
  if (action.event !== undefined) context.name([...path, 'event'], '通知', action.event, known.events);
  if (action.refused !== undefined) {
    context.name([...path, 'refused'], '通知', action.refused, known.events);
    if (action.daily !== true && action.often !== true)
      context.report([...path, 'refused'], '只有由时钟执行的动作才有 "refused"');
  }
  lintFrozenUse(context, path, action);
  const approval = action.approval;
  if (approval === undefined) return;
  lintFrozenUse(context, [...path, 'approval'], approval);
  for (const key of ['approved', 'rejected', 'withdrawn'] as const)
    context.name(
      [...path, 'approval', key],
      '状态',
      approval[key],
      new Set([...states, '$previous', '$same']),
    );
  context.names([...path, 'approval', 'checks'], '检查', approval.checks, known.checks);
  context.names([...path, 'approval', 'effects'], '处理', approval.effects, known.effects);
  for (const [index, name] of (approval.notBy ?? []).entries())
    context.field([...path, 'approval', 'notBy', index], name, context.place());
  lintApprovalStates(context, path, action);
  lintApprovalEffects(context, [...path, 'approval'], approval);
  if (approval.event !== undefined)
    context.name([...path, 'approval', 'event'], '通知', approval.event, known.events);
}

/** A proposal stands in a field that is amended and comes from one beside it. */
function lintProposal(
  context: ResourceLint,
  path: JsonPath,
  {
    target,
    source,
    amends,
  }: { readonly target: string; readonly source: string; readonly amends: readonly string[] },
): void {
  const [head = '', column] = target.split('.');
  context.name(path, '变更的字段', head, new Set(amends));
  context.field(path, target, context.place());
  context.field(path, column === undefined ? source : `${head}.${source}`, context.place());
}

/** What is sent back leaves the state in which it waited; what is approved may go on waiting there for something else. */
function lintApprovalStates(context: ResourceLint, path: JsonPath, { to, approval }: ActionDefinition): void {
  for (const key of ['rejected', 'withdrawn'] as const)
    if (approval?.[key] === to && !to.startsWith('$'))
      context.report([...path, 'approval', key], `驳回或撤回后须离开待审状态 "${to}"`);
}

/** An input may take its currency from another input, and fill others. */
function plainInput(input: FieldDefinition, inputs: readonly string[]): FieldDefinition {
  const { fill: _fill, ...plain } = input;
  const isFromInput = input.currency !== undefined && inputs.includes(input.currency);
  return isFromInput ? { ...plain, currency: 'CNY' } : plain;
}

function lintEditable(context: ResourceLint, path: JsonPath, edit: EditableDefinition | undefined): void {
  if (edit === undefined || edit === '*') return;
  if (typeof edit === 'string') {
    context.report(path, '"edit" 应为 "*"、字段列表，或按角色的对象');
    return;
  }
  if (isNameList(edit)) {
    for (const [index, name] of edit.entries()) context.field([...path, index], name, context.place());
    return;
  }
  for (const [role, fields] of Object.entries(edit)) {
    if (role !== '*') lintRole(context, [...path, role], role);
    lintEditable(context, [...path, role], fields);
  }
}

function lintGrant(context: ResourceLint, path: JsonPath, grant: AccessDefinition): void {
  const roles = typeof grant.role === 'string' ? [grant.role] : grant.role;
  for (const [index, role] of roles.entries())
    if (role !== '*')
      lintRole(context, typeof grant.role === 'string' ? [...path, 'role'] : [...path, 'role', index], role);
  const operations = new Set<string>([
    '*',
    ...BASE_OPERATIONS,
    ...Object.keys(context.resource.lifecycle?.actions ?? {}),
  ]);
  context.names([...path, 'do'], '操作', grant.do, operations);
  if (typeof grant.rows === 'string')
    context.name([...path, 'rows'], '数据范围', grant.rows, new Set<string>(ROW_SCOPES));
  else lintFilter(context, [...path, 'rows'], grant.rows, { place: context.place(), record: null });
  for (const key of ['hide', 'show', 'tell', 'readOnly', 'write'] as const)
    for (const [index, name] of (grant[key] ?? []).entries())
      context.field([...path, key, index], name, context.place());
  for (const [lines, filter] of Object.entries(grant.lines ?? {})) {
    const here = [...path, 'lines', lines];
    if (context.resource.fields[lines]?.type !== 'lines') context.report(here, `"${lines}" 不是明细`, 'key');
    else lintFilter(context, here, filter, { place: context.place(lines), record: null });
  }
}

function lintRole(context: ResourceLint, path: JsonPath, role: string): void {
  context.name(path, '角色', role, context.known.roles);
}

function isBaseOperation(key: string): boolean {
  return (BASE_OPERATIONS as readonly string[]).includes(key);
}

function isNameList(edit: EditableDefinition): edit is readonly string[] {
  return Array.isArray(edit);
}
