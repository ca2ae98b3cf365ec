import { Alert, App, Button, Input, Modal, Pagination, Segmented } from 'antd';
import { useState } from 'react';
import { useSearchParams } from 'react-router-dom';
import { formatMoney, moneyText } from '#engine/values/display.ts';
import { useOpenRecord } from '#web/data/open-record.ts';
import { useRead } from '#web/data/use-read.ts';
import { useRefreshRecords } from '#web/data/refresh-records.ts';
import { showFault } from '#web/data/show-fault.ts';
import { useWrite } from '#web/data/use-write.ts';
import { labelText } from '#web/fields/field-text.ts';
import { shownTime } from '../details/history-row.ts';
import { BatchResults, type BatchResult } from '../list/batch-results.tsx';
import { ApprovalDocument } from './approval-document.tsx';
import { type ApprovalTask, readTask } from './approval-record.ts';

type Tab = 'mine' | 'done' | 'submitted';
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
  const [tab, setTab] = useState<Tab>('mine');
  const [resource, setResource] = useState<string | null>(null);
  const [page, setPage] = useState(1);
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const openRecord = useOpenRecord();
  const counts = useRead('GET /approval/counts', {}, { key: ['approval-counts'] });
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
  const rows = (tasks.data?.records ?? []).map(readTask);
  const reload = () => {
    counts.reload();
    tasks.reload();
    setSelected(new Set());
  };
  const chosen = rows.filter((row) => selected.has(row.id));

  return (
    <div className="inbox-page">
      <div className="inbox-groups">
        <GroupCard
          title="全部"
          count={counts.data?.mine ?? 0}
          isActive={resource === null}
          onClick={() => setResource(null)}
        />
        {(counts.data?.groups ?? []).map((group) => (
          <GroupCard
            key={group.resource}
            title={group.title}
            count={group.count}
            note={`最久 ${ageText(group.oldestHours)}${group.amountCny === null ? '' : `，${moneyText(group.amountCny, { symbol: '¥' })}`}`}
            isActive={resource === group.resource}
            onClick={() => {
              setResource(group.resource);
              setPage(1);
            }}
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
        {tab === 'mine' && chosen.length > 0 && <BatchApprove tasks={chosen} onDone={reload} />}
        <span className="list-toolbar-space" />
        <Button onClick={reload} loading={tasks.isFetching}>
          刷新
        </Button>
      </div>
      {tasks.error !== null && (
        <Alert
          type="error"
          showIcon
          message={tasks.error.message}
          action={<Button onClick={reload}>重试</Button>}
        />
      )}
      <div className="plain-table-box" tabIndex={0} role="region" aria-label="待审核的单据">
        <table className="plain-table">
          <thead>
            <tr>
              {tab === 'mine' && <th style={{ width: 36 }} aria-label="选择" />}
              <th>单据类型</th>
              <th>单据编号</th>
              <th>客户 / 对方</th>
              <th className="number">金额</th>
              <th className="number">折人民币</th>
              <th>与上次提交相比</th>
              <th>级次</th>
              <th>提交人</th>
              <th>{tab === 'mine' ? '已等' : '提交时间'}</th>
              <th>{tab === 'mine' ? '应审时间' : '结果'}</th>
            </tr>
          </thead>
          <tbody>
            {rows.map((task) => (
              <tr key={task.id} onDoubleClick={() => openRecord.approval(task.resource, task.record_id)}>
                {tab === 'mine' && (
                  <td>
                    <input
                      type="checkbox"
                      aria-label={`选择${task.record_no}`}
                      checked={selected.has(task.id)}
                      onChange={() => setSelected(toggled(selected, task.id))}
                    />
                  </td>
                )}
                <td>{task.resource_title}</td>
                <td>
                  <button
                    type="button"
                    className="cell-link"
                    onClick={() => openRecord.approval(task.resource, task.record_id)}
                  >
                    {task.record_no}
                  </button>
                </td>
                <td title={task.party ?? undefined}>{task.party ?? ''}</td>
                <td className="number">
                  {task.amount === null ? '' : formatMoney(task.amount)}{' '}
                  {task.amount !== null && <small>{task.currency}</small>}
                </td>
                <td className="number">{task.amount_cny === null ? '' : formatMoney(task.amount_cny)}</td>
                <td title={task.changed?.join('、')}>{changeText(task.changed)}</td>
                <td>{task.level_title}</td>
                <td>{labelText(task.labels['submitter_id'])}</td>
                <td title={shownTime(task.submitted_at)}>
                  {tab === 'mine' ? ageText(task.waiting_hours) : shownTime(task.submitted_at)}
                </td>
                <td className={isOverdue(task) ? 'is-overdue' : undefined}>
                  {tab === 'mine' ? dueText(task) : labelText(task.labels['status'])}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
        {rows.length === 0 && !tasks.isLoading && (
          <div className="plain-table-empty">{tab === 'mine' ? '没有等您审核的单据' : '没有记录'}</div>
        )}
      </div>
      <div className="list-pager">
        <span>共 {tasks.data?.total ?? 0} 条</span>
        <Pagination
          size="small"
          current={page}
          pageSize={PAGE_SIZE}
          total={tasks.data?.total ?? 0}
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

/** One opinion for several tasks of one kind; the server says for each whether the matrix allows it. */
function BatchApprove({
  tasks,
  onDone,
}: {
  readonly tasks: readonly ApprovalTask[];
  readonly onDone: () => void;
}) {
  const { message } = App.useApp();
  const refresh = useRefreshRecords();
  const [isOpen, setOpen] = useState(false);
  const [opinion, setOpinion] = useState('');
  const [results, setResults] = useState<readonly BatchResult[] | null>(null);
  const { write } = useWrite();
  const kinds = new Set(tasks.map((task) => task.resource));
  const run = async () => {
    try {
      const answers = await write('POST /approval/batch', {
        body: {
          action: 'approve',
          tasks: tasks.map((task) => ({ id: task.id, version: task.version })),
          opinion: opinion.trim(),
        },
      });
      setOpen(false);
      for (const kind of kinds) void refresh(kind);
      setResults(
        answers.map((answer) => ({
          ...answer,
          label: tasks.find((task) => task.id === answer.id)?.record_no ?? answer.id,
        })),
      );
    } catch (error) {
      showFault(message, error, '批量同意没有完成');
    }
  };
  return (
    <>
      <Button
        type="primary"
        disabled={kinds.size > 1}
        title={kinds.size > 1 ? '请选择同一类单据' : undefined}
        onClick={() => setOpen(true)}
      >
        批量同意（{tasks.length}）
      </Button>
      {isOpen && (
        <Modal
          open
          title={`批量同意 ${tasks.length} 份单据`}
          okText="同意"
          cancelText="取消"
          onOk={() => void run()}
          onCancel={() => setOpen(false)}
        >
          <ul className="inbox-batch">
            {tasks.map((task) => (
              <li key={task.id}>
                <b>{task.record_no}</b> {task.party}{' '}
                {task.amount === null ? '' : `${formatMoney(task.amount)} ${task.currency ?? ''}`}（
                {changeText(task.changed)}）
              </li>
            ))}
          </ul>
          <Input.TextArea
            aria-label="审核意见"
            rows={3}
            maxLength={500}
            placeholder="共同的审核意见"
            value={opinion}
            onChange={(event) => setOpinion(event.target.value)}
          />
        </Modal>
      )}
      {results !== null && (
        <BatchResults
          results={results}
          onClose={() => {
            setResults(null);
            onDone();
          }}
        />
      )}
    </>
  );
}

function toggled(selected: ReadonlySet<string>, id: string): ReadonlySet<string> {
  const next = new Set(selected);
  if (!next.delete(id)) next.add(id);
  return next;
}

function dueText(task: ApprovalTask): string {
  if (task.due_at === null) return '不限';
  return `${isOverdue(task) ? '已超时 ' : ''}${shownTime(task.due_at)}`;
}

function isOverdue({ due_at: dueAt }: ApprovalTask): boolean {
  return dueAt !== null && Date.parse(dueAt) < Date.now();
}

const MOST_NAMED = 2;

/** What changed since the last submission, its first fields by name. */
function changeText(changed: readonly string[] | null): string {
  if (changed === null) return '首次提交';
  if (changed.length === 0) return '没有变化';
  const named = changed.slice(0, MOST_NAMED).join('、');
  return changed.length > MOST_NAMED ? `${named} 等 ${changed.length} 处` : named;
}

/** How long something waits: hours within two days, then days. */
function ageText(hours: number): string {
  return hours < 48 ? `${hours} 小时` : `${Math.floor(hours / 24)} 天`;
}
