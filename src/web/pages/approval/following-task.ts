import type { ApprovalTask } from './approval-record.ts';

type Place = Pick<ApprovalTask, 'resource' | 'record_id'>;

/**
 * The task to go on with after one document: the first that stood after it and still waits, else the first that waits.
 * @param before the tasks in their order while the document was among them
 * @returns null when nothing else waits
 */
export function followingTask<Task extends Place>(
  tasks: readonly Task[],
  here: Place,
  before: readonly Place[],
): Task | null {
  const others = tasks.filter((task) => !isSameRecord(task, here));
  const place = before.findIndex((task) => isSameRecord(task, here));
  const after = before
    .slice(place + 1)
    .flatMap((old) => others.find((task) => isSameRecord(task, old)) ?? []);
  return (place < 0 ? undefined : after[0]) ?? others[0] ?? null;
}

export function isSameRecord(a: Place, b: Place): boolean {
  return a.resource === b.resource && a.record_id === b.record_id;
}
