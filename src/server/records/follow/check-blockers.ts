import { among } from '#server/kernel/db/among.ts';
import { matchesFilter } from '#engine/filter/matches-filter.ts';
import type { BlockerDefinition } from '#engine/schema/effects-definition.ts';
import type { ErpRecord, FieldProblem } from '#engine/schema/resource.ts';
import { type Call, openAnyCall } from '#server/records/call/open-call.ts';
import { rowConditions } from '#server/records/call/row-conditions.ts';
import { tableOf } from '#server/records/call/table-source.ts';
import { recordScope } from '#server/records/call/record-scope.ts';
import type { Reader } from '#server/records/call/statement.ts';
import { countOthers, findOthers, type OtherRecord } from './find-others.ts';

/** Those that the caller may read: of the others only their number is told. */
export async function readableAmong(
  db: Reader,
  call: Call,
  records: readonly OtherRecord[],
): Promise<readonly OtherRecord[]> {
  const readable = new Set<string>();
  for (const key of new Set(records.map(({ resource }) => resource))) {
    const own = openAnyCall(call.services, call.caller, key);
    if (!own.access.operations.has('read')) continue;
    const ids = records.filter(({ resource }) => resource === key).map(({ id }) => id);
    const values: unknown[] = [ids];
    const conditions = [`t.id = ${among('$1')}`, ...rowConditions(own, { alias: 't', values })];
    const rows = await db.query(
      `select t.id from ${tableOf(own.resource)} t where ${conditions.join(' and ')}`,
      values,
    );
    for (const row of rows) readable.add(String(row['id']));
  }
  return records.filter(({ id }) => readable.has(id));
}

/** So many of the records that stand against an action are named. */
const MAX_NAMED = 20;

/** What stands against an action of a record (`approved` for the last approval, `delete`): one problem a blocker, with the first records. */
export async function checkBlockers(
  db: Reader,
  call: Call,
  asked: { readonly action: string; readonly record: ErpRecord; readonly input?: ErpRecord },
): Promise<readonly FieldProblem[]> {
  const problems: FieldProblem[] = [];
  for (const blocker of call.resource.blockers) {
    if (!blocker.actions.includes(asked.action)) continue;
    const problem = await blockerProblem(db, call, blocker, asked);
    if (problem !== null) problems.push(problem);
  }
  return problems;
}

async function blockerProblem(
  db: Reader,
  call: Call,
  blocker: BlockerDefinition,
  asked: { readonly record: ErpRecord; readonly input?: ErpRecord },
): Promise<FieldProblem | null> {
  const source = recordScope(call, asked.record, asked.input);
  if (blocker.when !== undefined && !matchesFilter(blocker.when, source)) return null;
  const found = await findOthers(db, call, { others: blocker, source, limit: MAX_NAMED });
  const records = found.map(({ resource, id, label }) => ({ resource, id, label }));
  if (records.length === 0) return null;
  const count =
    records.length < MAX_NAMED ? records.length : await countOthers(db, call, { others: blocker, source });
  return {
    path: blocker.at ?? '',
    code: 'blocked',
    message: blocker.message,
    ...(blocker.level === 'warning' ? { level: blocker.level } : {}),
    detail: { count, records: await readableAmong(db, call, records) },
  };
}
