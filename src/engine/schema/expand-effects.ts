import type { ResourceDefinition } from './definition.ts';
import type { LifecycleDefinition } from './lifecycle-definition.ts';
import type { StateNames } from './effects-definition.ts';
import type { Field, Resource } from './resource.ts';
import { statesOf } from './state-groups.ts';

type Effects = Pick<
  Resource,
  'limits' | 'makes' | 'then' | 'blockers' | 'exclude' | 'postings' | 'holds' | 'vouchers'
> &
  Partial<Pick<Resource, 'tree' | 'amendment' | 'secondPerson' | 'ledger' | 'account' | 'voucherBook'>>;

/** What a resource does to others, with nothing left out: absent lists are empty. */
export function expandEffects(definition: ResourceDefinition): Effects {
  const { then, tree, amendment, secondPerson, ledger, account, voucherBook } = definition;
  return {
    limits: definition.limits ?? [],
    makes: definition.makes ?? {},
    then: {
      create: then?.create ?? [],
      update: then?.update ?? [],
      save: then?.save ?? [],
      delete: then?.delete ?? [],
    },
    blockers: definition.blockers ?? [],
    exclude: definition.exclude ?? [],
    ...(tree === undefined ? {} : { tree }),
    ...(amendment === undefined ? {} : { amendment }),
    ...(secondPerson === undefined ? {} : { secondPerson }),
    ...(ledger === undefined ? {} : { ledger }),
    ...(account === undefined ? {} : { account }),
    postings: definition.postings ?? [],
    holds: definition.holds ?? [],
    vouchers: definition.vouchers ?? [],
    ...(voucherBook === undefined ? {} : { voucherBook }),
  };
}

/**
 * When a field with `until` is taken: at the entry into its states, and at every write in a state that is reached before
 * any of them (the draft shows the figure, the approval fixes it).
 */
export function frozenOf(
  until: StateNames,
  lifecycle: LifecycleDefinition | undefined,
): NonNullable<Field['frozen']> {
  const at = statesOf(until, lifecycle?.groups);
  const open = new Set<string>();
  const visit = (state: string): void => {
    if (open.has(state) || at.includes(state)) return;
    open.add(state);
    for (const next of statesAfter(state, lifecycle)) visit(next);
  };
  if (lifecycle !== undefined) visit(lifecycle.initial);
  return { at, open: [...open] };
}

function statesAfter(state: string, lifecycle: LifecycleDefinition | undefined): readonly string[] {
  return Object.values(lifecycle?.actions ?? {}).flatMap((action) => {
    if (!statesOf(action.from, lifecycle?.groups).includes(state)) return [];
    const { approval } = action;
    const ends = approval === undefined ? [] : [approval.approved, approval.rejected, approval.withdrawn];
    return [action.to, ...ends].filter((name) => !name.startsWith('$'));
  });
}
