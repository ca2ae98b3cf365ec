import { useOpenRecord } from '#web/data/open-record.ts';
import { useRead } from '#web/data/use-read.ts';
import { ReadFault } from '#web/faults/read-fault.tsx';
import { LimitList } from '../plan/limit-list.tsx';

export interface LimitsPanelProps {
  readonly resource: string;
  readonly id: string;
  readonly version: unknown;
}

/** The limits of a record: what is used of each, those nearest to their bound first. */
export function LimitsPanel({ resource, id, version }: LimitsPanelProps) {
  const openRecord = useOpenRecord();
  const { data, error, reload } = useRead(
    'GET /data/:resource/:id/limits',
    { params: { resource, id } },
    { key: ['limits', resource, id, version] },
  );
  if (data === undefined) return <ReadFault what="额度与上限" error={error} onRetry={reload} />;
  if (data.limits.length === 0) return null;
  return (
    <section className="details-section">
      <h2>额度与上限 {data.unseen > 0 && <small>另有 {data.unseen} 项距上限较远，未列出</small>}</h2>
      <LimitList limits={data.limits} isOwn onOpen={openRecord.byResource} />
    </section>
  );
}
