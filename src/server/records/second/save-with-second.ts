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
import type { RecordChange } from '#engine/record/diff-records.ts';
import type { SecondPersonDefinition } from '#engine/schema/effects-definition.ts';
import { askSecondPerson, changesOf, waitingPart } from './second-person.ts';
import { valuesInForce } from './told-changes.ts';

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
    changes: valuesInForce(call.resource, saved),
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
  const counted = [...(waiting?.fields ?? []), ...(waiting?.until ?? [])];
  const sent = Object.keys(change.fields).filter((name) => counted.includes(name));
  if (waiting === null || sent.length === 0) return changeRecord(tx, call, change);
  const { id, version, fields, created } = change;
  const before = await readForWrite(tx, call, { id, version, operation: 'update' });
  const all = await changesOf(tx, call, {
    before,
    write: () => changeRecord(tx, call, { ...change, created: [] }),
  });
  const { today } = call.caller.context;
  const names = sent.filter(
    (name) =>
      waiting.fields.includes(name) ||
      reopens(waiting, { name, today, status: before['status'], changes: all }),
  );
  const changes = all.filter(({ field }) => names.includes(field.split('.')[0] ?? ''));
  if (changes.length === 0) return changeRecord(tx, call, change);
  const body = Object.fromEntries(names.map((name) => [name, fields[name]]));
  const asked = await askSecondPerson(tx, call, { record: before, action: 'update', changes, body });
  if (asked === null) return changeRecord(tx, call, change);
  created.push(asked);
  const open = Object.fromEntries(Object.entries(fields).filter(([name]) => !names.includes(name)));
  return Object.keys(open).length === 0 ? before : changeRecord(tx, call, { ...change, fields: open });
}

/** A last day that has come, and is taken away or moved on: as good as enabling, which a record that is disabled waits for besides. */
function reopens(
  { created, until = [] }: SecondPersonDefinition,
  asked: {
    readonly name: string;
    readonly today: string;
    readonly status: unknown;
    readonly changes: readonly RecordChange[];
  },
): boolean {
  const { name, today, status, changes } = asked;
  const change = changes.find(({ field }) => field === name);
  if (change === undefined || !until.includes(name) || status === created?.state) return false;
  const isReached = (day: unknown): boolean => typeof day === 'string' && day !== '' && day <= today;
  return isReached(change.old) && !isReached(change.new);
}
