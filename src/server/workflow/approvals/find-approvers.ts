import { among } from '#server/kernel/db/among.ts';
import type { Approver } from '#contract/records.ts';
import type { LevelSource, ResolvedLevel } from '#server/records/following.ts';
import type { Call } from '#server/records/call/open-call.ts';
import type { OpenRecord } from '#server/records/read/attach-references.ts';
import type { Reader } from '#server/records/call/statement.ts';
import type { FlowLevel } from './approval-flow.ts';
import { approversAmong } from './approve-right.ts';
import { keptApart } from './kept-apart.ts';
import { approver, dutyHolders, dutyRole, type Found, holdersOfLevel, peopleAmong } from './level-holders.ts';
import type { AccountState } from './people-with-right.ts';

/**
 * The people of every level (flows.md section 6): who holds what the level names and may approve the record now. The
 * submitter never approves, nor whoever else is kept apart. A level whose only holder is such a person is skipped while a
 * later level remains; otherwise another holder acts, failing that 总经理.
 */
export async function resolveLevels(
  db: Reader,
  call: Call,
  asked: Asked & { readonly levels: readonly FlowLevel[] },
): Promise<readonly ResolvedLevel[]> {
  const resolved: ResolvedLevel[] = [];
  const apart = await keptApart(db, call, asked);
  for (const [index, level] of asked.levels.entries()) {
    const found = await holdersOfLevel(db, call, level, inForceOf(asked));
    const { persons: others } = await withRight(db, call, asked, found);
    const isLast = index === asked.levels.length - 1;
    const isOwn = found.persons.some(({ id }) => apart.has(id));
    if (others.length > 0)
      resolved.push(levelOf(level, { persons: others, reason: found.reason, skipped: null }));
    else if (isOwn && !isLast)
      resolved.push(
        levelOf(level, {
          persons: [],
          reason: found.reason,
          skipped: '提交人是该级唯一的审核人，由后续级次审核',
        }),
      );
    else resolved.push(levelOf(level, { ...(await topHolders(db, call, asked)), skipped: null }));
  }
  return resolved;
}

/** Who may decide a level of a record now, those who are kept apart left out; 总经理 when nobody else is left. */
export async function decidersNow(
  db: Reader,
  call: Call,
  asked: Asked & { readonly source: LevelSource },
): Promise<readonly Approver[]> {
  const found = await holdersOfLevel(db, call, asked.source, inForceOf(asked));
  const { persons } = await withRight(db, call, asked, found);
  return persons.length > 0 ? persons : (await topHolders(db, call, asked)).persons;
}

/**
 * Who could decide a level if the account were not closed, with the right on the record; who may is asked of `decidersNow`.
 */
export async function closedHolders(
  db: Reader,
  call: Call,
  asked: Asked & { readonly source: LevelSource },
): Promise<readonly Approver[]> {
  const { record, source } = asked;
  const closed = { record, account: 'closed' } as const;
  const found = await holdersOfLevel(db, call, source, closed);
  const top = await dutyHolders(db, call, closed, 'last_approver');
  const persons = [...found.persons, ...top];
  return (await withRight(db, call, asked, { persons, reason: '' }, 'closed')).persons;
}

/** Active people of a company by id. */
export function activePeople(
  db: Reader,
  place: { readonly company: string; readonly today: string },
  ids: readonly string[],
): Promise<readonly Approver[]> {
  return peopleAmong(db, { ...place, account: 'open' }, ids);
}

/** Names of people by id, whether they are still there or not: who decided stays named. */
export async function peopleNamed(db: Reader, ids: readonly string[]): Promise<readonly Approver[]> {
  const rows = await db.query(
    `select p.id, p.name from person p where p.id = ${among('$1')}`,
    [ids],
    'people_named',
  );
  return rows.map(approver);
}

interface Asked {
  readonly record: OpenRecord;
  readonly submitterId: string;
}

function inForceOf({ record }: Asked): { readonly record: OpenRecord; readonly account: AccountState } {
  return { record, account: 'open' };
}

function levelOf(level: FlowLevel, found: Found & { readonly skipped: string | null }): ResolvedLevel {
  const { level_no, title, mode, timeout_hours, skip_if_same, approver_kind, roles, person_ids } = level;
  const source = { approver_kind, roles, person_ids };
  return { level_no, title, mode, timeout_hours, skip_if_same, source, ...found };
}

async function topHolders(db: Reader, call: Call, asked: Asked): Promise<Found> {
  const persons = await dutyHolders(db, call, inForceOf(asked), 'last_approver');
  const name = dutyRole(call, 'last_approver')?.name ?? '';
  return withRight(db, call, asked, { persons, reason: `没有其他审核人，由${name}审核` });
}

/** Those who may approve the record now; who submitted or made it never does. */
async function withRight(
  db: Reader,
  call: Call,
  asked: Asked,
  found: Found,
  account: AccountState = 'open',
): Promise<Found> {
  const apart = await keptApart(db, call, asked);
  const people = found.persons.map(({ id }) => id).filter((id) => !apart.has(id));
  const allowed = await approversAmong(db, call, { record: asked.record, people, account });
  return { ...found, persons: found.persons.filter(({ id }) => allowed.has(id)) };
}
