import type { StateNames } from '../schema/effects-definition.ts';
import type { ErpRecord, Resource } from '../schema/resource.ts';
import { statesOf } from '../schema/state-groups.ts';

/** A write as postings, holds and vouchers see it: the head before (null for a new record) and after, and what ran. */
export interface PostingMoment {
  readonly before: ErpRecord | null;
  readonly after: ErpRecord;
  /** The key of the action, `approved` and the like; null for a plain save. */
  readonly action: string | null;
}

/** The moment at which a record comes to be. */
export const CREATION = 'create';

/** The moment at which the changes of an approved amendment are written. */
export const AMENDED = 'amended';

/**
 * Whether a write is the moment that `at` names: one of these states is entered from outside them, or the action ran, or
 * `create` and the record is new. A name of both is the state: the approval of a reversal is no `approved` settlement.
 */
export function isAt(at: StateNames, moment: PostingMoment, resource: Pick<Resource, 'lifecycle'>): boolean {
  const names = statesOf(at, resource.lifecycle?.groups);
  const isIn = (record: ErpRecord | null): boolean =>
    record !== null && names.includes(String(record['status']));
  const isState = moment.action !== null && Object.hasOwn(resource.lifecycle?.states ?? {}, moment.action);
  if (moment.action !== null && !isState && names.includes(moment.action)) return true;
  if (moment.before === null && names.includes(CREATION)) return true;
  return isIn(moment.after) && !isIn(moment.before);
}

/** Whether a record is in one of the states. */
export function isInStates(
  states: StateNames,
  record: ErpRecord | null,
  resource: Pick<Resource, 'lifecycle'>,
): boolean {
  if (record === null) return false;
  return statesOf(states, resource.lifecycle?.groups).includes(String(record['status']));
}
