import { useOne } from '@refinedev/core';
import { App, Dropdown } from 'antd';
import { useState } from 'react';
import type { ErpRecord, Resource } from '#engine/schema/resource.ts';
import { copyText } from '#web/data/copy-text.ts';
import { useRecordActions } from '../actions/record-makes.ts';
import { useActionRunner } from '../actions/use-action-runner.tsx';

export interface RowActionsProps {
  readonly resource: Resource;
  readonly operations: ReadonlySet<string>;
  readonly row: ErpRecord;
  /** Null where the record has no page of its own. */
  readonly address: string | null;
  readonly onEdit: () => void;
  readonly onDetails: () => void;
}

/** Two actions at most: edit (or view) and 更多, whose menu is made only when it is opened. */
export function RowActions({ resource, operations, row, address, onEdit, onDetails }: RowActionsProps) {
  const [isOpened, setOpened] = useState(false);
  const canEdit = operations.has('update') && isEditableState(resource, row);
  return (
    <>
      <button type="button" className="cell-link" onClick={canEdit ? onEdit : onDetails}>
        {canEdit ? '编辑' : '查看'}
      </button>
      {isOpened ? (
        <MoreMenu
          resource={resource}
          row={row}
          address={address}
          onDetails={onDetails}
          onClosed={() => setOpened(false)}
        />
      ) : (
        <button type="button" className="cell-link" aria-haspopup="menu" onClick={() => setOpened(true)}>
          更多
        </button>
      )}
    </>
  );
}

function MoreMenu(props: {
  readonly resource: Resource;
  readonly row: ErpRecord;
  readonly address: string | null;
  readonly onDetails: () => void;
  readonly onClosed: () => void;
}) {
  const { resource, row, address, onDetails, onClosed } = props;
  const { message } = App.useApp();
  const copyLink = async (link: string) =>
    (await copyText(link)) ? message.success('链接已复制') : message.error('浏览器不允许复制');
  const [isMenuOpen, setMenuOpen] = useState(true);
  const runner = useActionRunner(resource.resource, onClosed);
  const making = useRecordActions(resource.resource, runner);
  const id = String(row['id']);
  const { query } = useOne<ErpRecord & { id: string }>({
    resource: resource.resource,
    id,
    errorNotification: false,
    queryOptions: { staleTime: 0 },
  });
  const { isError } = query;
  const data = query.data?.data;
  const record = data ?? row;
  const actions = isError ? [] : data === undefined ? null : making.actionsOf(data);
  const items =
    actions === null
      ? [{ key: 'wait', label: '读取中…', disabled: true }]
      : [
          { key: 'details', label: '查看详情' },
          ...(address === null ? [] : [{ key: 'link', label: '复制链接' }]),
          ...actions.map((action) => ({
            key: action.action,
            label: action.allowed ? action.title : `${action.title}（${action.reason ?? '现在不可用'}）`,
            disabled: !action.allowed,
            danger: action.danger === true,
          })),
        ];
  return (
    <>
      <Dropdown
        open={isMenuOpen}
        trigger={['click']}
        onOpenChange={(isOpen, { source }) => {
          setMenuOpen(isOpen);
          if (isOpen) void query.refetch();
          // What was chosen may have something to ask, or a refusal to show: it stands here until all is done.
          else if (source === 'trigger' && runner.dialog === null) onClosed();
        }}
        menu={{
          items,
          onClick: ({ key }) => {
            if (key === 'details') return onDetails();
            if (key === 'link' && address !== null) return void copyLink(location.origin + address);
            const action = actions?.find((item) => item.action === key);
            if (action !== undefined) making.run(action, record);
          },
        }}
      >
        <button type="button" className="cell-link" aria-haspopup="menu">
          更多
        </button>
      </Dropdown>
      {runner.dialog}
    </>
  );
}

function isEditableState(resource: Resource, row: ErpRecord): boolean {
  const state = typeof row['status'] === 'string' ? resource.lifecycle?.states[row['status']] : undefined;
  if (resource.kind !== 'document' || resource.lifecycle === undefined) return true;
  return state?.edit !== undefined;
}
