import { useLogList } from '@refinedev/core';
import type { ErpRecord, Resource } from '#engine/schema/resource.ts';
import { ReadFault } from '#web/faults/read-fault.tsx';
import { actorName, type HistoryRow, shownTime } from './history-row.ts';
import { StepOpinion } from './step-opinion.tsx';

/** The way of the record: who did what, when, and how long it stood in between. */
export function Timeline({ resource, record }: { readonly resource: Resource; readonly record: ErpRecord }) {
  const id = String(record['id']);
  const { data, error, refetch } = useLogList<readonly HistoryRow[]>({
    resource: resource.resource,
    meta: { id, version: record['version'] },
  });
  const steps = [...(data ?? [])]
    .reverse()
    .filter((row) => row.from_status !== row.to_status || row.action === 'create');
  if (data === undefined) return <ReadFault what="单据经过" error={error} onRetry={() => void refetch()} />;
  if (steps.length === 0) return null;
  return (
    <ol className="timeline" aria-label="单据经过">
      {steps.map((step, place) => (
        <li key={step.id}>
          <b>{stepTitle(resource, step)}</b>
          <span>{actorName(step)}</span>
          <time dateTime={step.at}>{shownTime(step.at)}</time>
          {place > 0 && <small>{durationText(steps[place - 1]?.at, step.at)}</small>}
          <StepOpinion opinion={step.opinion} />
        </li>
      ))}
      <li className="now">
        <b>{resource.lifecycle?.states[String(record['status'])]?.title ?? ''}</b>
        <span>当前</span>
        <small>{durationText(steps.at(-1)?.at, new Date().toISOString())}</small>
      </li>
    </ol>
  );
}

function stepTitle(resource: Resource, step: HistoryRow): string {
  const action = step.action_title ?? resource.lifecycle?.actions[step.action]?.title ?? '系统更新';
  const state = step.to_status === null ? undefined : resource.lifecycle?.states[step.to_status]?.title;
  return state === undefined || step.from_status === step.to_status ? action : `${action} → ${state}`;
}

function durationText(from: string | undefined, to: string): string {
  if (from === undefined) return '';
  const minutes = Math.max(0, Math.round((Date.parse(to) - Date.parse(from)) / 60_000));
  if (minutes < 60) return `${minutes} 分钟`;
  if (minutes < 60 * 48) return `${Math.round(minutes / 60)} 小时`;
  return `${Math.round(minutes / 1440)} 天`;
}
