import { Empty } from 'antd';
import { useSearchParams } from 'react-router-dom';
import type { PageDefinition } from '#engine/schema/layout-definition.ts';
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
  if (id === null) return <Empty description="请从列表中打开一条记录" />;
  return <ApprovalDocument key={id} resource={resource} id={id} page={page} />;
}
