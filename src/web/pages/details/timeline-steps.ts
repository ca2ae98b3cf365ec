import type { ErpRecord, Resource } from '#engine/schema/resource.ts';
import type { HistoryRow } from './history-row.ts';

/** A step of the way that a record went: the state it came to, and how long it stood there. */
export interface TimelineStep {
  readonly id: string;
  /** The state as it is called; what was done where no state is known. */
  readonly title: string;
  /** What was done: `提交 → 待审核`; null where the state came to be without a step of its own. */
  readonly way: string | null;
  readonly row: HistoryRow | null;
  readonly stood: string;
  readonly isNow: boolean;
}

/**
 * The steps of a record, the oldest first; the last one is the state it is in.
 * @param history the audit rows, the newest first
 * @param now an instant as ISO text
 */
export function timelineSteps(
  { lifecycle }: Pick<Resource, 'lifecycle'>,
  record: ErpRecord,
  history: readonly HistoryRow[],
  now: string,
): readonly TimelineStep[] {
  const states = lifecycle?.states ?? {};
  const rows = [...history]
    .reverse()
    .filter((row) => row.from_status !== row.to_status || row.action === 'create');
  const status = String(record['status']);
  const isUntold = rows.length > 0 && rows.at(-1)?.to_status !== status;
  const steps = rows.map((row, place): TimelineStep => {
    const action = row.action_title ?? lifecycle?.actions[row.action]?.title ?? '系统更新';
    const state = row.to_status === null ? undefined : states[row.to_status]?.title;
    const isLast = place === rows.length - 1;
    return {
      id: row.id,
      title: state ?? action,
      way: state === undefined || row.from_status === row.to_status ? action : `${action} → ${state}`,
      row,
      stood: isLast && isUntold ? '' : durationText(row.at, rows[place + 1]?.at ?? now),
      isNow: isLast && !isUntold,
    };
  });
  if (!isUntold) return steps;
  const title = states[status]?.title ?? '';
  return [...steps, { id: 'now', title, way: null, row: null, stood: '', isNow: true }];
}

function durationText(from: string, to: string): string {
  const minutes = Math.max(0, Math.round((Date.parse(to) - Date.parse(from)) / 60_000));
  if (minutes < 60) return `${minutes} 分钟`;
  if (minutes < 60 * 48) return `${Math.round(minutes / 60)} 小时`;
  return `${Math.round(minutes / 1440)} 天`;
}
