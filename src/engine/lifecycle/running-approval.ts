import type { Resource } from '../schema/resource.ts';
import { type ActionState, actionTarget } from './action-states.ts';

/** What an approval that keeps the state of its record (冲销, 追回) is called while it runs. */
export interface RunningApproval {
  readonly action: string;
  readonly title: string;
}

/** True where the state alone does not tell whether an approval runs: one that keeps it can begin there. */
export function mayRunUnseen({ lifecycle }: Resource, status: unknown): boolean {
  if (typeof status !== 'string') return false;
  return Object.values(lifecycle?.actions ?? {}).some(
    (action) =>
      action.approval !== undefined &&
      action.from.includes(status) &&
      actionTarget(action, { status }) === status,
  );
}

/** The running approval by its action, null where none runs. */
export function runningApproval(resource: Resource, action: string | null): RunningApproval | null {
  return action === null ? null : { action, title: resource.lifecycle?.actions[action]?.title ?? action };
}

/** Why no second approval begins. */
export function runningRefusal({ title }: RunningApproval): string {
  return `“${title}”正在审核，请等审核结束，或先撤回`;
}

/** The actions of a record while an approval runs: none that would begin another. */
export function whileApproved(
  { lifecycle }: Resource,
  states: readonly ActionState[],
  running: RunningApproval | null,
): readonly ActionState[] {
  if (running === null) return states;
  return states.map((state) =>
    state.allowed && lifecycle?.actions[state.key]?.approval !== undefined
      ? { ...state, allowed: false, reason: runningRefusal(running) }
      : state,
  );
}
