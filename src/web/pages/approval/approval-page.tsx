import { useSearchParams } from 'react-router-dom';
import type { PageDefinition } from '#engine/schema/layout-definition.ts';
import { ListPage } from '../list/list-page.tsx';
import { ApprovalDocument } from './approval-document.tsx';

export interface ApprovalPageProps {
  readonly resource: string;
  readonly page: PageDefinition;
  readonly route: string;
}

/** One page for all approval routes: without an id the documents that wait, with one the document and its approval side by side. */
export function ApprovalPage({ resource, page, route }: ApprovalPageProps) {
  const [params] = useSearchParams();
  const id = params.get('id');
  if (id !== null) return <ApprovalDocument key={id} resource={resource} id={id} page={page} />;
  const waiting: PageDefinition = {
    ...page,
    kind: 'list',
    create: false,
    details: route,
    where: page.where ?? { status: { eq: 'pending' } },
  };
  return <ListPage resource={resource} page={waiting} route={route} />;
}
