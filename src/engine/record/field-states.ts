import { describeFilter } from '../filter/describe-filter.ts';
import { matchesFilter } from '../filter/matches-filter.ts';
import type { Scope } from '../filter/scope.ts';
import type { RuleDefinition } from '../schema/lifecycle-definition.ts';
import type { ErpRecord, Field, Resource } from '../schema/resource.ts';
import { followedFields, followingLists, isFollowing } from './followed-lines.ts';
import { filterReads } from '../schema/filter-reads.ts';
import { linesOf, lineScope } from './record-lines.ts';

/** Why a field is hidden, required or read-only now, each a plain Chinese sentence; absent when it is not. */
export interface FieldState {
  readonly hidden?: string;
  readonly required?: string;
  readonly readOnly?: string;
  /** Lines: why they neither come nor go by hand. */
  readonly fixedRows?: string;
}

/** By path: `lc_no`, `items.supplier_id` (the column in every line), `items.0.supplier_id` (one line). */
export type FieldStates = Readonly<Record<string, FieldState>>;

/** The state of every field that is not simply open. A hidden field is never required. */
export function fieldStates(resource: Resource, record: ErpRecord, scope: Scope): FieldStates {
  const isNew = record['id'] === undefined || record['id'] === null;
  const states: Record<string, FieldState> = { ...staticStates(resource, isNew) };
  const here: Scope = { ...scope, resource, record };
  for (const rule of stateRules(resource)) addRule(states, rule, here);
  for (const lines of followingLists(resource)) addFollowed(states, lines, here);
  for (const [path, state] of Object.entries(states))
    if (state.hidden !== undefined) states[path] = { hidden: state.hidden };
  return states;
}

/**
 * Whether a field, or a column in every line, is read-only now: the same as its state says, without the sentences that
 * say why. What is hidden is not.
 */
export function readOnlyNow(resource: Resource, record: ErpRecord, scope: Scope): (path: string) => boolean {
  const isNew = record['id'] === undefined || record['id'] === null;
  const fixed = staticStates(resource, isNew);
  const here: Scope = { ...scope, resource, record };
  const hidden = new Set<string>();
  const closed = new Set<string>();
  for (const rule of stateRules(resource)) {
    if (rule.each !== undefined || (rule.hide ?? rule.readOnly) === undefined || !isRuleActive(rule, here))
      continue;
    for (const name of rule.hide ?? []) hidden.add(name);
    for (const name of rule.readOnly ?? []) closed.add(name);
  }
  return (path) => !hidden.has(path) && (closed.has(path) || fixed[path]?.readOnly !== undefined);
}

/** The state of one cell: what holds for its table, its column and the line itself. */
export function cellState(
  states: FieldStates,
  lines: string,
  at: { readonly index: number; readonly column: string },
): FieldState {
  const table = states[lines];
  const merged = { ...states[`${lines}.${at.column}`], ...states[`${lines}.${at.index}.${at.column}`] };
  const hidden = table?.hidden ?? merged.hidden;
  return hidden === undefined ? merged : { hidden };
}

/** True when a rule's condition holds; a rule without one always does. */
export function isRuleActive(rule: RuleDefinition, scope: Scope): boolean {
  return rule.when === undefined || matchesFilter(rule.when, scope);
}

const known = { stored: new WeakMap<Resource, FieldStates>(), added: new WeakMap<Resource, FieldStates>() };

/** What no rule decides: the same for all records of a resource, new ones and stored ones apart. */
function staticStates(resource: Resource, isNew: boolean): FieldStates {
  const remembered = known[isNew ? 'added' : 'stored'];
  const before = remembered.get(resource);
  if (before !== undefined) return before;
  const states: Record<string, FieldState> = {};
  for (const field of Object.values(resource.fields)) {
    addStatic(states, field.name, field, { resource, isNew });
    for (const cell of Object.values(field.fields ?? {}))
      addStatic(states, `${field.name}.${cell.name}`, cell, { resource, isNew });
  }
  remembered.set(resource, states);
  return states;
}

interface Standing {
  readonly resource: Resource;
  readonly isNew: boolean;
}

function addStatic(states: Record<string, FieldState>, path: string, field: Field, standing: Standing): void {
  const readOnly = staticReadOnly(field, standing);
  const isRequired = field.required && !field.computed && !(standing.isNew && field.drawn === true);
  if (!isRequired && readOnly === null) return;
  states[path] = { ...(isRequired ? { required: '必填' } : {}), ...(readOnly === null ? {} : { readOnly }) };
}

function staticReadOnly(field: Field, { resource, isNew }: Standing): string | null {
  const taken = takenHow(field);
  if (taken !== null) return `${taken}${frozenWhen(field, resource)}`;
  if (field.computed) return '由系统写入';
  if (field.readOnly === true) return '只读';
  return field.fixed === true && !isNew ? '新增后不可修改' : null;
}

/** Where the value of a formula, figure or find comes from. */
function takenHow({ formula, stored, rollup, find }: Field): string | null {
  if (formula !== undefined) return stored === false ? '由公式在查看时计算' : '由公式自动计算';
  if (rollup !== undefined) return '由关联单据自动汇总';
  return find === undefined ? null : '自动取第一条符合的记录';
}

/** `，进入「已审核」时取值，之后不再变化` */
function frozenWhen({ frozen }: Field, { lifecycle }: Resource): string {
  if (frozen === undefined) return '';
  const titles = frozen.at.map((state) => `「${lifecycle?.states[state]?.title ?? state}」`);
  return `，进入${titles.join('或')}时取值，之后不再变化`;
}

const ruling = new WeakMap<Resource, readonly RuleDefinition[]>();

/** The rules that say anything of fields: the others need not be asked whether they hold. */
function stateRules(resource: Resource): readonly RuleDefinition[] {
  const before = ruling.get(resource);
  if (before !== undefined) return before;
  const rules = resource.rules.filter(
    ({ hide, require, readOnly }) => hide !== undefined || require !== undefined || readOnly !== undefined,
  );
  ruling.set(resource, rules);
  return rules;
}

function addRule(states: Record<string, FieldState>, rule: RuleDefinition, scope: Scope): void {
  if (rule.each === undefined) {
    if (isRuleActive(rule, scope)) setStates(states, rule, { scope, prefix: '' });
    return;
  }
  if (readsHeadOnly(rule)) {
    const any = lineScope(scope, rule.each, {});
    if (isRuleActive(rule, any)) setStates(states, rule, { scope: any, prefix: `${rule.each}.` });
    return;
  }
  for (const [index, line] of linesOf(scope.record, rule.each).entries()) {
    const inner = lineScope(scope, rule.each, line);
    if (isRuleActive(rule, inner))
      setStates(states, rule, { scope: inner, prefix: `${rule.each}.${index}.` });
  }
}

const ofHead = new WeakMap<RuleDefinition, boolean>();

/** True when a rule of lines holds for all of them or for none: its column is so before there is a line. */
function readsHeadOnly(rule: RuleDefinition): boolean {
  const before = ofHead.get(rule);
  if (before !== undefined) return before;
  const { fields, values } = filterReads(rule.when);
  const is = [...fields, ...values].every((path) => /^(parent|user|today|now)\b/.test(path));
  ofHead.set(rule, is);
  return is;
}

/** What follows other values is not written by hand, neither its lines nor their followed columns. */
function addFollowed(states: Record<string, FieldState>, lines: Field, scope: Scope): void {
  if (!isFollowing(lines, scope)) return;
  const titles = followedFields(lines).map((name) => scope.resource.fields[name]?.title ?? name);
  const why = `由${titles.join('、')}带出`;
  states[lines.name] = { ...states[lines.name], fixedRows: why };
  for (const column of Object.keys(lines.follows ?? {})) {
    const path = `${lines.name}.${column}`;
    states[path] = { ...states[path], readOnly: why };
  }
}

function setStates(
  states: Record<string, FieldState>,
  rule: RuleDefinition,
  { scope, prefix }: { readonly scope: Scope; readonly prefix: string },
): void {
  const when = rule.when === undefined ? '' : `因为${describeFilter(rule.when, scope)}，`;
  const set = (name: string, state: FieldState): void => {
    const path = `${prefix}${name}`;
    states[path] = { ...state, ...states[path] };
  };
  for (const name of rule.hide ?? []) set(name, { hidden: `${when}不适用` });
  for (const name of rule.require ?? []) set(name, { required: `${when}必填` });
  for (const name of rule.readOnly ?? []) set(name, { readOnly: `${when}只读` });
}
