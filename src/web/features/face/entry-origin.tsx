import { useEffect, useState } from 'react';
import type { DataOf } from '#contract/calls.ts';
import type { FaceEntry } from '#contract/face.ts';
import { callApi } from '#web/data/http.ts';
import { Amount } from './amount.tsx';

type Trace = DataOf<'GET /ledger/:ledger/:entryId/trace'>;

export interface EntryOriginProps {
  readonly ledger: string;
  readonly entry: FaceEntry;
}

/** 追溯: the document behind an entry, and the money it was paid from or that it paid for. */
export function EntryOrigin({ ledger, entry }: EntryOriginProps) {
  const { id } = entry;
  const [trace, setTrace] = useState<Trace | null>(null);
  const [fault, setFault] = useState<string | null>(null);
  useEffect(() => {
    const stop = new AbortController();
    callApi('GET /ledger/:ledger/:entryId/trace', {
      params: { ledger, entryId: id },
      signal: stop.signal,
    }).then(setTrace, (error: unknown) => {
      if (!stop.signal.aborted) setFault(error instanceof Error ? error.message : '没有加载出来');
    });
    return () => stop.abort();
  }, [ledger, id]);
  if (fault !== null) return <p role="alert">{fault}</p>;
  if (trace === null) return <p className="face-empty">正在追溯…</p>;
  const currency = entry.amounts[0]?.currency ?? '';
  const amountOf = (amount: string) => <Amount amount={{ title: '', amount, currency }} />;
  const isFrom = trace.direction === 'from';
  return (
    <div className="face-origin">
      {trace.source !== null && (
        <p>
          来源单据 {trace.source.title} {trace.source.label}
        </p>
      )}
      {trace.parts.length > 0 && <b>{isFrom ? '这笔款项出自' : '这笔款项用于'}</b>}
      <ul>
        {trace.parts.map((part) => (
          <li key={String(part.entry['id'])}>
            <span>{part.source === null ? '其他' : `${part.source.title} ${part.source.label}`}</span>
            {amountOf(part.amount)}
          </li>
        ))}
        {!/^-?0(\.0*)?$/.test(trace.rest) && (
          <li>
            <span>{isFrom ? '无对应入账' : '尚未使用'}</span>
            {amountOf(trace.rest)}
          </li>
        )}
      </ul>
    </div>
  );
}
