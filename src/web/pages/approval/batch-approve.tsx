import { App, Button, Input, Modal } from 'antd';
import { useState } from 'react';
import { formatMoney } from '#engine/values/display.ts';
import { useRefreshRecords } from '#web/data/refresh-records.ts';
import { showFault } from '#web/data/show-fault.ts';
import { useWrite } from '#web/data/use-write.ts';
import { BatchResults, type BatchResult } from '../list/batch-results.tsx';
import type { ApprovalTask } from './approval-record.ts';
import { changeText } from './task-text.ts';

/**
 * One opinion for several tasks of one kind. The inbox offers none from the limit on; the server asks again. It stands as
 * long as its answer is read: tasks that were decided are no longer among those chosen.
 */
export function BatchApprove({
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
  const { write, isWriting } = useWrite();
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
      setOpinion('');
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
      {tasks.length > 0 && (
        <Button
          type="primary"
          disabled={kinds.size > 1}
          title={kinds.size > 1 ? '请选择同一类单据' : undefined}
          onClick={() => setOpen(true)}
        >
          批量同意（{tasks.length}）
        </Button>
      )}
      {isOpen && (
        <Modal
          open
          title={`批量同意 ${tasks.length} 份单据`}
          okText="同意"
          cancelText="取消"
          confirmLoading={isWriting}
          okButtonProps={{ disabled: tasks.length === 0 }}
          onOk={() => void run()}
          onCancel={() => setOpen(false)}
        >
          <ul className="inbox-batch">
            {tasks.map((task) => (
              <li key={task.id}>
                <b>{task.record_no}</b> {task.party}{' '}
                {task.amount === null
                  ? ''
                  : `${formatMoney(task.amount, task.currency ?? undefined)} ${task.currency ?? ''}`}
                （{changeText(task.changed)}）
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
