import { Modal } from 'antd';
import type { Resource } from '#engine/schema/resource.ts';
import { useOpenRecord } from '#web/data/open-record.ts';
import { placedText } from '../form/problem-text.ts';
import type { Refusal } from '../form/shown-error.ts';
import { ProblemList } from '../plan/problem-list.tsx';

export interface RefusalDialogProps {
  readonly title: string;
  readonly resource: Pick<Resource, 'fields'> | null;
  readonly refusal: Refusal;
  /** The way to the form, where there is one. */
  readonly onEdit?: (() => void) | undefined;
  readonly onClose: () => void;
}

/** All that stands against an action, where no form is there to mark it in. */
export function RefusalDialog({ title, resource, refusal, onEdit, onClose }: RefusalDialogProps) {
  const openRecord = useOpenRecord();
  const problems = refusal.problems.map((problem) =>
    resource === null ? problem : { ...problem, message: placedText(resource, problem) },
  );
  return (
    <Modal
      open
      title={`“${title}”没有完成`}
      okText={onEdit === undefined ? '知道了' : '去修改'}
      cancelText="关闭"
      cancelButtonProps={{ hidden: onEdit === undefined }}
      onOk={() => {
        onClose();
        onEdit?.();
      }}
      onCancel={onClose}
    >
      <ProblemList
        problems={problems}
        message={refusal.message}
        onOpen={(key, id) => {
          onClose();
          openRecord.byResource(key, id);
        }}
      />
    </Modal>
  );
}
