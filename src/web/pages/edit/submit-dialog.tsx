import { Modal } from 'antd';
import { useState } from 'react';
import { useOpenRecord } from '#web/data/open-record.ts';
import type { FormStore } from '../form/form-store.ts';
import { placedProblems } from '../form/problem-text.ts';
import { type Refusal, refusalOf } from '../form/shown-error.ts';
import { focusDialog } from '../actions/focus-dialog.ts';
import { PlanPanel } from '../plan/plan-panel.tsx';
import { ProblemList } from '../plan/problem-list.tsx';
import { useActionPlan } from '../plan/use-plan.ts';
import { SUBMIT } from './use-editor.tsx';

interface SubmitDialogProps {
  readonly store: FormStore;
  readonly onSubmit: () => Promise<void>;
  readonly onClose: () => void;
}

/** Before a submission of the saved form: who will decide and why, what the checks say, and what it does to others. */
export function SubmitDialog({ store, onSubmit, onClose }: SubmitDialogProps) {
  const openRecord = useOpenRecord();
  const [refusal, setRefusal] = useState<Refusal | null>(null);
  const [isRunning, setRunning] = useState(false);
  const { resource } = store;
  const { id, version } = store.base();
  const asked = useActionPlan({
    resource: resource.resource,
    hasField: (name) => resource.fields[name] !== undefined,
    id: String(id),
    version,
    action: SUBMIT,
    inputs: {},
  });
  const openAt = (key: string, target: string): void => {
    onClose();
    openRecord.byResource(key, target);
  };
  /** What the plan says against it is looked for in the form next. */
  const close = (): void => {
    const own = asked.plan?.isRefused === true ? placedProblems(resource, asked.plan.problems) : [];
    if (own.length > 0) store.showProblems(own);
    onClose();
  };
  const submit = async (): Promise<void> => {
    setRunning(true);
    setRefusal(null);
    try {
      await onSubmit();
    } catch (error) {
      const refused = refusalOf(error);
      if (refused.problems.length > 0) store.showProblems(refused.problems);
      setRefusal(refused);
    } finally {
      setRunning(false);
    }
  };
  const hasLevels = resource.lifecycle?.actions[SUBMIT]?.approval !== undefined;
  return (
    <Modal
      open
      title={hasLevels ? '提交审核' : '提交'}
      width={660}
      okText="确认提交"
      cancelText="暂不提交"
      confirmLoading={isRunning}
      onOk={() => void submit()}
      onCancel={close}
      afterOpenChange={focusDialog}
    >
      {refusal !== null && (
        <ProblemList problems={refusal.problems} message={refusal.message} onOpen={openAt} />
      )}
      {!hasLevels && <p>提交后单据不可再修改。</p>}
      {refusal === null && <PlanPanel asked={asked} onOpen={openAt} />}
    </Modal>
  );
}
