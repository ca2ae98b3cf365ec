import { Empty, Skeleton } from 'antd';
import { useSearchParams } from 'react-router-dom';
import type { PageDefinition } from '#engine/schema/layout-definition.ts';
import { useRead } from '#web/data/use-read.ts';
import { ApprovalDocument } from '../approval/approval-document.tsx';

export interface DetailsPageProps {
  readonly resource: string;
  readonly page: PageDefinition;
  readonly route: string;
}

/** The generic details page: the record that the query `id` names, with its approval beside it while one runs. */
export function DetailsPage({ resource, page }: DetailsPageProps) {
  const [params] = useSearchParams();
  const id = params.get('id');
  if (id === null) return <OnlyRecord resource={resource} page={page} />;
  return <ApprovalDocument key={id} resource={resource} id={id} page={page} />;
}

/** Whoever sees one record alone (a customer its own) need not name it. */
function OnlyRecord({ resource, page }: Pick<DetailsPageProps, 'resource' | 'page'>) {
  const { data, isError } = useRead(
    'POST /data/:resource/query',
    { params: { resource }, body: { currentPage: 1, pageSize: 2 } },
    { key: ['only-record', resource] },
  );
  if (data === undefined && !isError) return <Skeleton active />;
  const [only, other] = data?.records ?? [];
  const id = only?.['id'];
  if (typeof id !== 'string' || other !== undefined) return <Empty description="请从列表中打开一条记录" />;
  return <ApprovalDocument key={id} resource={resource} id={id} page={page} />;
}
