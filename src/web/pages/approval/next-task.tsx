import { Button, Space } from 'antd';
import { useRef } from 'react';
import { ADDRESS } from '#web/data/addresses.ts';
import { useTab } from '#web/app/tab-context.ts';
import { useOpenRecord } from '#web/data/open-record.ts';
import { useRead } from '#web/data/use-read.ts';
import { type ApprovalTask, readTask } from './approval-record.ts';
import { followingTask, isSameRecord } from './following-task.ts';

export interface NextTaskProps {
  readonly resource: string;
  readonly id: string;
  /** The document was decided here; before that nothing shows. */
  readonly isDecided: boolean;
}

/** As many as the inbox shows on its first page: it is read for both. */
const FIRST_PAGE = { tab: 'mine', currentPage: 1, pageSize: 20 } as const;

/** After a decision: the next task, in the order of the inbox, in the same tab. */
export function NextTask({ resource, id, isDecided }: NextTaskProps) {
  const { goOn } = useTab();
  const { addressOfApproval } = useOpenRecord();
  const { data } = useRead(
    'POST /approval/tasks/query',
    { body: FIRST_PAGE },
    { key: ['approval-tasks', 'mine', null, 1] },
  );
  /** As it was while the document stood in it. */
  const order = useRef<readonly ApprovalTask[]>([]);
  if (data === undefined) return null;
  const tasks = data.records.map(readTask);
  const here = { resource, record_id: id };
  if (tasks.some((task) => isSameRecord(task, here))) order.current = tasks;
  if (!isDecided) return null;
  const next = followingTask(tasks, here, order.current);
  return (
    <div className="approval-bar is-quiet" role="status">
      <span>{next === null ? '已处理，没有其他待审单据。' : `已处理，还有 ${data.total} 条待审。`}</span>
      <Space>
        {next !== null && (
          <Button
            type="primary"
            autoFocus
            onClick={() => goOn(addressOfApproval(next.resource, next.record_id))}
          >
            下一条待办：{next.resource_title} {next.record_no}
          </Button>
        )}
        <Button onClick={() => goOn(ADDRESS.inbox)}>返回待办</Button>
      </Space>
    </div>
  );
}
