import type { FieldDefinition } from './definition.ts';
import type { StateNames } from './effects-definition.ts';
import { expandField } from './expand-resource.ts';
import type { Action, Field, Resource } from './resource.ts';
import { statesOf } from './state-groups.ts';

type InputDefinitions = Readonly<Record<string, FieldDefinition>>;

/**
 * What a posting or voucher at some moments may read as `input.x`: what every way there is given. A creation, an approval
 * and an amendment give nothing.
 */
export function momentInputs(
  { lifecycle }: Pick<Resource, 'lifecycle'>,
  at: StateNames,
): Readonly<Record<string, Field>> {
  const names = statesOf(at, lifecycle?.groups);
  const [first = {}, ...others] = names.flatMap((name) => waysTo(lifecycle, name, names));
  const shared = Object.entries(first).filter(([name, { type }]) =>
    others.every((inputs) => Object.hasOwn(inputs, name) && inputs[name]?.type === type),
  );
  return Object.fromEntries(shared.map(([name, input]) => [name, expandField(name, input)]));
}

/** The inputs of each way to a moment: of the action that it names, or of what enters the state from outside `names`. */
function waysTo(
  lifecycle: Resource['lifecycle'],
  name: string,
  names: readonly string[],
): readonly InputDefinitions[] {
  if (lifecycle === undefined || !Object.hasOwn(lifecycle.states, name))
    return [lifecycle?.actions[name]?.inputs ?? {}];
  const ways = Object.values(lifecycle.actions).flatMap((action): readonly InputDefinitions[] => {
    const isEntry = action.from.some((state) => !names.includes(state));
    const own = isEntry && (action.to === name || action.to === '$previous') ? [action.inputs ?? {}] : [];
    return isApprovedInto(action, name) ? [...own, {}] : own;
  });
  return lifecycle.initial === name ? [{}, ...ways] : ways;
}

/** Whether the end of an action's approval enters a state; what is sent back goes where it came from. */
function isApprovedInto({ from, approval }: Action, state: string): boolean {
  if (approval === undefined) return false;
  return [approval.approved, approval.rejected, approval.withdrawn].some(
    (end) => end === state || (end.startsWith('$') && from.includes(state)),
  );
}
