import { useEffect, useState } from 'react';
import type { DataOf } from '#contract/calls.ts';
import type { FaceEntry } from '#contract/face.ts';
import { callApi } from '#web/data/http.ts';
import { faultText } from '#web/data/show-fault.ts';
import { Amount } from './amount.tsx';
import type { OpenAddress } from './face-home.tsx';

type Trace = DataOf<'GET /ledger/:ledger/:entryId/trace'>;

export interface EntryOriginProps {
  readonly onOpen: OpenAddress;
  readonly ledger: string;
  readonly entry: FaceEntry;
}

/** 追溯: the document behind an entry, and the money it was paid from or that it paid for. */
export function EntryOrigin({ ledger, entry, onOpen }: EntryOriginProps) {
  const { id } = entry;
  const [trace, setTrace] = useState<Trace | null>(null);
  const [fault, setFault] = useState<string | null>(null);
  useEffect(() => {
    const stop = new AbortController();
    callApi('GET /ledger/:ledger/:entryId/trace', {
      params: { ledger, entryId: id },
      signal: stop.signal,
    }).then(setTrace, (error: unknown) => {
      if (!stop.signal.aborted) setFault(faultText(error, '没有加载出来'));
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
          来源单据 <Source source={trace.source} onOpen={onOpen} />
        </p>
      )}
      {trace.parts.length + trace.unseen.count > 0 && <b>{isFrom ? '这笔款项出自' : '这笔款项用于'}</b>}
      <ul>
        {trace.parts.map((part) => (
          <li key={String(part.entry['id'])}>
            <Source source={part.source} onOpen={onOpen} />
            {amountOf(part.amount)}
          </li>
        ))}
        {trace.unseen.count > 0 && (
          <li>
            <span>其他 {trace.unseen.count} 笔</span>
            {amountOf(trace.unseen.amount)}
          </li>
        )}
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

/** A document by its kind and number, opened where there is a page for it. */
function Source({ source, onOpen }: { readonly source: Trace['source']; readonly onOpen: OpenAddress }) {
  if (source === null) return <span>其他</span>;
  const { address } = source;
  const name = `${source.title} ${source.label}`;
  if (address === null) return <span>{name}</span>;
  return (
    <button type="button" className="face-all" onClick={() => onOpen(address)}>
      {name}
    </button>
  );
}
