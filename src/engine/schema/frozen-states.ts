import type { StateNames } from './effects-definition.ts';
import type { ApprovalDefinition, LifecycleDefinition } from './lifecycle-definition.ts';
import type { Field } from './resource.ts';
import { statesOf } from './state-groups.ts';

/**
 * When a field with `until` is taken: at the entry into its states, and at every write in a state that is reached before
 * any of them (the draft shows the figure, the approval fixes it). What is rejected or withdrawn is prepared anew. A state
 * that is only left for the one of before (变更中 of a document) is none of them: nothing moves while it lasts.
 */
export function frozenOf(
  until: StateNames,
  lifecycle: LifecycleDefinition | undefined,
): NonNullable<Field['frozen']> {
  const at = statesOf(until, lifecycle?.groups);
  const open = new Set<string>();
  if (lifecycle === undefined) return { at, open: [] };
  const visit = (state: string): void => {
    if (open.has(state) || at.includes(state) || isInterlude(state, lifecycle)) return;
    open.add(state);
    for (const next of statesAfter(state, lifecycle)) visit(next);
  };
  visit(lifecycle.initial);
  for (const { to, approval } of Object.values(lifecycle.actions ?? {}))
    if (at.includes(to)) for (const state of endsOf(approval).back) visit(state);
  return { at, open: [...open] };
}

/** Whether a state is left for the one of before alone. */
function isInterlude(state: string, { actions, groups }: LifecycleDefinition): boolean {
  const ways = Object.values(actions ?? {}).filter(
    ({ from, to, approval }) =>
      statesOf(from, groups).includes(state) && (to !== '$same' || approval !== undefined),
  );
  return ways.length > 0 && ways.every(({ to, approval }) => to === '$previous' && approval === undefined);
}

/** An approval begins in the state that its action goes to, and ends from there. */
function statesAfter(state: string, { actions, groups }: LifecycleDefinition): readonly string[] {
  return Object.values(actions ?? {}).flatMap(({ from, to, approval }) => {
    const isFrom = statesOf(from, groups).includes(state);
    const { on, back } = to === state || (isFrom && isKept(to)) ? endsOf(approval) : NO_ENDS;
    return [...(isFrom && !isKept(to) ? [to] : []), ...on, ...back];
  });
}

interface Ends {
  readonly on: readonly string[];
  /** What is to be prepared anew. */
  readonly back: readonly string[];
}

const NO_ENDS: Ends = { on: [], back: [] };

function endsOf(approval: ApprovalDefinition | undefined): Ends {
  if (approval === undefined) return NO_ENDS;
  const { approved, rejected, withdrawn } = approval;
  return {
    on: [approved].filter((state) => !isKept(state)),
    back: [rejected, withdrawn].filter((state) => !isKept(state)),
  };
}

/** `$same`, `$previous`: no state of its own. */
function isKept(state: string): boolean {
  return state.startsWith('$');
}
