import { useOpenRecord } from '#web/data/open-record.ts';
import { labelText } from '#web/fields/field-text.ts';
import { shownTime } from '../details/history-row.ts';
import { CellLink } from '../table/cell-link.tsx';
import { tellCutText } from '../table/cut-text.ts';
import { CardsSkeleton } from '../table/table-skeleton.tsx';
import { useIsPhone } from '../table/use-is-phone.ts';
import type { ApprovalTask } from './approval-record.ts';
import { InboxCards, toggled } from './inbox-cards.tsx';
import { ageText, amountText, changeText, dueText, isOverdue } from './task-text.ts';

export type InboxTab = 'mine' | 'done' | 'submitted';

export interface InboxTableProps {
  readonly tab: InboxTab;
  readonly tasks: readonly ApprovalTask[];
  readonly isLoading: boolean;
  readonly selected: ReadonlySet<string>;
  readonly onSelect: (selected: ReadonlySet<string>) => void;
}

/** The tasks with what one needs to decide: party, amount, what has changed, how long they wait and when they are due. */
export function InboxTable(props: InboxTableProps) {
  const { tab, tasks, isLoading, selected, onSelect } = props;
  const openRecord = useOpenRecord();
  const isPhone = useIsPhone();
  // An inbox that is still being read is not an empty one.
  if (isLoading) return <CardsSkeleton />;
  if (isPhone) return <InboxCards {...props} />;
  return (
    <div
      className="plain-table-box"
      tabIndex={0}
      role="region"
      aria-label="待审核的单据"
      onMouseOver={tellCutText}
    >
      <table className="plain-table">
        <thead>
          <tr>
            {tab === 'mine' && <th style={{ width: 36 }} aria-label="选择" />}
            <th>单据类型</th>
            <th>单据编号</th>
            <th>客户 / 对方</th>
            <th className="number">金额</th>
            <th className="number">折人民币</th>
            <th>{tab === 'mine' ? '应审时间' : '结果'}</th>
            <th>较上次提交</th>
            <th>级次</th>
            <th>提交人</th>
            <th>{tab === 'mine' ? '已等' : '提交时间'}</th>
          </tr>
        </thead>
        <tbody>
          {tasks.map((task) => (
            <tr key={task.id} onDoubleClick={() => openRecord.approval(task.resource, task.record_id)}>
              {tab === 'mine' && (
                <td>
                  <input
                    type="checkbox"
                    aria-label={`选择${task.record_no}`}
                    disabled={task.batch_refusal !== null}
                    title={task.batch_refusal ?? undefined}
                    checked={selected.has(task.id)}
                    onChange={() => onSelect(toggled(selected, task.id))}
                  />
                </td>
              )}
              <td>{task.resource_title}</td>
              <td>
                <CellLink
                  address={openRecord.addressOfApproval(task.resource, task.record_id)}
                  onOpen={() => openRecord.approval(task.resource, task.record_id)}
                >
                  {task.record_no}
                </CellLink>
              </td>
              <td title={task.party ?? undefined}>{task.party ?? ''}</td>
              <td className="number">
                {amountText(task)} {amountText(task) !== '' && <small>{task.currency}</small>}
              </td>
              <td className="number">{amountText({ amount: task.amount_cny, currency: null })}</td>
              <td
                className={isOverdue(task) ? 'is-overdue' : undefined}
                title={task.due_at === null ? undefined : `应在 ${shownTime(task.due_at)} 前审核`}
              >
                {tab === 'mine' ? dueText(task) : labelText(task.labels['status'])}
              </td>
              <td title={task.changed?.join('、')}>{changeText(task.changed)}</td>
              <td>{task.level_title}</td>
              <td>{labelText(task.labels['submitter_id'])}</td>
              <td title={shownTime(task.submitted_at)}>
                {tab === 'mine' ? ageText(task.waiting_hours) : shownTime(task.submitted_at)}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {tasks.length === 0 && !isLoading && (
        <div className="plain-table-empty">{tab === 'mine' ? '没有等您审核的单据' : '没有记录'}</div>
      )}
    </div>
  );
}
