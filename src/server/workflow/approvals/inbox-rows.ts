import type { InboxTab } from '#contract/approval.ts';
import { compareDecimals } from '#engine/values/decimal.ts';
import { canSee } from '#engine/access/resource-access.ts';
import { currencyOf } from '#engine/record/compute-record.ts';
import { diffRecords } from '#engine/record/diff-records.ts';
import { mainAmount } from '#engine/record/main-amount.ts';
import { mainParty } from '#engine/record/main-party.ts';
import { linesOf } from '#engine/record/record-lines.ts';
import type { Field, Resource } from '#engine/schema/resource.ts';
import { callersReader } from '#server/records/call/behind-wall.ts';
import { type Call, openAnyCall, openSystemCall } from '#server/records/call/open-call.ts';
import { recordScope } from '#server/records/call/record-scope.ts';
import type { Reader } from '#server/records/call/statement.ts';
import { attachReferences, type OpenRecord } from '#server/records/read/attach-references.ts';
import { readStoredMany } from '#server/records/read/read-stored.ts';
import type { Caller, Services } from '#server/records/services.ts';
import { snapshotOf } from './approval-case.ts';

/** What an approver wants to know of a document before opening it. */
export interface InboxFacts {
  /** Customer, supplier or whoever else the document is about; null when it has none or the reader may not know. */
  readonly party: string | null;
  /** In the document's own currency. */
  readonly amount: string | null;
  readonly currency: string | null;
  /**
   * Titles of the fields that differ from the last submission, each once; null: submitted for the first time. Of an
   * amendment: what it changes of its document, whenever it was submitted.
   */
  readonly changed: readonly string[] | null;
}

/**
 * The facts of the documents behind tasks, by task id. Whoever has to decide learns them of every document; who decided or
 * submitted once, of those that are open to the present role: the figures are today's.
 */
export async function inboxFacts(
  services: Services,
  caller: Caller,
  { tab, tasks }: { readonly tab: InboxTab; readonly tasks: readonly OpenRecord[] },
): Promise<ReadonlyMap<string, InboxFacts>> {
  const earlier = await earlierSubmissions(services.db, tasks);
  const facts = new Map<string, InboxFacts>();
  for (const key of new Set(tasks.map((task) => String(task['resource'])))) {
    if (services.definitions.catalog().resources[key] === undefined) continue;
    const call = openAnyCall(services, caller, key);
    const ofKind = tasks.filter((task) => task['resource'] === key);
    const ids = [...new Set(ofKind.map((task) => String(task['record_id'])))];
    const records = await documents(call, ids, tab === 'mine');
    for (const task of ofKind) {
      const record = records.get(String(task['record_id']));
      const before = earlier.get(`${key} ${String(task['record_id'])}`) ?? null;
      if (record !== undefined) facts.set(String(task['id']), factsOf(call, record, before));
    }
  }
  return facts;
}

async function documents(
  call: Call,
  ids: readonly string[],
  isDecider: boolean,
): Promise<ReadonlyMap<string, OpenRecord>> {
  const { services, caller, catalog, resource } = call;
  const records = isDecider
    ? await readStoredMany(services.db, openSystemCall(services, caller, resource.resource), ids)
    : await readStoredMany(callersReader(call), call, ids);
  await attachReferences(services.db, {
    catalog,
    resource,
    records,
    withPaths: false,
    withLabels: true,
    company: caller.subject.co_code,
    reader: call,
  });
  return new Map(records.map((record) => [String(record['id']), record]));
}

function factsOf(call: Call, record: OpenRecord, before: OpenRecord | null): InboxFacts {
  const { resource } = call;
  const sees = (field: Field | undefined): field is Field =>
    field !== undefined && canSee(call.access, field.name);
  const amount = mainAmount(resource);
  const value = sees(amount) ? record[amount.name] : null;
  return {
    party: mainParty(resource, record, sees),
    amount: typeof value === 'string' && isSaid(resource, value) ? value : null,
    currency: sees(amount) ? currencyOf(amount, recordScope(call, record)) : null,
    changed: amendedTitles(call, record) ?? (before === null ? null : changedTitles(call, before, record)),
  };
}

/** Of what is no document no amount says nothing: a buyer without a line of credit is not one of 0.00. */
function isSaid({ kind }: Resource, amount: string): boolean {
  return kind === 'document' || compareDecimals(amount, '0') !== 0;
}

/** What an amendment changes, by the titles of the document's own fields; null for what is no amendment. */
function amendedTitles(call: Call, record: OpenRecord): readonly string[] | null {
  const { amendment } = call.resource;
  if (amendment === undefined) return null;
  const target = openAnyCall(call.services, call.caller, amendment.of);
  const titles = linesOf(record, amendment.changes).flatMap((change) => {
    const [head = ''] = String(change['field'] ?? '').split('.');
    const field = target.resource.fields[head];
    return field === undefined || !canSee(target.access, head) ? [] : [field.title];
  });
  return [...new Set(titles)];
}

function changedTitles(call: Call, before: OpenRecord, record: OpenRecord): readonly string[] {
  const titles = diffRecords(call.resource, before, snapshotOf(record)).flatMap(({ field }) => {
    const [head = ''] = field.split('.');
    const own = call.resource.fields[head];
    if (own === undefined || own.standard || own.internal === true) return [];
    return canSee(call.access, head) ? [own.title] : [];
  });
  return [...new Set(titles)];
}

/** The records as they stood at the submission before the last, by `resource id`. */
async function earlierSubmissions(
  db: Reader,
  tasks: readonly OpenRecord[],
): Promise<ReadonlyMap<string, OpenRecord>> {
  const rows = await db.query(
    `select resource, record_id::text as id, snapshot from (
       select c.resource, c.record_id, c.snapshot,
         row_number() over (partition by c.resource, c.record_id order by c.submitted_at desc, c.id desc) as place
       from sys_approval_case c
       where (c.resource, c.record_id) in (select r, i::uuid from unnest($1::text[], $2::text[]) as asked (r, i))
     ) ranked where place = 2`,
    [tasks.map((task) => String(task['resource'])), tasks.map((task) => String(task['record_id']))],
    'earlier_submissions',
  );
  return new Map(
    rows.map((row) => [
      `${String(row['resource'])} ${String(row['id'])}`,
      // Written by insertCase alone.
      (row['snapshot'] ?? {}) as OpenRecord,
    ]),
  );
}
