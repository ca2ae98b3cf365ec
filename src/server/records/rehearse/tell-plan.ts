import type { Plan } from '#contract/plan.ts';
import type { FieldProblem } from '#engine/schema/resource.ts';
import type { AppError } from '#server/kernel/errors.ts';
import type { Call } from '#server/records/call/open-call.ts';
import type { Tx } from '#server/records/call/statement.ts';
import { sessionOf } from '#server/records/follow/write-session.ts';
import type { CreatedRecord } from '#server/records/rules/rule-registry.ts';
import { tellLimits } from './tell-limits.ts';
import { tellEntries, tellHolds, tellVouchers } from './tell-money.ts';
import { tellChanged, tellMade, tellMoved } from './tell-records.ts';

/** What was rehearsed. */
interface Rehearsed {
  /** The record that was written. */
  readonly own: { readonly resource: string; readonly id: string };
  /** The record is made by the rehearsal: there is none to look at. */
  readonly isNew?: boolean;
  readonly created: readonly CreatedRecord[];
  readonly refusal: AppError | null;
  readonly next?: Plan['next'];
  /** The inner workings of whoever rehearses: nothing of them is told. */
  readonly untold?: string;
}

const NOTHING: Pick<Plan, 'moved' | 'made' | 'changed' | 'entries' | 'holds' | 'vouchers'> = {
  moved: [],
  made: [],
  changed: [],
  entries: [],
  holds: [],
  vouchers: [],
};
const NONE: Plan['unseen'] = { moved: 0, made: 0, changed: 0, entries: 0, holds: 0, vouchers: 0, limits: 0 };

/** 将会发生什么 in the words of the resources, through the eyes of whoever asks: before the rehearsal is undone. */
export async function tellPlan(tx: Tx, call: Call, rehearsed: Rehearsed): Promise<Plan> {
  const session = sessionOf(tx);
  const { refusal, own, created, next = null, untold } = rehearsed;
  const found = await tellLimits(tx, call, session);
  const limits = rehearsed.isNew === true ? { ...found, items: found.items.map(unlinked(own.id)) } : found;
  if (refusal !== null)
    return {
      isRefused: true,
      problems: problemsOf(refusal),
      limits: limits.items,
      ...NOTHING,
      unseen: { ...NONE, limits: limits.unseen },
      next: null,
    };
  const told = { session, own, untold };
  const moved = await tellMoved(tx, call, told);
  const made = await tellMade(tx, call, [...session.made, ...created]);
  const changed = await tellChanged(tx, call, told);
  const entries = await tellEntries(tx, call, session);
  const holds = await tellHolds(tx, call, session);
  const vouchers = await tellVouchers(tx, call, session);
  return {
    isRefused: false,
    problems: session.warnings,
    limits: limits.items,
    moved: moved.items,
    made: made.items,
    changed: changed.items,
    entries: entries.items,
    holds: holds.items,
    vouchers: vouchers.items,
    unseen: {
      moved: moved.unseen,
      made: made.unseen,
      changed: changed.unseen,
      entries: entries.unseen,
      holds: holds.unseen,
      vouchers: vouchers.unseen,
      limits: limits.unseen,
    },
    next,
  };
}

/** A record that is not there yet is named as the form that it is in. */
function unlinked(id: string): (limit: Plan['limits'][number]) => Plan['limits'][number] {
  return (limit) => (limit.id === id ? { ...limit, id: null, label: '（本单据）' } : limit);
}

/** A refusal that names no place stands for the whole record. */
function problemsOf({ message, problems }: AppError): readonly FieldProblem[] {
  return problems.length > 0 ? problems : [{ path: '', code: 'refused', message }];
}
