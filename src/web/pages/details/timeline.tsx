import { useLogList } from '@refinedev/core';
import { Tooltip } from 'antd';
import type { ErpRecord, Resource } from '#engine/schema/resource.ts';
import { ReadFault } from '#web/faults/read-fault.tsx';
import { useIsPhone } from '../table/use-is-phone.ts';
import { actorName, type HistoryRow, shownTime } from './history-row.ts';
import { isReasoned, StepOpinion } from './step-opinion.tsx';
import { type TimelineStep, timelineSteps } from './timeline-steps.ts';

/**
 * The way of the record as a slim line: its states and how long it stood in each. Who did what and when comes where the
 * pointer rests, and stands in the history below.
 */
export function Timeline({ resource, record }: { readonly resource: Resource; readonly record: ErpRecord }) {
  const id = String(record['id']);
  const { data, error, refetch } = useLogList<readonly HistoryRow[]>({
    resource: resource.resource,
    meta: { id, version: record['version'] },
  });
  const isPhone = useIsPhone();
  if (data === undefined) return <ReadFault what="单据经过" error={error} onRetry={() => void refetch()} />;
  const steps = timelineSteps(resource, record, data, new Date().toISOString());
  if (steps.length === 0) return null;
  return (
    <ol className="timeline" aria-label="单据经过">
      {steps.map((step) => (
        <Tooltip key={step.id} title={isPhone || step.row === null ? null : <StepStory step={step} />}>
          <li className={step.isNow ? 'now' : undefined} aria-current={step.isNow ? 'step' : undefined}>
            <b>{step.title}</b>
            <small>{step.isNow && step.stood !== '' ? `已 ${step.stood}` : step.stood}</small>
            {isPhone && step.row !== null && <StepDoing row={step.row} />}
            {/* Why it stands here is read without asking. */}
            {!isPhone && step.isNow && step.row !== null && isReasoned(step.row) && (
              <StepOpinion opinion={step.row.opinion} />
            )}
          </li>
        </Tooltip>
      ))}
    </ol>
  );
}

function StepStory({ step: { way, row } }: { readonly step: TimelineStep }) {
  if (row === null) return null;
  return (
    <>
      <div>{way}</div>
      <StepDoing row={row} />
    </>
  );
}

/** Who it was and when, and what was said. */
function StepDoing({ row }: { readonly row: HistoryRow }) {
  return (
    <div className="timeline-doing">
      {actorName(row)} <time dateTime={row.at}>{shownTime(row.at)}</time>{' '}
      <StepOpinion opinion={row.opinion} />
    </div>
  );
}
