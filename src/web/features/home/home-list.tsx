import { Button, Skeleton } from 'antd';
import type { ReactNode } from 'react';
import type { ErpRecord } from '#engine/schema/resource.ts';
import { useRecords } from './use-figure.ts';
import { faultText } from '#web/data/show-fault.ts';

export interface HomeListProps {
  readonly title: string;
  /** What to say when there is none. */
  readonly empty: string;
  readonly read: ReturnType<typeof useRecords>;
  /** The records that are shown, of those that came. */
  readonly pick?: (records: readonly ErpRecord[]) => readonly ErpRecord[];
  readonly children: (record: ErpRecord) => ReactNode;
}

/** A card of a few records: waiting, failed, empty, or a line for each. */
export function HomeList({ title, empty, read, pick, children }: HomeListProps) {
  const { data, error, isFetching, refetch } = read;
  const records = data === undefined ? null : (pick?.(data) ?? data);
  return (
    <section className="home-list" aria-busy={records === null && error === null}>
      <h2>{title}</h2>
      {records === null && error === null && <Skeleton active title={false} paragraph={{ rows: 4 }} />}
      {records === null && error !== null && (
        <p className="home-empty" role="alert">
          {faultText(error, '没有读到')}{' '}
          <Button size="small" loading={isFetching} onClick={() => void refetch()}>
            重试
          </Button>
        </p>
      )}
      {records?.length === 0 && <p className="home-empty">{empty}</p>}
      <ul>
        {(records ?? []).map((record) => (
          <li key={String(record['id'])}>{children(record)}</li>
        ))}
      </ul>
    </section>
  );
}
