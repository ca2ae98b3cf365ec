import { delegatesOf } from '#server/workflow/approvals/delegations.ts';
import { emitEvent } from '#server/workflow/events/emit-event.ts';
import { noteTold } from '#server/workflow/events/told-once.ts';
import { openSystemCall } from '#server/records/call/open-call.ts';
import { currentCatalog } from '#server/records/call/overrides.ts';
import { readStored } from '#server/records/read/read-stored.ts';
import type { Tx } from '#server/records/call/statement.ts';
import { systemCaller } from '#server/records/call/system-caller.ts';
import type { Services } from '#server/records/services.ts';

const EVENT = 'TASK_TIMEOUT';

type LateTask = {
  readonly id: string;
  readonly co_code: string;
  readonly resource: string;
  readonly record_id: string;
  readonly assignee_ids: readonly string[];
  readonly due_at: string;
};

/**
 * Tells the approvers of a task whose time has passed, who stands in for them and their departments' managers, once a
 * task, by whatever channel: judged under a lock on the task, so several processes may run it at once.
 */
export async function remindOfTasks(services: Services): Promise<void> {
  if (currentCatalog(services).resources['approval_task'] === undefined) return;
  const late = await services.db.query<{ id: string }>(`${LATE} order by t.due_at, t.id`, [
    services.clock().toISOString(),
    EVENT,
  ]);
  for (const { id } of late)
    try {
      await services.db.transaction((tx) => remindOfTask(tx, services, id));
    } catch (error) {
      services.log.error({ err: error, id }, 'task reminder failed');
    }
}

/** Pending tasks past their time of which nobody was told since. */
const LATE = `select t.id, t.co_code, t.resource, t.record_id, t.assignee_ids, t.due_at from approval_task t
  where t.status = 'pending' and t.is_deleted = false and t.due_at < $1::timestamptz
    and not exists (select 1 from sys_told s where s.event = $2 and s.about = t.id::text and s.at > t.due_at)`;

async function remindOfTask(tx: Tx, services: Services, id: string): Promise<void> {
  // Two statements: one that waited for the lock would still judge by what it saw before.
  await tx.query('select id from approval_task where id = $1::uuid for update', [id]);
  const [task] = await tx.query<LateTask>(`${LATE} and t.id = $3::uuid`, [
    services.clock().toISOString(),
    EVENT,
    id,
  ]);
  if (task === undefined || currentCatalog(services).resources[task.resource] === undefined) return;
  const caller = systemCaller(services, task.co_code);
  const call = openSystemCall(services, caller, task.resource);
  const record = await readStored(tx, call, task.record_id);
  if (record === null) return;
  const stand = await delegatesOf(tx, task.assignee_ids, {
    today: caller.context.today,
    kind: task.resource,
  });
  const managers = await managersOf(tx, task.assignee_ids);
  const to = [...task.assignee_ids, ...stand, ...managers];
  const { people } = await emitEvent(tx, call, { event: EVENT, record, to });
  // An event that is switched off told nobody: whoever switches it on is told.
  if (people.size > 0)
    await noteTold(tx, services, { event: EVENT, about: id, since: new Date(task.due_at) });
}

async function managersOf(tx: Tx, personIds: readonly string[]): Promise<readonly string[]> {
  const rows = await tx.query<{ id: string }>(
    `select distinct d.manager_id as id from person p join department d on d.id = p.dept_id
     where p.id = any($1::uuid[]) and d.manager_id is not null and d.is_deleted = false`,
    [personIds],
  );
  return rows.map(({ id }) => id);
}
