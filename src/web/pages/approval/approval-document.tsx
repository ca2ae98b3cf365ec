import { useRef, useState } from 'react';
import type { PageDefinition } from '#engine/schema/layout-definition.ts';
import type { ErpRecord } from '#engine/schema/resource.ts';
import { usePageResource } from '#web/data/page-resource.ts';
import { APPROVAL_PANEL, useSidePanel } from '#web/data/side-panel.ts';
import { useRead } from '#web/data/use-read.ts';
import { useRefreshRecords } from '#web/data/refresh-records.ts';
import { DetailsView } from '../details/details-view.tsx';
import { ResourceFields } from '../form/resource-fields.tsx';
import { PanelSwitch } from '../details/panel-switch.tsx';
import { useFittingPage } from '../details/use-fitting-page.ts';
import { useRecord } from '../details/use-record.ts';
import { ApprovalBar } from './approval-bar.tsx';
import { DecisionPlan } from './decision-plan.tsx';
import { NextTask } from './next-task.tsx';
import { ApprovalSteps } from './approval-steps.tsx';

export interface ApprovalDocumentProps {
  readonly resource: string;
  readonly id: string;
  readonly page?: PageDefinition;
}

/** A document with its approval: the bar on top for who may act, the document, and the case beside it. */
export function ApprovalDocument({ resource, id, page }: ApprovalDocumentProps) {
  const refresh = useRefreshRecords();
  const definition = usePageResource(resource);
  // The actions that start an approval are those of other roles: the stamp of a submission tells that there is one, or that
  // the reader is among those who decide.
  const hasApproval =
    definition.resource?.fields['submitted_at'] !== undefined || definition.operations.has('approve');
  const { record } = useRecord(resource, id);
  useFittingPage(definition.resource, page, record);
  const [fields, setFields] = useState<ErpRecord>({});
  const { data: approval, reload } = useRead(
    'GET /approval/record/:resource/:id',
    { params: { resource, id } },
    {
      key: ['approval', resource, id, record?.['version']],
      isEnabled: hasApproval && record !== null,
      // The opinion that is being written stays while a newer version is read.
      keepsLast: true,
    },
  );
  const [isDecided, setDecided] = useState(false);
  const done = () => {
    if (approval?.task !== null) setDecided(true);
    setFields({});
    void refresh(resource);
    void refresh('approval_task');
    reload();
  };
  const readAgain = () => void refresh(resource);
  const shown = approval ?? null;
  // It stays while the state after a decision is read: it knows what stood next in the inbox.
  const wasAsked = useRef(false);
  if (shown !== null && shown.task !== null) wasAsked.current = true;
  const hasSteps = shown !== null && shown.steps.length > 0;
  const isRunning = shown?.steps.some(({ status }) => status === 'pending') === true;
  const [isPutAway, putAway] = useSidePanel(APPROVAL_PANEL);
  const isShut = isPutAway && !isRunning;
  return (
    <div className="approval-page">
      {wasAsked.current && (
        <NextTask resource={resource} id={id} isDecided={isDecided && shown?.task === null} />
      )}
      {record !== null && shown !== null && (
        <ResourceFields dictionaries={definition.dictionaries}>
          <ApprovalBar
            resource={resource}
            definition={definition.resource}
            record={record}
            approval={shown}
            fields={fields}
            onFields={setFields}
            onDone={done}
            onStale={readAgain}
          />
        </ResourceFields>
      )}
      <div className={hasSteps ? `approval-body${isShut ? ' is-shut' : ''}` : undefined}>
        <DetailsView resource={resource} id={id} {...(page === undefined ? {} : { page })} />
        {hasSteps && (
          <div className="approval-aside">
            {!isShut && shown.task !== null && record !== null && (
              <DecisionPlan taskId={shown.task.id} version={record['version']} fields={fields} />
            )}
            {!isShut && record !== null && definition.resource !== null && (
              <ApprovalSteps
                approval={shown}
                resource={definition.resource}
                record={record}
                dictionaries={definition.dictionaries}
              />
            )}
            {!isRunning && (
              <PanelSwitch what="审核流程" className="approval-shut" isShut={isShut} onShut={putAway} />
            )}
          </div>
        )}
      </div>
    </div>
  );
}
