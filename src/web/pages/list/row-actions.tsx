import { useOne } from '@refinedev/core';
import { App, Dropdown } from 'antd';
import { useState } from 'react';
import type { PageDefinition } from '#engine/schema/layout-definition.ts';
import type { Action, ErpRecord, Resource } from '#engine/schema/resource.ts';
import { copyText } from '#web/data/copy-text.ts';
import { showFault } from '#web/data/show-fault.ts';
import { useRecordActions } from '../actions/record-makes.ts';
import { useActionRunner } from '../actions/use-action-runner.tsx';
import { ACTIONS_PX } from '../table/plain-table.tsx';

/** What 编辑 and 查看 take, and what a sign more does. */
const SHORT = 2;
const SIGN_PX = 14;

export interface RowActionsProps {
  readonly resource: Resource;
  readonly operations: ReadonlySet<string>;
  readonly row: ErpRecord;
  /** The action that stands before the others where it may start and the row is not edited. */
  readonly first?: string | undefined;
  /** Null where the record has no page of its own. */
  readonly address: string | null;
  readonly onEdit: () => void;
  readonly onDetails: () => void;
}

/** Two actions at most: edit (else the page's own action, or view) and 更多, whose menu is made only when it is opened. */
export function RowActions(props: RowActionsProps) {
  const { resource, operations, row, address, onEdit, onDetails } = props;
  const [isOpened, setOpened] = useState(false);
  const canEdit = operations.has('update') && isEditableState(resource, row);
  const first = canEdit ? null : startable(props);
  return (
    <>
      {first === null ? (
        <button type="button" className="cell-link" onClick={canEdit ? onEdit : onDetails}>
          {canEdit ? '编辑' : '查看'}
        </button>
      ) : (
        <FirstAction resource={resource} row={row} action={first} />
      )}
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

/** The page's own action, where this person may run it and the row is in a state that it starts from. */
function startable({ resource, operations, row, first }: RowActionsProps): Action | null {
  const action = first === undefined ? undefined : resource.lifecycle?.actions[first];
  if (action === undefined || !(operations.has(action.key) || operations.has('*'))) return null;
  return typeof row['status'] === 'string' && action.from.includes(row['status']) ? action : null;
}

/** The room that the actions of a row take beside one another. */
export function actionsPx(resource: Resource, { rowAction }: PageDefinition): number {
  const title = resource.lifecycle?.actions[rowAction ?? '']?.title ?? '';
  return ACTIONS_PX + Math.max(0, title.length - SHORT) * SIGN_PX;
}

/** Runs at once from the row: what it needs is asked once the record as it is now says that it may. */
function FirstAction(props: {
  readonly resource: Resource;
  readonly row: ErpRecord;
  readonly action: Action;
}) {
  const { resource, row, action } = props;
  const { message } = App.useApp();
  const runner = useActionRunner(resource.resource);
  const making = useRecordActions(resource.resource, runner);
  const { refetch } = useRecordNow(resource, row, false);
  const run = async (): Promise<void> => {
    const { data, error } = await refetch();
    const found = making.actionsOf(data?.data).find((one) => one.action === action.key);
    if (data !== undefined && found?.allowed === true) return making.run(found, data.data);
    return showFault(message, error, found?.reason ?? `现在不能${action.title}`);
  };
  return (
    <>
      <button type="button" className="cell-link row-first" onClick={() => void run()}>
        {action.title}
      </button>
      {runner.dialog}
    </>
  );
}

/** The record of a row with what may be done with it now. */
function useRecordNow({ resource }: Resource, row: ErpRecord, enabled: boolean) {
  return useOne<ErpRecord & { id: string }>({
    resource,
    id: String(row['id']),
    errorNotification: false,
    queryOptions: { staleTime: 0, enabled },
  }).query;
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
  const query = useRecordNow(resource, row, true);
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
