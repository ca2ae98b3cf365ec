import { type Call, openSystemCall } from '#server/records/call/open-call.ts';
import { readStoredMany } from '#server/records/read/read-stored.ts';
import type { ApprovalCase } from './approval-case.ts';
import type { TaskBook } from './approval-steps.ts';
import { TASKS } from './approval-tasks.ts';
import { peopleNamed } from './find-approvers.ts';

/** The tasks of cases, whoever asks, with the names of who decided and for whom. */
export async function readTaskBook(call: Call, cases: readonly ApprovalCase[]): Promise<TaskBook> {
  const { services } = call;
  const ids = cases.flatMap((known) => known.flow.levels.flatMap((level) => level.tasks));
  if (ids.length === 0) return new Map();
  const taskCall = openSystemCall(services, call.caller, TASKS);
  const open = { ...taskCall, access: { ...taskCall.access, companies: 'all' as const } };
  const tasks = await readStoredMany(services.db, open, ids);
  const actors = [
    ...new Set(
      tasks.flatMap((task) => [task['acted_by'], task['acted_for']]).filter((id) => typeof id === 'string'),
    ),
  ];
  const names = new Map((await peopleNamed(services.db, actors)).map(({ id, name }) => [id, name]));
  return new Map(
    tasks.map((task) => [
      String(task['id']),
      {
        ...task,
        actor: names.get(String(task['acted_by'])) ?? '',
        actedFor: names.get(String(task['acted_for'])) ?? '',
      },
    ]),
  );
}
