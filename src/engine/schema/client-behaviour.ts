import type { ResourceAccess } from '../access/resource-access.ts';
import { openedTo } from '../lifecycle/editable-fields.ts';
import { ruleFormulas } from '../record/message-text.ts';
import type { Filter } from './definition.ts';
import { filterReads } from './filter-reads.ts';
import { headPath } from './formula-order.ts';
import { formulaReads } from './formula-reads.ts';
import type { RuleDefinition, StateDefinition } from './lifecycle-definition.ts';
import type { Action, Lifecycle } from './resource.ts';

/** Whether a role sees what lies at a path from the head. */
export type IsVisible = (path: string) => boolean;

/** The rules that a role's browser can judge: those that read nothing hidden to it. */
export function clientRules(
  rules: readonly RuleDefinition[],
  isVisible: IsVisible,
): readonly RuleDefinition[] {
  return rules.flatMap((rule) => {
    const shown = ruleFormulas(rule).flatMap(formulaReads);
    const reads = [
      ...readsOf(rule.when, rule.each),
      ...readsOf(rule.assert, rule.each),
      ...ownPaths(shown).map((path) => headPath(path, rule.each)),
    ];
    if (!reads.every(isVisible)) return [];
    const keep = (names: readonly string[]): readonly string[] =>
      names.filter((name) => isVisible(headPath(name, rule.each)));
    return [
      {
        ...rule,
        ...(rule.require === undefined ? {} : { require: keep(rule.require) }),
        ...(rule.hide === undefined ? {} : { hide: keep(rule.hide) }),
        ...(rule.readOnly === undefined ? {} : { readOnly: keep(rule.readOnly) }),
      },
    ];
  });
}

/** The states and actions that a role's browser is told of: what states open to it, and the actions that it may take. */
export function clientLifecycle(
  lifecycle: Lifecycle,
  access: ResourceAccess,
  isVisible: IsVisible,
): Lifecycle {
  const actions = Object.values(lifecycle.actions)
    .filter((action) => action.system !== true && access.operations.has(action.key))
    .map((action): [string, Action] => [action.key, clientAction(action, isVisible)]);
  const states = Object.entries(lifecycle.states).map(
    ([key, { edit, was: _was, ...state }]): [string, StateDefinition] => {
      const opened = openedTo(edit, access.role);
      if (opened === '*') return [key, { ...state, edit: '*' }];
      const fields = [...opened].filter(isVisible);
      return [key, fields.length === 0 ? state : { ...state, edit: fields }];
    },
  );
  return {
    ...lifecycle,
    states: Object.fromEntries(states),
    retired: {},
    sealed: lifecycle.sealed.filter(isVisible),
    actions: Object.fromEntries(actions),
  };
}

/** Guards that read hidden fields are left to the server, which says with each record what is allowed. */
function clientAction(action: Action, isVisible: IsVisible): Action {
  const {
    checks: _checks,
    effects: _effects,
    event: _event,
    set: _set,
    then: _then,
    add: _add,
    pull: _pull,
    fresh: _fresh,
    when,
    approval,
    ...rest
  } = action;
  const isGuardVisible = when !== undefined && readsOf(when, undefined).every(isVisible);
  return {
    ...rest,
    ...(isGuardVisible ? { when } : {}),
    ...(approval === undefined
      ? {}
      : {
          approval: {
            approved: approval.approved,
            rejected: approval.rejected,
            withdrawn: approval.withdrawn,
            released: [],
            onRelease: [],
          },
        }),
  };
}

function readsOf(filter: Filter | undefined, lines: string | undefined): readonly string[] {
  const { fields, values } = filterReads(filter);
  return ownPaths([...fields, ...values]).map((path) => headPath(path, lines));
}

/** Without what the surroundings know. */
function ownPaths(paths: readonly string[]): readonly string[] {
  return paths.filter((path) => !/^(user|input|param|company)\.|^(today|now)$/.test(path));
}
