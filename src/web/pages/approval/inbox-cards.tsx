import { useOpenRecord } from '#web/data/open-record.ts';
import { labelText } from '#web/fields/field-text.ts';
import { shownTime } from '../details/history-row.ts';
import { CellLink } from '../table/cell-link.tsx';
import type { ApprovalTask } from './approval-record.ts';
import type { InboxTableProps } from './inbox-table.tsx';
import { ageText, amountText, changeText, dueText, isOverdue } from './task-text.ts';

/** The tasks on a phone: party and amount; kind, number, and what has changed; how long it waits and when it is due. */
export function InboxCards(props: InboxTableProps) {
  const { tab, tasks, isLoading, selected, onSelect } = props;
  const openRecord = useOpenRecord();
  const open = (task: ApprovalTask): void => openRecord.approval(task.resource, task.record_id);
  return (
    <ul className="row-cards" aria-label="待审核的单据">
      {tasks.length === 0 && !isLoading && (
        <li className="row-cards-empty">{tab === 'mine' ? '没有等您审核的单据' : '没有记录'}</li>
      )}
      {tasks.map((task) => (
        <li
          key={task.id}
          onClick={(event) =>
            event.target instanceof Element && event.target.closest('button, a, input') === null && open(task)
          }
        >
          <div className="row-card-line">
            {tab === 'mine' && (
              <input
                type="checkbox"
                aria-label={`选择${task.record_no}`}
                disabled={task.batch_refusal !== null}
                title={task.batch_refusal ?? undefined}
                checked={selected.has(task.id)}
                onChange={() => onSelect(toggled(selected, task.id))}
              />
            )}
            <b>{task.party ?? task.record_no}</b>
            <span className="row-card-amount">
              {amountText(task)} {amountText(task) !== '' && <small>{task.currency}</small>}
            </span>
          </div>
          <div className="row-card-line is-soft">
            <span>{task.resource_title}</span>
            <CellLink
              address={openRecord.addressOfApproval(task.resource, task.record_id)}
              onOpen={() => open(task)}
            >
              {task.record_no}
            </CellLink>
            <span>{changeText(task.changed)}</span>
          </div>
          <div className="row-card-line is-soft">
            <span>{labelText(task.labels['submitter_id'])}</span>
            <span>
              {tab === 'mine' ? `已等 ${ageText(task.waiting_hours)}` : shownTime(task.submitted_at)}
            </span>
            <span className={isOverdue(task) ? 'is-overdue' : undefined}>
              {tab === 'mine' ? `应审 ${dueText(task)}` : labelText(task.labels['status'])}
            </span>
          </div>
        </li>
      ))}
    </ul>
  );
}

/** With one more, or without it. */
export function toggled(selected: ReadonlySet<string>, id: string): ReadonlySet<string> {
  const next = new Set(selected);
  if (!next.delete(id)) next.add(id);
  return next;
}
