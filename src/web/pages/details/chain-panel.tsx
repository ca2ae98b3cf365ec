import type { ChainDocument } from '#contract/chain.ts';
import type { Resource } from '#engine/schema/resource.ts';
import { useOpenRecord } from '#web/data/open-record.ts';
import { usePageResource } from '#web/data/page-resource.ts';
import { useRead } from '#web/data/use-read.ts';
import { ReadFault } from '#web/faults/read-fault.tsx';
import { amountText } from '../plan/figure-text.ts';
import { StateTag } from '../table/state-tag.tsx';

export interface ChainPanelProps {
  readonly resource: Resource;
  readonly id: string;
  readonly version: unknown;
}

/** 单据链: what the document came from and what came from it, as columns of linked pills from left to right. */
export function ChainPanel({ resource, id, version }: ChainPanelProps) {
  const { data, error, reload } = useRead(
    'GET /data/:resource/:id/chain',
    { params: { resource: resource.resource, id } },
    { key: ['chain', resource.resource, id, version] },
  );
  if (data === undefined) return <ReadFault what="单据链" error={error} onRetry={reload} />;
  if (data.documents.length < 2 && data.unseen === 0) return null;
  const steps = [...new Set(data.documents.map(({ step }) => step))];
  return (
    <section className="details-section chain-panel">
      <div className="chain" role="list" aria-label="单据链">
        {steps.map((step) => (
          <div className="chain-step" key={step} role="listitem">
            {data.documents
              .filter((document) => document.step === step)
              .map((document) => (
                <ChainCard key={`${document.resource}-${document.id}`} document={document} />
              ))}
          </div>
        ))}
      </div>
      {data.unseen > 0 && <p className="chain-unseen">另有 {data.unseen} 张未列出或无权查看</p>}
    </section>
  );
}

function ChainCard({ document }: { readonly document: ChainDocument }) {
  const openRecord = useOpenRecord();
  const { resource } = usePageResource(document.resource);
  const amount =
    document.amount === null
      ? null
      : `${amountText(document.amount, document.currency)} ${document.currency ?? ''}`.trim();
  const isSelf = document.step === 0;
  const content = (
    <>
      <small>{document.title}</small>
      <b>{document.label === '' ? '（未编号）' : document.label}</b>
      {amount !== null && <span className="chain-amount">{amount}</span>}
      {/* The document's own state stands in its head. */}
      {!isSelf && <StateTag resource={resource ?? {}} value={document.status} label={document.state} />}
    </>
  );
  if (isSelf)
    return (
      <div className="chain-card is-self" aria-current="true" title={amount ?? undefined}>
        {content}
      </div>
    );
  return (
    <button
      type="button"
      className="chain-card"
      title={amount ?? undefined}
      onClick={() => openRecord.byResource(document.resource, document.id)}
    >
      {content}
    </button>
  );
}
