import type { Action, Resource } from '#engine/schema/resource.ts';
import { filterToSql } from '#engine/filter/filter-to-sql.ts';
import { companyMidnight } from '#engine/values/dates.ts';
import { AppError } from '#server/kernel/errors.ts';
import { currentCatalog } from '#server/records/call/overrides.ts';
import { companiesOf } from '#server/records/call/record-companies.ts';
import { openSystemCall } from '#server/records/call/open-call.ts';
import { bind, quoteName } from '#server/records/call/statement.ts';
import { systemCaller } from '#server/records/call/system-caller.ts';
import { readStored } from '#server/records/read/read-stored.ts';
import { runSystemAction } from '#server/records/write/system-write.ts';
import type { Services } from '#server/records/services.ts';
import type { JobTask } from '#server/kernel/worker.ts';
import { emitEvent } from '#server/workflow/events/emit-event.ts';
import { noteTold } from '#server/workflow/events/told-once.ts';
import { remindOfTasks } from './task-reminders.ts';

const DAY_END_TASK = 'day_end';
const REMIND_TASK = 'remind_of_tasks';

/** What the clock does: the daily actions of the definitions, and reminders of late approvals. */
export function dayEndTasks(services: Services): Readonly<Record<string, JobTask>> {
  return {
    [DAY_END_TASK]: () => runDailyActions(services),
    [REMIND_TASK]: async () => {
      await remindOfTasks(services);
      await runClockActions(services, 'often');
    },
  };
}

/** In UTC: 00:10 in Shanghai, when the day has turned, and every ten minutes. */
export const DAY_END_SCHEDULE = [
  { task: DAY_END_TASK, pattern: '10 16 * * *' },
  { task: REMIND_TASK, pattern: '*/10 * * * *', isMadeUpFor: false },
] as const;

/**
 * Runs every action that its definition calls `daily` on the records in one of its states to which its `when` applies
 * today, each in a transaction of its own. What another process did meanwhile is passed over, so it may run twice and
 * at once; a record that cannot be moved is logged, or told where its action says to whom, and stops no other.
 */
export function runDailyActions(services: Services): Promise<void> {
  return runClockActions(services, 'daily');
}

export async function runClockActions(services: Services, clock: 'daily' | 'often'): Promise<void> {
  for (const resource of Object.values(currentCatalog(services).resources))
    for (const action of Object.values(resource.lifecycle?.actions ?? {}))
      if (action[clock] === true)
        await runOnAll(services, resource, action).catch((error: unknown) =>
          services.log.error(
            { err: error, resource: resource.resource, action: action.key },
            'clock action could not look for its records',
          ),
        );
}

async function runOnAll(services: Services, resource: Resource, action: Action): Promise<void> {
  for (const { id, company } of await dueRecords(services, resource, action)) {
    const caller = systemCaller(services, company);
    try {
      await services.db.transaction((tx) =>
        runSystemAction({ tx, services, caller }, resource.resource, { id, action: action.key }),
      );
    } catch (error) {
      if (error instanceof AppError && error.code === 'ACTION_NOT_ALLOWED') continue;
      if (error instanceof AppError && action.refused !== undefined) {
        const event = action.refused;
        await tellRefused(services, resource, { event, id, company, why: error });
        continue;
      }
      services.log.error(
        { err: error, resource: resource.resource, action: action.key, id },
        'clock action failed',
      );
    }
  }
}

/** Tells why a record could not be moved, once a day also when several processes try. */
async function tellRefused(
  services: Services,
  resource: Resource,
  told: { readonly event: string; readonly id: string; readonly company: string; readonly why: AppError },
): Promise<void> {
  const { event, id, company, why } = told;
  const caller = systemCaller(services, company);
  const call = openSystemCall(services, caller, resource.resource);
  const opinion = why.problems.map(({ message }) => message).join('；');
  await services.db.transaction(async (tx) => {
    const since = companyMidnight(caller.context.today);
    const isFirst = await noteTold(tx, services, { event, about: id, since });
    const record = isFirst ? await readStored(tx, call, id) : null;
    if (record === null) return;
    await emitEvent(tx, call, { event, record, opinion: opinion === '' ? why.message : opinion });
  });
}

interface DueRecord {
  readonly id: string;
  /** Empty for resources that no company owns. */
  readonly company: string;
}

/** By company: each has parameters of its own. */
async function dueRecords(
  services: Services,
  resource: Resource,
  action: Action,
): Promise<readonly DueRecord[]> {
  const due: DueRecord[] = [];
  for (const company of await companiesOf(services, resource)) {
    const values: unknown[] = [];
    const states = bind(values, action.from);
    const own = resource.scope === 'company' ? ` and t.co_code = ${bind(values, company)}` : '';
    const where = filterToSql(action.when ?? {}, {
      resource,
      catalog: currentCatalog(services),
      alias: 't',
      context: systemCaller(services, company).context,
      values,
    });
    const rows = await services.db.query<{ id: string }>(
      `select t.id from ${quoteName(resource.resource)} t
       where t.is_deleted = false and t.status = any(${states}::text[])${own} and ${where} order by t.id`,
      values,
    );
    due.push(...rows.map(({ id }) => ({ id, company })));
  }
  return due;
}
