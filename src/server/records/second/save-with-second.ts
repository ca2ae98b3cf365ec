import type { Call } from '#server/records/call/open-call.ts';
import type { Tx } from '#server/records/call/statement.ts';
import type { OpenRecord } from '#server/records/read/attach-references.ts';
import type { CreatedRecord } from '#server/records/rules/rule-registry.ts';
import {
  addRecord,
  changeRecord,
  readForWrite,
  type RecordPatch,
} from '#server/records/write/save-record.ts';
import { runSystemAction } from '#server/records/write/system-write.ts';
import { diffRecords } from '#engine/record/diff-records.ts';
import { askSecondPerson, changesOf, waitingPart } from './second-person.ts';

/** Saves a new record; one that waits for a second person stands in its state of waiting until then. */
export async function addWithSecond(
  tx: Tx,
  call: Call,
  added: { readonly record: OpenRecord; readonly created: CreatedRecord[] },
): Promise<OpenRecord> {
  const waiting = waitingPart(call)?.created;
  if (waiting === undefined) return addRecord(tx, call, added);
  const { created } = added;
  const saved = await addRecord(tx, call, { record: { ...added.record, status: waiting.state }, created });
  const { services, caller } = call;
  const act = () =>
    runSystemAction({ tx, services, caller, created }, call.resource.resource, {
      id: String(saved['id']),
      action: waiting.action,
    });
  await changesOf(tx, call, { before: saved, write: act });
  const asked = await askSecondPerson(tx, call, {
    record: saved,
    action: waiting.action,
    changes: diffRecords(call.resource, {}, saved),
    body: {},
  });
  if (asked !== null) {
    created.push(asked);
    return saved;
  }
  return act();
}

/** Saves a PATCH; fields that need a second person are judged with the rest, left as they are and written down. */
export async function changeWithSecond(tx: Tx, call: Call, change: RecordPatch): Promise<OpenRecord> {
  const waiting = waitingPart(call);
  const names = Object.keys(change.fields).filter((name) => waiting?.fields.includes(name) === true);
  if (names.length === 0) return changeRecord(tx, call, change);
  const { id, version, fields, created } = change;
  const before = await readForWrite(tx, call, { id, version, operation: 'update' });
  const all = await changesOf(tx, call, {
    before,
    write: () => changeRecord(tx, call, { ...change, created: [] }),
  });
  const changes = all.filter(({ field }) => names.includes(field.split('.')[0] ?? ''));
  if (changes.length === 0) return changeRecord(tx, call, change);
  const body = Object.fromEntries(names.map((name) => [name, fields[name]]));
  const asked = await askSecondPerson(tx, call, { record: before, action: 'update', changes, body });
  if (asked === null) return changeRecord(tx, call, change);
  created.push(asked);
  const open = Object.fromEntries(Object.entries(fields).filter(([name]) => !names.includes(name)));
  return Object.keys(open).length === 0 ? before : changeRecord(tx, call, { ...change, fields: open });
}
