import { Skeleton } from 'antd';
import type { PageDefinition } from '#engine/schema/layout-definition.ts';
import { usePageResource } from '#web/data/page-resource.ts';
import { NotFound } from '#web/app/not-found.tsx';
import { PageFault } from '#web/pages/page-fault.tsx';
import { ResourceFields } from '../form/resource-fields.tsx';
import { ListTree, treeField } from './list-tree.tsx';
import { ListView } from './list-view.tsx';

export interface ListPageProps {
  readonly resource: string;
  readonly page: PageDefinition;
  readonly route: string;
}

/** The generic list of a resource. */
export function ListPage({ resource: key, page, route }: ListPageProps) {
  const { resource, operations, dictionaries, shows, error, fault, reload, isLoading } = usePageResource(key);
  if (isLoading) return <Skeleton active paragraph={{ rows: 12 }} className="page-skeleton" />;
  if (resource === null)
    return <PageFault error={error} message={fault ?? '页面没有打开'} onRetry={reload} />;
  if (!operations.has('list')) return <NotFound isKnown />;
  // The resource's own pages are as this reader may see them; what the page is here, the caller says.
  const columns = resource.pages.find((one) => one.route === route)?.columns;
  const seen = columns === undefined ? page : { ...page, columns };
  const field = treeField(resource, seen);
  const list = (
    <ListView
      key={route}
      resource={resource}
      operations={operations}
      makes={shows.makes}
      page={seen}
      route={route}
    />
  );
  return (
    <ResourceFields dictionaries={dictionaries}>
      {field === null ? (
        list
      ) : (
        <ListTree resource={resource} field={field}>
          {list}
        </ListTree>
      )}
    </ResourceFields>
  );
}
