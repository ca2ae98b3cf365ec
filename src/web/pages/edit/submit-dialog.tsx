import { Alert, Modal, Spin } from 'antd';
import { useEffect, useRef, useState } from 'react';
import { ApprovalLevels } from '../form/approval-levels.tsx';
import type { FormStore } from '../form/form-store.ts';
import { refusalOf } from '../form/shown-error.ts';
import { type Preview, useRunPreview } from '../form/use-preview.ts';

interface SubmitDialogProps {
  readonly store: FormStore;
  readonly onSubmit: () => Promise<void>;
  readonly onClose: () => void;
}

/** Before a submission: who will decide and why, and what the checks say. */
export function SubmitDialog({ store, onSubmit, onClose }: SubmitDialogProps) {
  const [preview, setPreview] = useState<Preview | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [isRunning, setRunning] = useState(false);
  const run = useRef(useRunPreview(store));
  useEffect(() => {
    const abort = new AbortController();
    run.current(abort.signal).then(
      (answer) => {
        if (!abort.signal.aborted) setPreview(answer);
      },
      (error: unknown) => {
        if (!abort.signal.aborted) setProblem(refusalOf(error).message);
      },
    );
    return () => abort.abort();
  }, []);
  const submit = async (): Promise<void> => {
    setRunning(true);
    setProblem(null);
    try {
      await onSubmit();
    } catch (error) {
      const refusal = refusalOf(error);
      if (refusal.problems.length > 0) store.showProblems(refusal.problems);
      setProblem([refusal.message, ...refusal.problems.map((one) => one.message)].join('；'));
    } finally {
      setRunning(false);
    }
  };
  const found = [...(preview?.problems ?? []), ...(preview?.submitProblems ?? [])];
  const errors = found.filter((one) => one.level !== 'warning');
  const warnings = found.filter((one) => one.level === 'warning');
  return (
    <Modal
      open
      title={(preview?.approval ?? null) === null ? '提交' : '提交审核'}
      okText="确认提交"
      cancelText="暂不提交"
      confirmLoading={isRunning}
      onOk={() => void submit()}
      onCancel={onClose}
    >
      {problem !== null && <Alert type="error" showIcon message={problem} style={{ marginBottom: 12 }} />}
      {preview === null && problem === null && <Spin />}
      {errors.length > 0 && (
        <Messages type="error" title="检查未通过" texts={errors.map((one) => one.message)} />
      )}
      {warnings.length > 0 && (
        <Messages type="warning" title="提醒" texts={warnings.map((one) => one.message)} />
      )}
      {preview?.approval !== null && preview?.approval !== undefined && (
        <>
          <p>提交后将依次由以下人员审核：</p>
          <ApprovalLevels approval={preview.approval} />
        </>
      )}
      {preview !== null && preview.approval === null && <p>提交后单据不可再修改，确定提交吗？</p>}
    </Modal>
  );
}

interface MessagesProps {
  readonly type: 'error' | 'warning';
  readonly title: string;
  readonly texts: readonly string[];
}

function Messages({ type, title, texts }: MessagesProps) {
  return (
    <Alert
      type={type}
      showIcon
      message={title}
      description={
        <ul className="problem-list">
          {texts.map((text) => (
            <li key={text}>{text}</li>
          ))}
        </ul>
      }
      style={{ marginBottom: 12 }}
    />
  );
}
