import { Skeleton } from 'antd';
import type { TraceSource } from '#contract/ledger.ts';
import { useRead } from '#web/data/use-read.ts';
import { faultText } from '#web/data/show-fault.ts';
import { amountText } from '../plan/figure-text.ts';
import { type OpenRecordAt, RecordLink } from '../plan/record-link.tsx';

export interface EntryTraceProps {
  readonly ledger: string;
  readonly id: string;
  readonly currency: string | null;
  readonly onOpen: OpenRecordAt;
}

/** 追溯: the document line behind an entry, and the money that it was paid from or that paid for others (oldest first). */
export function EntryTrace({ ledger, id, currency, onOpen }: EntryTraceProps) {
  const { data, error, isLoading } = useRead(
    'GET /ledger/:ledger/:entryId/trace',
    { params: { ledger, entryId: id } },
    { key: ['trace', ledger, id] },
  );
  if (isLoading) return <Skeleton active title={false} paragraph={{ rows: 2 }} />;
  if (error !== null) return <p className="plan-fault">{faultText(error, '没有读到')}</p>;
  if (data === undefined) return null;
  const hasRest = !/^-?0(\.0*)?$/.test(data.rest);
  return (
    <div className="trace">
      <p>
        来源单据 <Source source={data.source} onOpen={onOpen} />
      </p>
      {(data.parts.length > 0 || data.unseen.count > 0) && (
        <>
          <b>{data.direction === 'from' ? '这笔款项出自' : '这笔款项用于'}</b>
          <ul>
            {data.parts.map((part) => (
              <li key={String(part.entry['id'])}>
                <Source source={part.source} onOpen={onOpen} />
                <span className="trace-amount">
                  {amountText(part.amount, currency)} <small>{currency}</small>
                </span>
              </li>
            ))}
            {data.unseen.count > 0 && (
              <li>
                另有 {data.unseen.count} 笔无权查看
                <span className="trace-amount">{amountText(data.unseen.amount, currency)}</span>
              </li>
            )}
          </ul>
        </>
      )}
      {hasRest && (
        <p>
          {data.direction === 'from' ? '无对应入账（透支）' : '尚未使用'}
          <span className="trace-amount">
            {amountText(data.rest, currency)} <small>{currency}</small>
          </span>
        </p>
      )}
    </div>
  );
}

function Source({ source, onOpen }: { readonly source: TraceSource; readonly onOpen: OpenRecordAt }) {
  if (source === null) return <span>（无权查看的单据）</span>;
  return (
    <span>
      {source.title} <RecordLink {...source} onOpen={onOpen} />
    </span>
  );
}
