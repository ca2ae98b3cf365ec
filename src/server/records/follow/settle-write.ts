import { runOwnAction } from '#server/records/action/run-action.ts';
import { AppError } from '#server/kernel/errors.ts';
import { matchesFilter } from '#engine/filter/matches-filter.ts';
import type { Action, FieldProblem, Resource } from '#engine/schema/resource.ts';
import { lockRank } from '#server/records/call/lock-order.ts';
import { type Call, openSystemCall } from '#server/records/call/open-call.ts';
import { recordScope } from '#server/records/call/record-scope.ts';
import type { Tx } from '#server/records/call/statement.ts';
import type { OpenRecord } from '#server/records/read/attach-references.ts';
import { refreshRollups } from '#server/records/derive/refresh-rollups.ts';
import { updateRow } from '#server/records/write/write-rows.ts';
import { readStored, readStoredMany } from '#server/records/read/read-stored.ts';
import { tellOverdrawn } from '#server/records/ledger/tell-overdrawn.ts';
import { refuseClosed } from '#server/records/ledger/voucher-period.ts';
import { checkExclusions } from './check-exclusions.ts';
import { checkLimits } from './check-limits.ts';
import { type MovedRecord, recordKey, type Submitted, type WriteSession } from './write-session.ts';
import { writtenRecord } from './written-record.ts';

/** So many steps one write may take by itself; more is a circle that the lint did not see. */
const MAX_STEPS = 1_000;

/**
 * What ends every transaction that wrote records, once all else of it is done: records move themselves (`auto`) until
 * nothing moves, then exclusions and limits are judged on everything that moved.
 */
export async function settleWrite(tx: Tx, session: WriteSession): Promise<void> {
  const standing = await moveByThemselves(tx, session);
  const problems = [...(await checkExclusions(tx, session)), ...(await checkLimits(tx, session, standing))];
  session.warnings.push(...problems.filter(({ level }) => level === 'warning'));
  refuse(problems);
  for (const submitted of session.submitted.splice(0)) await lookAhead(tx, session, submitted);
  await tellOverdrawn(tx, session);
}

function refuse(problems: readonly FieldProblem[]): void {
  const errors = problems.filter(({ level }) => level !== 'warning');
  const [first] = errors;
  if (first !== undefined) throw new AppError('RULE_REFUSED', { message: first.message, problems: errors });
}

/**
 * What cannot be approved is not submitted: not into a closed month, and the limits are asked with the record in the
 * state that its approval enters; all is undone again.
 */
async function lookAhead(tx: Tx, session: WriteSession, submitted: Submitted): Promise<void> {
  const { id, approved } = submitted;
  const call = openSystemCall(
    submitted.call.services,
    submitted.call.caller,
    submitted.call.resource.resource,
  );
  const before = await readStored(tx, call, id);
  if (before === null || approved.startsWith('$')) return;
  const document = { resource: call.resource, record: before };
  await refuseClosed(tx, call, { dates: daysOf(call.resource, approved, before), document });
  try {
    await tx.savepoint(async () => {
      const after = { ...before, status: approved };
      await updateRow(tx, call.resource, { id, company: before['co_code'], columns: { status: approved } });
      await refreshRollups(tx, call, { before, after });
      throw new LookedAhead(await checkLimits(tx, session));
    });
  } catch (error) {
    if (!(error instanceof LookedAhead)) throw error;
    refuse(error.problems);
  }
}

/** The days that the head names for what is posted when it enters a state; what names none is of the day itself. */
function daysOf({ postings, vouchers }: Resource, state: string, record: OpenRecord): readonly unknown[] {
  // What is taken back is entered where it was, whatever has become of that month.
  return [...postings.filter(({ reverse }) => reverse === undefined), ...vouchers]
    .filter(({ at, date }) => at === state && date !== undefined)
    .map(({ date = '' }) => record[date.replace(/^parent\./, '')]);
}

/** Undoes what was only tried. */
class LookedAhead extends Error {
  constructor(readonly problems: readonly FieldProblem[]) {
    super('looked ahead');
  }
}

/** Gives the records that were looked at last, by their keys: nothing has moved since. */
async function moveByThemselves(tx: Tx, session: WriteSession): Promise<ReadonlyMap<string, OpenRecord>> {
  for (let steps = 0; steps < MAX_STEPS; steps += 1) {
    const standing = new Map<string, OpenRecord>();
    const next = await nextToMove(tx, session, standing);
    if (next === null) return standing;
    session.ran.add(next.key);
    await runOwnAction(tx, next.call, { action: next.action, before: next.record });
  }
  throw new AppError('INTERNAL', { cause: new TypeError('records kept moving each other') });
}

interface Move {
  readonly key: string;
  readonly call: Call;
  readonly action: Action;
  readonly record: OpenRecord;
}

/** The first record in the lock order that would move, with the first of its actions in the file's order. */
async function nextToMove(
  tx: Tx,
  session: WriteSession,
  standing: Map<string, OpenRecord>,
): Promise<Move | null> {
  const isOpen = (one: MovedRecord): boolean => !one.isGone && openActions(session, one).length > 0;
  const moved = inLockOrder([...session.moved.values()].filter(isOpen));
  for (const { call, group } of byCall(moved)) {
    const records = await recordsNow(tx, call, group);
    for (const one of group) {
      const record = records.get(one.id);
      if (record === undefined) continue;
      standing.set(recordKey(one.resource.resource, one.id), record);
      const scope = recordScope(call, record);
      const action = openActions(session, one).find(
        ({ from, when }) => from.includes(String(record['status'])) && matchesFilter(when, scope),
      );
      if (action !== undefined) return { key: ranKey(one, action.key), call, action, record };
    }
  }
  return null;
}

/** Locked records as they are now: what this transaction wrote last is known, and locked since. */
async function recordsNow(
  tx: Tx,
  call: Call,
  group: readonly MovedRecord[],
): Promise<ReadonlyMap<string, OpenRecord>> {
  const known = group.map((one) => writtenRecord(tx, one));
  const unread = group.filter((_one, index) => known[index] === null).map(({ id }) => id);
  const read = unread.length === 0 ? [] : await readStoredMany(tx, call, unread, { isLocking: true });
  const records = [...known.filter((record) => record !== null), ...read];
  return new Map(records.map((record) => [String(record['id']), record]));
}

/** Records next to each other that are read by the same call. */
function byCall(
  moved: readonly MovedRecord[],
): readonly { readonly call: Call; readonly group: readonly MovedRecord[] }[] {
  const groups: { call: Call; group: MovedRecord[]; key: string }[] = [];
  for (const one of moved) {
    const { services, caller } = one.call;
    const key = `${one.resource.resource} ${caller.subject.co_code}`;
    const last = groups.at(-1);
    if (last?.key === key) last.group.push(one);
    else groups.push({ call: openSystemCall(services, caller, one.resource.resource), group: [one], key });
  }
  return groups;
}

/** The actions by which a record may move itself out of a state that it was in, and has not yet. */
function openActions(session: WriteSession, one: MovedRecord): readonly Action[] {
  return autoActions(one).filter(
    ({ key, from }) => from.some((state) => one.states.has(state)) && !session.ran.has(ranKey(one, key)),
  );
}

function autoActions({ resource }: MovedRecord): readonly Action[] {
  return Object.values(resource.lifecycle?.actions ?? {}).filter(({ auto }) => auto === true);
}

function ranKey(one: MovedRecord, action: string): string {
  return `${recordKey(one.resource.resource, one.id)}:${action}`;
}

/** Moved records in the order in which they are locked. */
export function inLockOrder(moved: readonly MovedRecord[]): readonly MovedRecord[] {
  return moved.toSorted(
    (a, b) =>
      lockRank(a.call.catalog, a.resource.resource) - lockRank(b.call.catalog, b.resource.resource) ||
      (a.id < b.id ? -1 : 1),
  );
}
