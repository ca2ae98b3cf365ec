import { Alert, Button, Pagination, Segmented } from 'antd';
import { useState } from 'react';
import { useSearchParams } from 'react-router-dom';
import { moneyText } from '#engine/values/display.ts';
import { pageItem } from '#web/app/page-item.tsx';
import { useRead } from '#web/data/use-read.ts';
import { faultText } from '#web/data/show-fault.ts';
import { useLastPage } from '../table/use-last-page.ts';
import { ApprovalDocument } from './approval-document.tsx';
import { readTask } from './approval-record.ts';
import { BatchApprove } from './batch-approve.tsx';
import { shownKind } from './inbox-kind.ts';
import { InboxTable, type InboxTab } from './inbox-table.tsx';
import { ageText, isZero } from './task-text.ts';

const TABS = [
  { value: 'mine' as const, label: '待我审核' },
  { value: 'done' as const, label: '我已审核' },
  { value: 'submitted' as const, label: '我提交的' },
];
const PAGE_SIZE = 20;

/** The approval inbox: what waits, by kind of document with its oldest and its amount, and the tasks themselves. */
export function InboxPage() {
  const [params] = useSearchParams();
  const [resource, id] = [params.get('resource'), params.get('id')];
  // A document that has no page of its own is approved here.
  if (resource !== null && id !== null) return <ApprovalDocument key={id} resource={resource} id={id} />;
  return <Inbox />;
}

function Inbox() {
  const [tab, setTab] = useState<InboxTab>('mine');
  const [chosenKind, setKind] = useState<string | null>(null);
  const [page, setPage] = useState(1);
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const counts = useRead('GET /approval/counts', {}, { key: ['approval-counts'] });
  const groups = counts.data?.groups ?? [];
  const resource = shownKind(tab, chosenKind, counts.data?.groups ?? null);
  if (tab === 'mine' && resource !== chosenKind) {
    // Another document of this kind that comes later does not filter what is shown then.
    setKind(resource);
    setPage(1);
  }
  const tasks = useRead(
    'POST /approval/tasks/query',
    {
      body: {
        tab,
        currentPage: page,
        pageSize: PAGE_SIZE,
        ...(resource === null ? {} : { filters: { resource: { eq: resource } } }),
      },
    },
    { key: ['approval-tasks', tab, resource, page], keepsLast: true },
  );
  const total = tasks.data?.total ?? 0;
  useLastPage({ page, pageSize: PAGE_SIZE, total, isSettled: !tasks.isFetching }, setPage);
  const rows = (tasks.data?.records ?? []).map(readTask);
  const reload = () => {
    counts.reload();
    tasks.reload();
    setSelected(new Set());
  };
  const showKind = (kind: string | null) => {
    setTab('mine');
    setKind(kind);
    setPage(1);
  };
  const chosen = rows.filter((row) => selected.has(row.id));

  return (
    <div className="inbox-page">
      <div className="inbox-groups">
        <GroupCard
          title="全部"
          count={counts.data?.mine ?? 0}
          isActive={tab === 'mine' && resource === null}
          onClick={() => showKind(null)}
        />
        {groups.map((group) => (
          <GroupCard
            key={group.resource}
            title={group.title}
            count={group.count}
            note={`最久 ${ageText(group.oldestHours)}${group.amountCny === null || isZero(group.amountCny) ? '' : `，${moneyText(group.amountCny, { symbol: '¥' })}`}`}
            isActive={resource === group.resource}
            onClick={() => showKind(group.resource)}
          />
        ))}
      </div>
      <div className="list-toolbar">
        <Segmented
          value={tab}
          options={TABS}
          onChange={(next) => {
            setTab(next);
            setPage(1);
            setSelected(new Set());
          }}
        />
        {tab === 'mine' && <BatchApprove tasks={chosen} onDone={reload} />}
        <span className="list-toolbar-space" />
        <Button onClick={reload} loading={tasks.isFetching}>
          刷新
        </Button>
      </div>
      {tasks.error !== null && (
        <Alert
          type="error"
          showIcon
          message={faultText(tasks.error, '待审单据没有读到')}
          action={<Button onClick={reload}>重试</Button>}
        />
      )}
      <InboxTable
        tab={tab}
        tasks={rows}
        isLoading={tasks.isLoading}
        selected={selected}
        onSelect={setSelected}
      />
      <div className="list-pager">
        {tasks.data !== undefined && <span>共 {tasks.data.total} 条</span>}
        <Pagination
          itemRender={pageItem}
          size="small"
          current={page}
          pageSize={PAGE_SIZE}
          total={total}
          showSizeChanger={false}
          onChange={setPage}
        />
      </div>
    </div>
  );
}

interface GroupCardProps {
  readonly title: string;
  readonly count: number;
  readonly note?: string;
  readonly isActive: boolean;
  readonly onClick: () => void;
}

function GroupCard({ title, count, note, isActive, onClick }: GroupCardProps) {
  return (
    <button
      type="button"
      className={isActive ? 'inbox-group active' : 'inbox-group'}
      aria-pressed={isActive}
      onClick={onClick}
    >
      <span>{title}</span>
      <b>{count}</b>
      <small>{note ?? ' '}</small>
    </button>
  );
}
