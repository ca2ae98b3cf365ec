import { DeleteButton, RefreshButton } from '@refinedev/antd';
import { CanAccess } from '@refinedev/core';
import { CopyOutlined, DeleteOutlined, PrinterOutlined, ReloadOutlined } from '@ant-design/icons';
import { Button, Dropdown, Tooltip } from 'antd';
import { deleteRefusal } from '#engine/lifecycle/delete-refusal.ts';
import type { PageDefinition } from '#engine/schema/layout-definition.ts';
import type { ErpRecord, Resource } from '#engine/schema/resource.ts';
import { useOpenRecord } from '#web/data/open-record.ts';
import { useRefreshRecords } from '#web/data/refresh-records.ts';
import { openPrints } from '../print/open-prints.ts';
import { UploadLinkButton } from './upload-link-button.tsx';

export interface RecordToolsProps {
  readonly resource: Resource;
  readonly record: ErpRecord;
  readonly page: PageDefinition | undefined;
  /** Writes a new record like this one; missing where there are no copies. */
  readonly onCopy: (() => void) | undefined;
  /** The record was deleted. */
  readonly onGone: () => void;
}

/** What every record can do: print, and as icons copy, delete and read again. The words in the row are those of the business. */
export function RecordTools({ resource, record, page, onCopy, onGone }: RecordToolsProps) {
  const refresh = useRefreshRecords();
  const id = String(record['id']);
  return (
    <div className="details-tools">
      {resource.uploads !== undefined && (
        <CanAccess resource={resource.resource} action="edit">
          <UploadLinkButton resource={resource.resource} id={id} title={resource.uploads.title} />
        </CanAccess>
      )}
      {resource.details.links.map((link) => (
        <Button key={link.title} href={linkAddress(link, record)} target="_blank" rel="noopener">
          {link.title}
        </Button>
      ))}
      {onCopy !== undefined && (
        <CanAccess resource={resource.resource} action="create">
          <Tooltip title="复制 (Alt+C)">
            <Button aria-label="复制" aria-keyshortcuts="Alt+C" icon={<CopyOutlined />} onClick={onCopy} />
          </Tooltip>
        </CanAccess>
      )}
      <CanAccess resource={resource.resource} action="print">
        <PrintButton resource={resource} record={record} page={page} />
      </CanAccess>
      {deleteRefusal(resource, record) === null && (
        <DeleteButton
          resource={resource.resource}
          recordItemId={id}
          meta={{ version: record['version'] }}
          hideText
          icon={<DeleteOutlined />}
          aria-label="删除"
          title="删除"
          onSuccess={() => void refresh(resource.resource).then(onGone)}
        />
      )}
      <RefreshButton
        resource={resource.resource}
        recordItemId={id}
        hideText
        icon={<ReloadOutlined />}
        aria-label="刷新"
        title="刷新"
      />
    </div>
  );
}

/** One print opens at once, of several one is chosen. */
function PrintButton({ resource, record, page }: Pick<RecordToolsProps, 'resource' | 'record' | 'page'>) {
  const openRecord = useOpenRecord();
  const prints = openPrints(resource, record);
  const [first] = prints;
  const print = (printId: string): void => openRecord.print(resource.resource, printId, record, page?.print);
  if (first === undefined) return null;
  if (prints.length === 1)
    return (
      <Tooltip title={`打印 ${first.title}`}>
        <Button icon={<PrinterOutlined />} onClick={() => print(first.id)}>
          打印
        </Button>
      </Tooltip>
    );
  return (
    <Dropdown
      trigger={['click']}
      menu={{
        items: prints.map(({ id: key, title }) => ({ key, label: title })),
        onClick: ({ key }) => print(key),
      }}
    >
      <Button icon={<PrinterOutlined />}>打印</Button>
    </Dropdown>
  );
}

/** What the role does not see is not in the record, and stays out of the address. */
function linkAddress(link: Resource['details']['links'][number], record: ErpRecord): string {
  const known = Object.entries(link.with ?? {}).flatMap(([parameter, name]) => {
    const value = record[name];
    return typeof value === 'string' && value !== '' ? [[parameter, value]] : [];
  });
  return known.length === 0 ? link.to : `${link.to}?${new URLSearchParams(known).toString()}`;
}
