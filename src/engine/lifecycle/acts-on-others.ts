import { isAt } from '../ledger/posting-moment.ts';
import type { Action, Resource } from '../schema/resource.ts';

/**
 * True when an action may do more than change its own record: it starts an approval, makes or moves other documents,
 * posts, holds, or others may stand against it. Whoever runs it is shown 将会发生什么 first.
 */
export function actsOnOthers(resource: Resource, action: Action): boolean {
  const { postings, holds, vouchers, blockers, amendment } = resource;
  if (action.approval !== undefined || (action.then ?? []).length > 0 || (action.effects ?? []).length > 0)
    return true;
  if (blockers.some(({ actions }) => actions.includes(action.key))) return true;
  if (amendment !== undefined && action.to !== '$same') return true;
  const moment = { before: null, after: { status: action.to }, action: action.key };
  return (
    postings.some(({ at }) => isAt(at, moment, resource)) ||
    vouchers.some(({ at }) => isAt(at, moment, resource)) ||
    holds.some((hold) => isAt(hold.in, moment, resource) || action.from.some((from) => isHeld(from)))
  );

  function isHeld(from: string): boolean {
    return holds.some((hold) =>
      isAt(hold.in, { before: null, after: { status: from }, action: null }, resource),
    );
  }
}
