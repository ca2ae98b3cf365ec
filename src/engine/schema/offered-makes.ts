import type { FollowDefinition, MakeDefinition } from './effects-definition.ts';
import type { Filter } from './definition.ts';
import type { Action, Resource } from './resource.ts';

/** A make that a person may begin: the made document's form is opened, filled and unsaved. */
export interface OfferedMake {
  readonly key: string;
  readonly make: MakeDefinition;
  readonly title: string;
  /** The action that makes it; it runs when the form is saved. Null: the make stands for itself. */
  readonly action: Action | null;
  /** For which records the action makes it; null for all. */
  readonly when: Filter | null;
}

/**
 * The makes of a resource that open a form: those of an action that asks nothing else, and those that say so themselves
 * (`"as": "form"`). What saves a draft, runs an action of it or adds to a document that is there opens none.
 */
export function offeredMakes(resource: Resource): readonly OfferedMake[] {
  return Object.entries(resource.makes).flatMap(([key, make]): readonly OfferedMake[] => {
    if (!isWholeDocument(make)) return [];
    const carriers = Object.values(resource.lifecycle?.actions ?? {}).filter((action) => makes(action, key));
    const action = carriers.find((carrier) => opensForm(carrier, make)) ?? null;
    if (action === null && (carriers.length > 0 || make.as !== 'form')) return [];
    const when = action === null ? null : (entryOf(action, key)?.when ?? null);
    return [{ key, make, title: action?.title ?? make.title ?? key, action, when }];
  });
}

const CONSTANT = /^'([^']*)'$/;

/** The values that a made document begins with whatever it is made from: which of several forms it is opened in. */
export function fixedValues({ map = {} }: MakeDefinition): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(map).flatMap(([name, formula]) => {
      const value = typeof formula === 'string' ? CONSTANT.exec(formula)?.[1] : undefined;
      return value === undefined ? [] : [[name, value]];
    }),
  );
}

function isWholeDocument({ as, to, into, do: after }: MakeDefinition): boolean {
  return as !== 'draft' && !to.includes('.') && into === undefined && after === undefined;
}

/** An action of people that makes it, once a record. */
function makes(action: Action, key: string): boolean {
  return action.system !== true && action.auto !== true && entryOf(action, key) !== undefined;
}

function entryOf(action: Action, key: string): FollowDefinition | undefined {
  return (action.then ?? []).find(
    ({ make, each, changed }) => make === key && each === undefined && changed === undefined,
  );
}

/** Of several documents only one is filled: then the action may not move its record. */
function opensForm(action: Action, { each, per }: MakeDefinition): boolean {
  const asksMore =
    action.approval !== undefined ||
    action.reason === true ||
    action.amends !== undefined ||
    Object.keys(action.inputs ?? {}).length > 0;
  return !asksMore && ((each === undefined && per === undefined) || action.to === '$same');
}
