import { useLogList } from '@refinedev/core';
import { Button } from 'antd';
import { useContext, useState } from 'react';
import type { ErpRecord, Resource } from '#engine/schema/resource.ts';
import { DictionaryContext } from '#web/fields/dictionary-context.ts';
import { ReadFault } from '#web/faults/read-fault.tsx';
import { ChangesTable } from './changes-table.tsx';
import { useFormerNames } from './former-names.ts';
import { actorName, type HistoryRow, shownChanges, shownTime } from './history-row.ts';
import { StepOpinion } from './step-opinion.tsx';

export interface HistoryPanelProps {
  readonly resource: Resource;
  readonly record: ErpRecord;
}

/** Every change in words, with old and new value; read when opened. */
export function HistoryPanel({ resource, record }: HistoryPanelProps) {
  const id = String(record['id']);
  const { version } = record;
  const dictionaries = useContext(DictionaryContext);
  const [isOpen, setOpen] = useState(false);
  const { data, isLoading, error, refetch } = useLogList<readonly HistoryRow[]>({
    resource: resource.resource,
    meta: { id, version },
    queryOptions: { enabled: isOpen },
  });
  const names = useFormerNames(resource, isOpen ? data : undefined);
  return (
    <section className="details-section">
      <h2>
        修改历史
        <Button type="link" size="small" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {isOpen ? '收起' : '展开'}
        </Button>
      </h2>
      {isOpen && isLoading && <p>读取中…</p>}
      {isOpen && <ReadFault what="修改历史" error={error} onRetry={() => void refetch()} />}
      {isOpen && data !== undefined && (
        <ul className="history">
          {data.map((row) => (
            <li key={row.id}>
              <div>
                <time dateTime={row.at}>{shownTime(row.at)}</time> <b>{actorName(row)}</b>
                {row.for_sales_name != null && <span>（代 {row.for_sales_name}）</span>}
                {row.on_behalf_name != null && <span>（受 {row.on_behalf_name} 委托）</span>}{' '}
                {row.action_title ?? row.action}
                <StepOpinion opinion={row.opinion} />
              </div>
              {row.changes.length > 0 && (
                <ChangesTable changes={shownChanges(row, { resource, record, dictionaries, names })} />
              )}
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
