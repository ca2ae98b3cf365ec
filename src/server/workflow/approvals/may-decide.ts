import { among } from '#server/kernel/db/among.ts';
import type { Approver } from '#contract/records.ts';
import type { OpenRecord } from '#server/records/read/attach-references.ts';
import type { Call } from '#server/records/call/open-call.ts';
import type { Reader, Tx } from '#server/records/call/statement.ts';
import type { ApprovalCase, CaseLevel } from './approval-case.ts';
import { approversAmong } from './approve-right.ts';
import { delegatorsOf } from './delegations.ts';
import { keptApart } from './kept-apart.ts';
import { activePeople, decidersNow } from './find-approvers.ts';
import { textOf } from '#server/records/call/text-of.ts';

/** A task of a running approval, and the record it is about. */
export interface OpenTask {
  readonly task: OpenRecord;
  readonly running: ApprovalCase;
  readonly record: OpenRecord;
}

/** How somebody may decide: in the own name (null), or for a colleague who gave a delegation. */
export interface Standing {
  readonly onBehalfOf: Approver | null;
}

/**
 * How the caller may decide a task at this moment; null when not at all. Whoever the level asks for now may: an active
 * person of its role and scope with the approve right on the record. Of a level that all must decide, each has an own
 * task; it falls to the others only when its person may no longer. A delegate needs the right too, and stands for
 * somebody who could still decide.
 */
export async function standingOf(db: Reader, call: Call, open: OpenTask): Promise<Standing | null> {
  const { subject, context } = call.caller;
  const { running, record, task } = open;
  const level = running.flow.levels.find(({ tasks }) => tasks.includes(String(task['id'])));
  if (subject.kind !== 'staff' || level === undefined) return null;
  const apart = await keptApart(db, call, { record, submitterId: running.flow.submitter_id });
  if (apart.has(subject.id)) return null;
  const mayApprove = await approversAmong(db, call, { record, people: [subject.id] });
  if (!mayApprove.has(subject.id)) return null;
  const asked = await askedNow(db, call, { ...open, level });
  if (asked.some(({ id }) => id === subject.id)) return { onBehalfOf: null };
  const delegators = new Set(
    await delegatorsOf(db, subject.id, { today: context.today, kind: call.resource.resource }),
  );
  const behind = asked.find(({ id }) => delegators.has(id));
  return behind === undefined ? null : { onBehalfOf: behind };
}

/**
 * On whose right a task rests that is handed on, by id: whoever hands it on (for whom, when for a colleague) where the level
 * asks for that person now, else the one whose right it rests on already.
 */
export async function rightBehind(
  db: Reader,
  call: Call,
  { task, running, record, level }: OpenTask & { readonly level: CaseLevel },
): Promise<string> {
  const own = call.caller.onBehalfOf?.id ?? call.caller.subject.id;
  const submitterId = running.flow.submitter_id;
  const holders = await decidersNow(db, call, { source: level.source, record, submitterId });
  return holders.some(({ id }) => id === own) ? own : (level.handed?.[String(task['id'])] ?? own);
}

/** Keeps the people of a decision as they are until it is committed: a dismissal at the same moment comes before or after it. */
export async function lockPeople(tx: Tx, call: Call): Promise<void> {
  const { subject, context } = call.caller;
  const at = { today: context.today, kind: call.resource.resource };
  const people = [subject.id, ...(await delegatorsOf(tx, subject.id, at))].sort();
  await tx.query(
    `select id from person where id = ${among('$1')} order by id for share`,
    [people],
    'people_of_decision',
  );
}

async function askedNow(
  db: Reader,
  call: Call,
  { task, running, record, level }: OpenTask & { readonly level: CaseLevel },
): Promise<readonly Approver[]> {
  const submitterId = running.flow.submitter_id;
  const holders = await decidersNow(db, call, { source: level.source, record, submitterId });
  const named = assigneesOf(task);
  const giver = level.handed?.[String(task['id'])];
  if (giver !== undefined) {
    // Handed on by hand: for the one it was given to, while its giver could still decide.
    const stillGiven = holders.some(({ id }) => id === giver);
    const given = stillGiven ? await approversAmong(db, call, { record, people: named }) : new Set<string>();
    if (given.size > 0) return namesOf(db, call, record, [...given]);
  }
  if (level.mode === 'any') return holders;
  const left = holders.filter(({ id }) => named.includes(id));
  if (left.length > 0) return left;
  const busy = new Set(level.persons.map(({ id }) => id));
  const free = holders.filter(({ id }) => !busy.has(id));
  return free.length > 0 ? free : holders;
}

function namesOf(
  db: Reader,
  call: Call,
  record: OpenRecord,
  ids: readonly string[],
): Promise<readonly Approver[]> {
  const company = textOf(record['co_code'] ?? call.caller.subject.co_code);
  return activePeople(db, { company, today: call.caller.context.today }, ids);
}

function assigneesOf(task: OpenRecord): readonly string[] {
  const named: unknown = task['assignee_ids'];
  return Array.isArray(named) ? named.map(String) : [];
}
