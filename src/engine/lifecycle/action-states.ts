import { canSee, canWrite, type ResourceAccess, rowsFor } from '../access/resource-access.ts';
import { describeFilter } from '../filter/describe-filter.ts';
import { matchesFilter } from '../filter/matches-filter.ts';
import type { Scope } from '../filter/scope.ts';
import { formulaOf } from '../filter/resolve-operand.ts';
import { resolveFor } from '../record/compute-record.ts';
import type { FieldDefinition, FilterValue } from '../schema/definition.ts';
import { expandField } from '../schema/expand-resource.ts';
import { messageFormulas, messageText } from '../record/message-text.ts';
import { formulaReads } from '../schema/formula-reads.ts';
import type { Action, ErpRecord, Resource } from '../schema/resource.ts';
import { actsOnOthers } from './acts-on-others.ts';

/** One action of a record for a person: whether it may run now, and why not. */
export interface ActionState {
  readonly key: string;
  readonly title: string;
  readonly allowed: boolean;
  /** Null when allowed. */
  readonly reason: string | null;
  readonly confirm?: string;
  readonly reasonRequired?: boolean;
  readonly inputs?: Readonly<Record<string, FieldDefinition>>;
  /** 变更: fields whose new values go with the action, as `changes`. */
  readonly amends?: readonly string[];
  /** It may do more than change this record: what, is asked of a preview. */
  readonly actsOnOthers?: boolean;
  readonly danger?: boolean;
  readonly batch?: boolean;
}

/** The actions that the person's role may run at all, in the order of the file. System actions and those of creation are left out. */
export function actionStates(
  resource: Resource,
  record: ErpRecord,
  scope: Scope,
  access: ResourceAccess,
): readonly ActionState[] {
  return Object.values(resource.lifecycle?.actions ?? {})
    .filter((action) => action.system !== true && access.operations.has(action.key))
    .filter((action) => action.from.some((state) => state !== '$new'))
    .map((action) => {
      const here = { ...scope, resource, record };
      return describeAction(
        resource,
        withQuestion(withInputDefaults(withOpenAmends(action, access), here, access), here, access),
        refusal(resource, action, { record, scope, access }),
      );
    });
}

/** What is asked before it runs, with the figures of this record; without any that the person may not see. */
function withQuestion(action: Action, scope: Scope, access: ResourceAccess): Action {
  const { confirm } = action;
  // Most ask nothing of the record, and this runs for each action of each record that is read.
  if (confirm?.includes('{') !== true) return action;
  const { confirm: _question, ...silent } = action;
  const formulas = messageFormulas(confirm);
  const isOpen = formulas.flatMap(formulaReads).every((path) => isOwnOpen(access, path));
  return isOpen ? { ...action, confirm: messageText(confirm, scope) } : silent;
}

/** Why an action cannot run on a record now; null when it can. Inputs, checks and completeness come when it runs. */
export function actionRefusal(
  resource: Resource,
  key: string,
  run: { readonly record: ErpRecord; readonly scope: Scope; readonly access: ResourceAccess },
): string | null {
  const action = resource.lifecycle?.actions[key];
  if (action === undefined || !Object.hasOwn(resource.lifecycle?.actions ?? {}, key)) return '没有这个操作';
  if (action.system === true || !run.access.operations.has(key)) return '权限不足,请联系管理员!';
  return refusal(resource, action, run);
}

/** The state a record has after an action: `$same` keeps it, `$previous` is the one before (null when unknown). */
export function actionTarget(action: Pick<Action, 'to'>, record: ErpRecord): string | null {
  const state =
    action.to === '$same'
      ? record['status']
      : action.to === '$previous'
        ? record['previous_status']
        : action.to;
  return typeof state === 'string' ? state : null;
}

/** Why an action cannot run in the state that a record is in; null where it can. Rows and `when` are not asked. */
export function stateRefusal(
  resource: Resource,
  { from, title }: Pick<Action, 'from' | 'title'>,
  { status }: ErpRecord,
): string | null {
  if (typeof status === 'string' && from.includes(status)) return null;
  return `「${stateTitle(resource, status)}」时不能${title}${whenInstead(resource, from)}`;
}

/** What a state is called. */
export function stateTitle(resource: Pick<Resource, 'lifecycle'>, state: unknown): string {
  if (typeof state !== 'string') return '';
  const states = resource.lifecycle?.states ?? {};
  return Object.hasOwn(states, state) ? (states[state]?.title ?? state) : state;
}

/** True when the person may run an operation on this very row. */
export function isRowOpen(scope: Scope, access: ResourceAccess, operation: string): boolean {
  const { rows, companies } = rowsFor(access, operation);
  if (rows === null) return false;
  const company = scope.record['co_code'];
  const isForeign = typeof company === 'string' && company !== scope.context.subject.co_code;
  if (companies === 'own' && isForeign && scope.resource.scope === 'company') return false;
  return matchesFilter(rows, scope);
}

function refusal(
  resource: Resource,
  action: Action,
  {
    record,
    scope,
    access,
  }: { readonly record: ErpRecord; readonly scope: Scope; readonly access: ResourceAccess },
): string | null {
  const here: Scope = { ...scope, resource, record };
  const closed = stateRefusal(resource, action, record);
  if (closed !== null) return closed;
  if (!isRowOpen(here, access, action.key)) return '无权操作该记录';
  if (action.when === undefined || matchesFilter(action.when, here)) return null;
  return action.whenMessage ?? `须满足：${describeFilter(action.when, here)}`;
}

/** In which states it can be done, where they are few enough to be read. */
function whenInstead(resource: Resource, from: readonly string[]): string {
  if (from.length === 0 || from.length > MOST_STATES) return '';
  return `，${from.map((state) => `「${stateTitle(resource, state)}」`).join('、')}时才可以`;
}

const MOST_STATES = 3;

/** An amendment opens only what the role may write at all. */
function withOpenAmends(action: Action, access: ResourceAccess): Action {
  if (action.amends === undefined) return action;
  return { ...action, amends: action.amends.filter((name) => canWrite(access, name)) };
}

/**
 * The inputs that people fill in, with the values that they begin with on this record; what comes from fields that the
 * person does not see is left out.
 */
function withInputDefaults(action: Action, scope: Scope, access: ResourceAccess): Action {
  if (action.inputs === undefined) return action;
  const asked = Object.entries(action.inputs).filter(
    ([name, { readOnly }]) => readOnly !== true && isAsked(action, name, scope),
  );
  const inputs = asked.map(([name, definition]) => {
    const { default: given, ...rest } = definition;
    if (given === undefined || !defaultReads(given).every((path) => isOwnOpen(access, path)))
      return [name, rest];
    const value = resolveFor(expandField(name, definition), given, scope);
    return [name, isPlain(value) ? { ...rest, default: value } : rest];
  });
  return { ...action, inputs: Object.fromEntries(inputs) };
}

/** True where an input of an action is asked of this record at all. */
export function isAsked({ asks }: Pick<Action, 'asks'>, input: string, scope: Scope): boolean {
  const where = asks?.[input];
  return where === undefined || matchesFilter(where, scope);
}

/** The fields of the record that a default is taken from. */
function defaultReads(value: FilterValue): readonly string[] {
  const formula = formulaOf(value);
  if (formula !== null) return formulaReads(formula);
  const path: unknown = typeof value === 'object' && value !== null ? Reflect.get(value, '$') : null;
  return typeof path === 'string' && path.startsWith('record.') ? [path.slice('record.'.length)] : [];
}

function isOwnOpen(access: ResourceAccess, path: string): boolean {
  return !path.includes('.') && canSee(access, path);
}

function isPlain(value: unknown): value is string | number | boolean {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
}

function describeAction(resource: Resource, action: Action, reason: string | null): ActionState {
  return {
    key: action.key,
    title: action.title,
    allowed: reason === null,
    reason,
    ...(action.confirm === undefined ? {} : { confirm: action.confirm }),
    ...(action.reason === true ? { reasonRequired: true } : {}),
    ...(action.inputs === undefined ? {} : { inputs: action.inputs }),
    ...(action.amends === undefined ? {} : { amends: action.amends }),
    ...(actsOnOthers(resource, action) ? { actsOnOthers: true } : {}),
    ...(action.danger === true ? { danger: true } : {}),
    ...(action.batch === true ? { batch: true } : {}),
  };
}
