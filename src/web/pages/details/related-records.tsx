import { useList } from '@refinedev/core';
import { Button } from 'antd';
import { pointsTo } from '#engine/filter/points-to.ts';
import type { DetailsDefinition } from '#engine/schema/layout-definition.ts';
import type { ErpRecord } from '#engine/schema/resource.ts';
import { useOpenRecord } from '#web/data/open-record.ts';
import { usePageResource } from '#web/data/page-resource.ts';
import { ReadFault } from '#web/faults/read-fault.tsx';
import { shownColumns } from '../table/list-column.ts';
import { PlainTable } from '../table/plain-table.tsx';

export interface RelatedRecordsProps {
  readonly related: NonNullable<DetailsDefinition['related']>[number];
  readonly id: string;
}

const SHOWN_ROWS = 20;

/** Records of another resource that point here; nothing is shown where the role may not list them, or not see how they do. */
export function RelatedRecords({ related, id }: RelatedRecordsProps) {
  const { resource, operations } = usePageResource(related.resource);
  const openRecord = useOpenRecord();
  const [name = '', column] = related.by.split('.');
  const field = resource?.fields[name];
  const pointer = column === undefined ? field : field?.fields?.[column];
  const isSeen = operations.has('list') && pointer !== undefined;
  const filter = pointsTo(related.by, pointer ?? {}, id);
  const { result, query } = useList<ErpRecord & { id: string }>({
    resource: related.resource,
    pagination: { currentPage: 1, pageSize: SHOWN_ROWS },
    errorNotification: false,
    queryOptions: { enabled: isSeen },
    meta: { filter },
  });
  if (resource === null || !isSeen) return null;
  const columns = shownColumns(resource, related.columns ?? resource.list.columns.slice(0, 8), { frozen: 0 });
  const rows = result?.data ?? [];
  return (
    <section className="details-section">
      <h2>
        {related.title ?? resource.title}{' '}
        <small>{query.data === undefined ? '' : `${result?.total ?? 0} 条`}</small>
      </h2>
      <ReadFault what="记录" error={query.error} onRetry={() => void query.refetch()} />
      {rows.length > 0 && (
        <PlainTable
          resource={resource}
          columns={columns}
          rows={rows}
          sorters={[]}
          onSort={() => undefined}
          onOpen={(row) => openRecord.byResource(related.resource, String(row['id']))}
          onOpenReference={openRecord.byResource}
          density="compact"
        />
      )}
      {(result?.total ?? 0) > SHOWN_ROWS && (
        <Button type="link" onClick={() => openRecord.list(related.resource, filter)}>
          在列表中查看全部
        </Button>
      )}
    </section>
  );
}
