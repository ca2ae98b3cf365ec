import { useQuery } from '@tanstack/react-query';
import type { PageDefinition } from '#engine/schema/definition.ts';
import { http } from '#web/data/http.ts';
import { useRefreshRecords } from '#web/data/refresh-records.ts';
import { DetailsView } from '../details/details-view.tsx';
import { useRecord } from '../details/use-record.ts';
import { ApprovalBar } from './approval-bar.tsx';
import type { ApprovalRecord } from './approval-record.ts';
import { ApprovalSteps } from './approval-steps.tsx';

export interface ApprovalDocumentProps {
  readonly resource: string;
  readonly id: string;
  readonly page?: PageDefinition;
}

/** A document under approval: the bar on top, the document, and the case beside it. */
export function ApprovalDocument({ resource, id, page }: ApprovalDocumentProps) {
  const refresh = useRefreshRecords();
  const { record } = useRecord(resource, id);
  const { data: approval, refetch } = useQuery({
    queryKey: ['approval', resource, id, record?.['version']],
    queryFn: () => http.get<ApprovalRecord>(`/approval/record/${resource}/${id}`),
  });
  const done = () => {
    void refresh(resource);
    void refresh('approval_task');
    void refetch();
  };
  return (
    <div className="approval-page">
      {record !== null && approval !== undefined && (
        <ApprovalBar resource={resource} record={record} approval={approval} onDone={done} />
      )}
      <div className="approval-body">
        <DetailsView resource={resource} id={id} {...(page === undefined ? {} : { page })} />
        {approval !== undefined && <ApprovalSteps approval={approval} />}
      </div>
    </div>
  );
}
