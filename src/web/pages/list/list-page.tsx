import { Alert, Button, Skeleton } from 'antd';
import type { PageDefinition } from '#engine/schema/definition.ts';
import { usePageResource } from '#web/data/page-resource.ts';
import { ResourceFields } from '../form/resource-fields.tsx';
import { ListView } from './list-view.tsx';

export interface ListPageProps {
  readonly resource: string;
  readonly page: PageDefinition;
  readonly route: string;
}

/** The generic list of a resource. */
export function ListPage({ resource: key, page, route }: ListPageProps) {
  const { resource, operations, dictionaries, shows, fault, reload, isLoading } = usePageResource(key);
  if (isLoading) return <Skeleton active paragraph={{ rows: 12 }} className="page-skeleton" />;
  if (resource === null)
    return (
      <Alert
        type="error"
        showIcon
        message={fault ?? '页面没有打开'}
        action={<Button onClick={reload}>重试</Button>}
      />
    );
  return (
    <ResourceFields dictionaries={dictionaries}>
      <ListView
        key={route}
        resource={resource}
        operations={operations}
        makes={shows.makes}
        page={page}
        route={route}
      />
    </ResourceFields>
  );
}
