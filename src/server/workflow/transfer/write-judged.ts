import { AppError } from '#server/kernel/errors.ts';
import type { OpenRecord } from '#server/records/read/attach-references.ts';
import type { Call } from '#server/records/call/open-call.ts';
import { beginNextWrite, settleNow } from '#server/records/follow/write-session.ts';
import { persistChanges, persistManyNew } from '#server/records/write/persist-record.ts';
import { mayFollowTogether, runSaveRules, runSaveRulesTogether } from '#server/records/write/save-rules.ts';
import type { Tx } from '#server/records/call/statement.ts';
import { endGatheredWrite } from '#server/workflow/events/gathered-events.ts';
import type { KeptRow } from './import-store.ts';
import type { JudgedRow } from './judge-rows.ts';

/** What became of judged rows: how many are there now, and why the others are not. */
export interface Written {
  readonly created: number;
  readonly updated: number;
  readonly refused: ReadonlyMap<number, KeptRow['errors']>;
}

/**
 * Writes the good ones of judged rows, each with its rules, effects and limits; what is refused then is told like what was bad
 * before.
 */
export async function writeJudged(tx: Tx, call: Call, judged: readonly JudgedRow[]): Promise<Written> {
  const refused = new Map<number, KeptRow['errors']>();
  for (const { row, problems } of judged) if (problems.length > 0) refused.set(row, problems);
  const good = judged.filter(({ row }) => !refused.has(row));
  if (!(await areWrittenTogether(tx, call, good)))
    for (const row of good) {
      const problem = await writeAlone(tx, call, row);
      if (problem !== null) refused.set(row.row, [{ column: '', message: problem }]);
    }
  const done = good.filter(({ row }) => !refused.has(row));
  const updated = done.filter(({ current }) => current !== null).length;
  return { created: done.length - updated, updated, refused };
}

/**
 * Writes rows together where nothing of one can change what becomes of another. False when they are to be written one after
 * the other: named rules look at the other rows, also at those of this file, or one of them was refused.
 */
async function areWrittenTogether(tx: Tx, call: Call, rows: readonly JudgedRow[]): Promise<boolean> {
  const { checks, effects } = call.resource;
  const hasRules = checks.save.length + effects.create.length + effects.update.length > 0 || hasEffects(call);
  const areNew = rows.every(
    ({ record, current }) => current === null && record?.['co_code'] === rows[0]?.record?.['co_code'],
  );
  if (hasRules && !(areNew && mayFollowTogether(call))) return false;
  const problem = await attempt(tx, async () => {
    const records = await writeRows(tx, call, rows);
    if (hasRules) await runSaveRulesTogether(tx, call, { records, created: [] });
  });
  return problem === null;
}

/** Writes one row with the resource's checks and effects; why it was refused, or null. */
async function writeAlone(tx: Tx, call: Call, row: JudgedRow): Promise<string | null> {
  const action = row.current === null ? ('create' as const) : ('update' as const);
  return attempt(tx, async () => {
    const [record] = await writeRows(tx, call, [row]);
    if (record === undefined) return;
    await runSaveRules(tx, call, { record, previous: row.current, action, created: [] });
  });
}

/** Does a write of its own within the transaction, limits and what moves by itself included; why it was refused, or null. */
async function attempt(tx: Tx, write: () => Promise<void>): Promise<string | null> {
  try {
    await tx.savepoint(async () => {
      await write();
      await settleNow(tx);
    });
    endGatheredWrite(tx, true);
    return null;
  } catch (error) {
    endGatheredWrite(tx, false);
    if (error instanceof AppError && error.status < 500) return error.message;
    throw error;
  } finally {
    beginNextWrite(tx);
  }
}

async function writeRows(tx: Tx, call: Call, rows: readonly JudgedRow[]): Promise<readonly OpenRecord[]> {
  const records = rows.flatMap(({ record, current }) =>
    record === null || current !== null ? [] : [record],
  );
  const changes = rows.flatMap(({ record, current }) =>
    record === null || current === null ? [] : [{ before: current, after: record }],
  );
  const created =
    records.length === 0
      ? []
      : await persistManyNew(tx, call, { records, reason: { action: 'create', opinion: '导入' } });
  const changed =
    changes.length === 0
      ? []
      : await persistChanges(tx, call, { changes, reason: { action: 'update', opinion: '导入' } });
  return [...created, ...changed];
}

/** What a row makes, posts or holds may refuse it. */
function hasEffects({ resource: { then, postings, holds, vouchers } }: Call): boolean {
  const follows = then.create.length + then.update.length + then.save.length;
  return follows + postings.length + holds.length + vouchers.length > 0;
}
