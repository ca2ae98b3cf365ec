import type { InboxCounts, InboxQuery, InboxTab } from '#contract/approval.ts';
import type { ListPage } from '#contract/lists.ts';
import type { Filter } from '#engine/schema/definition.ts';
import type { OpenRecord } from '#server/records/read/attach-references.ts';
import { parseListRequest } from '#server/records/list/list-request.ts';
import { type Call, openAnyCall } from '#server/records/call/open-call.ts';
import { listConditions, queryRecords } from '#server/records/list/query-records.ts';
import { tableOf } from '#server/records/call/table-source.ts';
import type { Caller, Services } from '#server/records/services.ts';
import { batchRefusal } from './decide-batch.ts';
import { inboxFacts } from './inbox-rows.ts';
import { TASKS } from './approval-tasks.ts';
import { approvedKinds } from './approved-kinds.ts';
import { delegationsTo } from './delegations.ts';

const INBOX_TABS = ['mine', 'done', 'submitted'] as const satisfies readonly InboxTab[];
type InboxGroup = InboxCounts['groups'][number];

/** A page of the inbox: what waits for me, what I decided, what I submitted that still waits. */
export async function queryInbox(services: Services, caller: Caller, query: InboxQuery): Promise<ListPage> {
  const { tab, ...rest } = query;
  const call = await inboxCall(services, caller, tab);
  const answer = await queryRecords(call, parseListRequest(call, rest));
  const now = services.clock().getTime();
  const facts = await inboxFacts(services, caller, { tab, tasks: answer.records });
  return {
    ...answer,
    records: answer.records.map((record) => ({
      ...presentTask(call, record, now),
      ...facts.get(String(record['id'])),
    })),
  };
}

/** How much waits, by document type with the oldest and the total amount. */
export async function countInbox(services: Services, caller: Caller): Promise<InboxCounts> {
  const [mine, done, submitted] = await Promise.all(
    INBOX_TABS.map(async (tab) => countTab(await inboxCall(services, caller, tab))),
  );
  return {
    mine: mine ?? 0,
    done: done ?? 0,
    submitted: submitted ?? 0,
    groups: await groupTasks(await inboxCall(services, caller, 'mine')),
  };
}

async function countTab(call: Call): Promise<number> {
  const { where, values } = listConditions(call, { filters: null, keyword: '' });
  const [row] = await call.services.db.query(
    `select count(*)::int as n from ${tableOf(call.resource)} t where ${where}`,
    values,
  );
  return Number(row?.['n'] ?? 0);
}

async function groupTasks(call: Call): Promise<readonly InboxGroup[]> {
  const { where, values } = listConditions(call, { filters: null, keyword: '' });
  const rows = await call.services.db.query(
    `select t.resource, count(*)::int as count, min(t.submitted_at) as oldest, sum(t.amount_cny)::text as amount
     from ${tableOf(call.resource)} t where ${where} group by t.resource order by min(t.submitted_at)`,
    values,
  );
  const now = call.services.clock().getTime();
  return rows.map((row) => ({
    resource: String(row['resource']),
    title: titleOf(call, row['resource']),
    count: Number(row['count']),
    oldestHours: hoursSince(row['oldest'], now),
    amountCny: typeof row['amount'] === 'string' ? row['amount'] : null,
  }));
}

/** A call for the tasks of a tab: whose they are decides, not what the role may list. */
async function inboxCall(services: Services, caller: Caller, tab: InboxTab): Promise<Call> {
  const call = openAnyCall(services, caller, TASKS);
  const rows = await tabRows(services, caller, tab);
  return { ...call, access: { ...call.access, rows, companies: 'own', hidden: new Set(), lines: {} } };
}

async function tabRows(services: Services, caller: Caller, tab: InboxTab): Promise<Filter> {
  const { id } = caller.subject;
  if (caller.subject.kind !== 'staff') return { and: [{ submitter_id: { eq: NOBODY } }] };
  if (tab === 'done') return { acted_by: { eq: id } };
  if (tab === 'submitted') return { submitter_id: { eq: id }, status: { eq: 'pending' } };
  const given = await delegationsTo(services.db, id, caller.context.today);
  const whole = given.flatMap((one) => (one.kinds === null ? [one.id] : []));
  return {
    status: { eq: 'pending' },
    or: [
      { assignee_ids: { hasAny: [id, ...whole] } },
      ...given.flatMap((one) =>
        one.kinds === null ? [] : [{ assignee_ids: { has: one.id }, resource: { in: one.kinds } }],
      ),
    ],
    submitter_id: { ne: id },
    resource: { in: await approvedKinds(services.db, services, id) },
  };
}

const NOBODY = '00000000-0000-0000-0000-000000000000';

function presentTask(call: Call, record: OpenRecord, now: number): OpenRecord {
  const key = String(record['resource']);
  const resource = call.catalog.resources[key];
  const page =
    resource?.pages.find(({ kind }) => kind === 'approval') ??
    resource?.pages.find(({ kind }) => kind === 'details');
  return {
    ...record,
    resource_title: titleOf(call, key),
    route: page?.route ?? null,
    waiting_hours: hoursSince(record['submitted_at'], now),
    batch_refusal: batchRefusal(call.caller, record),
  };
}

function titleOf(call: Call, key: unknown): string {
  return call.catalog.resources[String(key)]?.title ?? String(key);
}

function hoursSince(instant: unknown, now: number): number {
  const from = typeof instant === 'string' ? Date.parse(instant) : Number.NaN;
  return Number.isNaN(from) ? 0 : Math.max(0, Math.floor((now - from) / 3_600_000));
}
