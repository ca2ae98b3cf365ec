import { REPORT_SUBSCRIPTIONS } from '#contract/kept-rows.ts';
import type { ReportResult } from '#contract/reports.ts';
import type { ReportDefinition } from '#engine/report/report-definition.ts';
import { companyToday } from '#engine/values/dates.ts';
import { staffSubjects } from '#server/auth/subject.ts';
import { AppError } from '#server/kernel/errors.ts';
import type { JobTask } from '#server/kernel/worker.ts';
import type { Tx } from '#server/records/call/statement.ts';
import { systemCaller } from '#server/records/call/system-caller.ts';
import { paramsOf, servedReport } from '#server/records/report/report-params.ts';
import { runReport } from '#server/records/report/run-report.ts';
import type { Caller, Services } from '#server/records/services.ts';
import type { OpenRecord } from '#server/records/read/attach-references.ts';
import { updateRecordFields } from '#server/records/write/system-write.ts';
import { readEventSource } from '#server/workflow/events/event-source.ts';
import { reportSummary } from './report-summary.ts';
import { type DueReport, dueReport, FREQUENCIES, type Frequency } from './subscription-due.ts';

const TASK = 'send_report_subscriptions';
const EVENT = 'REPORT_SENT';
const LINES = 500;

/** Subscriptions of reports, into the message centre. */
export function subscriptionTasks(services: Services): Readonly<Record<string, JobTask>> {
  return { [TASK]: () => sendSubscriptions(services) };
}

/** In UTC: 07:00 in Shanghai. What is due is found by its day, so that a day nobody was up is made up for. */
export const SUBSCRIPTION_SCHEDULE = [{ task: TASK, pattern: '0 23 * * *' }] as const;

interface Subscription {
  readonly id: string;
  readonly co_code: string;
  readonly report: number;
  readonly name: string;
  readonly every: Frequency;
  readonly role_code: string;
  readonly params: string | null;
  readonly created_by: string;
}

/**
 * Sends what is due, each in a transaction of its own: the day is noted with the notice, so that two processes send it
 * once and one that dies sends it next time. A subscription whose person or right is gone ends, and says why.
 */
export async function sendSubscriptions(services: Services): Promise<void> {
  const today = companyToday(services.clock());
  for (const every of FREQUENCIES) {
    const due = dueReport(every, today);
    const rows = await services.db.query<Subscription & Record<string, unknown>>(
      `select id, co_code, report, name, every, role_code, params, created_by from report_subscription s
       where every = $1 and ${STILL_DUE} order by id`,
      [every, due.on],
    );
    for (const row of rows)
      await send(services, row, due).catch((error: unknown) =>
        services.log.error({ err: error, id: row.id }, 'report subscription failed'),
      );
  }
}

/** Neither ended nor sent, and made before its day. */
const STILL_DUE = `s.is_deleted = false and s.ended_reason is null and coalesce(s.last_on, (s.created_at at time zone 'Asia/Shanghai')::date) < $2::date`;

async function send(services: Services, row: Subscription, due: DueReport): Promise<void> {
  const subject = (await staffSubjects(services.db, row.created_by, services.clock())).find(
    ({ role_code: role, co_code: company }) => role === row.role_code && company === row.co_code,
  );
  if (subject === undefined) return end(services, row, { due, reason: '人员已离职或已没有订阅时的角色' });
  const context = services.definitions.contextFor(subject, services.clock());
  const caller: Caller = { subject, sessionId: '', requestId: row.id, address: '', context };
  try {
    const report = servedReport(services, caller, String(row.report));
    const params = paramsOfPeriod(report, row, due);
    const values = paramsOf(report, params, caller);
    const result = await runReport(services, caller, { report, values, limit: LINES });
    await deliver(services, row, { due, result, link: linkTo(report, params) });
  } catch (error) {
    if (!(error instanceof AppError) || error.status >= 500 || error.status === 429) throw error;
    await end(services, row, { due, reason: `报表不能再打开：${error.message}` });
  }
}

/** What was chosen; the days are those that have just ended, of which one alone is the last. */
function paramsOfPeriod(
  report: ReportDefinition,
  { params: text }: Subscription,
  due: DueReport,
): Readonly<Record<string, unknown>> {
  const { params = {} } = report;
  const chosen: unknown = text === null || text === '' ? {} : JSON.parse(text);
  const own = Object.entries(typeof chosen === 'object' && chosen !== null ? chosen : {}).filter(
    ([name]) => params[name]?.type !== 'date',
  );
  const { from, to } = daysOf(report);
  const days = [[from, due.from] as const, [to, due.to] as const].filter(([name]) => name !== undefined);
  return Object.fromEntries([...own, ...days]);
}

/** The parameters of a report's days: its period, else the first and the last of its dates, or the one that it has. */
function daysOf({ params = {}, rows }: ReportDefinition): { readonly from?: string; readonly to?: string } {
  if (rows.period !== undefined) return rows.period;
  const dates = Object.keys(params).filter((name) => params[name]?.type === 'date');
  const [first, last] = [dates[0], dates.at(-1)];
  if (last === undefined) return {};
  return first === undefined || first === last ? { to: last } : { from: first, to: last };
}

function linkTo({ route }: ReportDefinition, params: Readonly<Record<string, unknown>>): string {
  return `${route}?${new URLSearchParams({ p: JSON.stringify(params) }).toString()}`;
}

async function deliver(
  services: Services,
  row: Subscription,
  sent: { readonly due: DueReport; readonly result: ReportResult; readonly link: string },
): Promise<void> {
  const { due, result, link } = sent;
  await services.db.transaction(async (tx) => {
    if (!(await isStillDue(tx, row, due))) return;
    await note(tx, services, row, { fields: { last_on: due.on }, action: 'send' });
    await tell(tx, services, row, {
      title: `${result.title}（${due.from} 至 ${due.to}）`,
      content: reportSummary(result),
      link,
    });
  });
}

/** Asked with the row locked: of two processes one sends. */
async function isStillDue(tx: Tx, row: Subscription, due: DueReport): Promise<boolean> {
  const rows = await tx.query(
    `select 1 from report_subscription s where id = $1::uuid and ${STILL_DUE} for update`,
    [row.id, due.on],
  );
  return rows.length > 0;
}

async function note(
  tx: Tx,
  services: Services,
  row: Subscription,
  change: { readonly fields: OpenRecord; readonly action: string; readonly opinion?: string },
): Promise<void> {
  const caller = systemCaller(services, row.co_code);
  await updateRecordFields({ tx, services, caller }, REPORT_SUBSCRIPTIONS, { id: row.id, ...change });
}

async function end(
  services: Services,
  row: Subscription,
  { due, reason }: { readonly due: DueReport; readonly reason: string },
): Promise<void> {
  await services.db.transaction(async (tx) => {
    if (!(await isStillDue(tx, row, due))) return;
    const fields = { ended_reason: reason.slice(0, 200) };
    await note(tx, services, row, { fields, action: 'end', opinion: reason });
    await tell(tx, services, row, { title: `订阅已结束：${row.name}`, content: reason });
  });
}

async function tell(
  tx: Tx,
  services: Services,
  row: Subscription,
  notice: { readonly title: string; readonly content: string; readonly link?: string },
): Promise<void> {
  const source = await readEventSource(tx, services, EVENT);
  if (source === null) return;
  await services.notices.notify(tx, {
    event: EVENT,
    to: [row.created_by],
    coCode: row.co_code,
    level: source.level,
    isLive: false,
    ...notice,
  });
}
