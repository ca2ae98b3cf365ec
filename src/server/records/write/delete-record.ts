import { AppError } from '#server/kernel/errors.ts';
import { deleteRefusal } from '#engine/lifecycle/delete-refusal.ts';
import type { Resource } from '#engine/schema/resource.ts';
import type { OpenRecord } from '#server/records/read/attach-references.ts';
import type { Call } from '#server/records/call/open-call.ts';
import type { CreatedRecord } from '#server/records/rules/rule-registry.ts';
import { askSecondPerson, doesWait } from '#server/records/second/second-person.ts';
import { valuesInForce } from '#server/records/second/told-changes.ts';
import { keepAnswer } from './keep-answer.ts';
import { persistChange } from './persist-record.ts';
import { closeTarget } from '#server/records/follow/amendment.ts';
import { checkBlockers } from '#server/records/follow/check-blockers.ts';
import { syncHolds } from '#server/records/ledger/hold-amounts.ts';
import { entriesOf } from '#server/records/ledger/posted-entries.ts';
import { runFollows } from '#server/records/follow/run-follows.ts';
import { refuseProblems, runEffects } from '#server/records/rules/run-rules.ts';
import { afterWrite, inTransaction, readForWrite, requireWritable } from './save-record.ts';
import { quoteName, type Tx } from '#server/records/call/statement.ts';
import { linesTableOf, tableOf } from '#server/records/call/table-source.ts';

/**
 * Soft-deletes a record. Documents only in their initial state and never submitted; nothing that others refer to.
 * Gives the document that asks a second person, when it does not happen at once.
 */
export async function deleteRecord(call: Call, id: string, version: number): Promise<CreatedRecord | null> {
  requireWritable(call);
  const remove = async (tx: Tx): Promise<CreatedRecord | null> => {
    const before = await readForWrite(tx, call, { id, version, operation: 'delete' });
    const waiting = doesWait(call, 'delete')
      ? await askSecondPerson(tx, call, {
          record: before,
          action: 'delete',
          changes: valuesInForce(call.resource, before, 'old'),
          body: {},
        })
      : null;
    if (waiting === null) await removeRecord(tx, call, before);
    return waiting;
  };
  const asked = await inTransaction(call, remove, async (tx, waiting) => {
    await keepAnswer(tx, call.caller, null);
    return waiting;
  });
  await afterWrite(call);
  return asked;
}

/** Deletes a record that was read under a lock, with all that follows. */
export async function removeRecord(tx: Tx, call: Call, before: OpenRecord): Promise<void> {
  const refusal = deleteRefusal(call.resource, before);
  if (refusal !== null) throw new AppError('ACTION_NOT_ALLOWED', { message: refusal });
  refuseProblems(await checkBlockers(tx, call, { action: 'delete', record: before }), 'RULE_REFUSED');
  const user = await findReferring(tx, call, before);
  if (user !== null) throw new AppError('REFERENCED', { message: `该记录已被${user.title}引用，不能删除` });
  await refusePosted(tx, call, before);
  await persistChange(tx, call, {
    before,
    after: { ...before },
    reason: { action: 'delete' },
    storage: { is_deleted: true },
  });
  await syncHolds(tx, call, { before, after: null, scope: null });
  await runEffects(call.resource.effects.delete, {
    tx,
    call,
    record: before,
    previous: before,
    action: 'delete',
    created: [],
  });
  const context = { tx, services: call.services, caller: call.caller, created: [] };
  if (call.resource.amendment !== undefined) await closeTarget(context, call, before);
  await runFollows(tx, call, call.resource.then.delete, {
    record: before,
    previous: before,
    action: 'delete',
    created: [],
  });
}

/** Entries stay for ever, and so does what they came from. */
async function refusePosted(tx: Tx, call: Call, record: OpenRecord): Promise<void> {
  if (call.resource.postings.length === 0) return;
  const entries = await entriesOf(tx, call, [String(record['id'])]);
  if (entries.length > 0) throw new AppError('REFERENCED', { message: '已过账，不能删除' });
}

/** The first resource with a live record that refers to this one. */
async function findReferring(tx: Tx, call: Call, record: OpenRecord): Promise<Resource | null> {
  const { catalog, resource } = call;
  const parts: string[] = [];
  const owners: Resource[] = [];
  for (const owner of Object.values(catalog.resources)) {
    if (owner.kind === 'view') continue;
    const company = owner.scope === 'company' && resource.scope === 'company' ? 't.co_code = $2 and ' : '';
    const add = (text: string): void => {
      parts.push(`(select ${owners.length}::int as n ${text} limit 1)`);
      owners.push(owner);
    };
    for (const field of Object.values(owner.fields)) {
      if (field.type === 'reference' && field.to === resource.resource && !field.standard)
        add(
          `from ${tableOf(owner)} t where ${company}${matches(`t.${quoteName(field.name)}`, field.multiple)} and t.is_deleted = false and t.id <> $1::uuid`,
        );
      for (const cell of Object.values(field.fields ?? {}))
        if (cell.type === 'reference' && cell.to === resource.resource)
          add(
            `from ${linesTableOf(owner, field.name)} t join ${tableOf(owner)} h on h.id = t.parent_id where ${company}${matches(`t.${quoteName(cell.name)}`, cell.multiple)} and h.is_deleted = false and h.id <> $1::uuid`,
          );
    }
  }
  if (parts.length === 0) return null;
  const usesCompany = parts.some((part) => part.includes('$2'));
  const values = usesCompany ? [record['id'], record['co_code']] : [record['id']];
  const [row] = await tx.query(`select n from (${parts.join(' union all ')}) x limit 1`, values);
  return row === undefined ? null : (owners[Number(row['n'])] ?? null);
}

function matches(column: string, isList: boolean | undefined): string {
  return isList === true ? `$1::uuid = any(${column})` : `${column} = $1::uuid`;
}
