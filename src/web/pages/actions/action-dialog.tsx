import { Alert, Input, Modal } from 'antd';
import { useCallback, useState } from 'react';
import type { ErpRecord, Field, FieldProblem } from '#engine/schema/resource.ts';
import { useLeaveQuestion, useUnsaved } from '#web/app/use-unsaved.ts';
import { useOpenRecord } from '#web/data/open-record.ts';
import { refusalOf } from '../form/shown-error.ts';
import { ProblemList } from '../plan/problem-list.tsx';
import { focusDialog } from './focus-dialog.ts';
import { ActionInputs, inputId } from './action-inputs.tsx';
import { ActionPlan } from './action-plan.tsx';
import {
  type ActionAnswer,
  faultsAt,
  inputFields,
  inputOf,
  isAnswered,
  missingInputs,
  openProblems,
  type RecordAction,
  startingInputs,
} from './record-action.ts';

export interface ActionDialogProps {
  readonly resource: string;
  readonly action: Pick<
    RecordAction,
    'title' | 'confirm' | 'reasonRequired' | 'inputs' | 'danger' | 'action' | 'actsOnOthers'
  >;
  /** The record that it runs on; absent where it runs on many. */
  readonly record?: ErpRecord;
  /** Runs the action; a rejection keeps the dialog open with its message. */
  readonly onRun: (answer: ActionAnswer) => Promise<void>;
  /** The record has become another since it was read: the action is asked about, and runs, on this one. */
  readonly onCurrent?: (current: ErpRecord) => void;
  readonly onClose: () => void;
}

interface Fault {
  readonly message: string;
  readonly problems: readonly FieldProblem[];
}

/**
 * Asks for what an action needs (a confirmation, a reason, inputs) and says what it will do. Nothing typed is lost when
 * the server refuses: what is wrong with an input stands at it.
 */
export function ActionDialog({ resource, action, record, onRun, onCurrent, onClose }: ActionDialogProps) {
  const openRecord = useOpenRecord();
  const [opinion, setOpinion] = useState('');
  const [inputs, setInputs] = useState<ErpRecord>(() => startingInputs(inputFields(action)));
  const [fault, setFault] = useState<Fault | null>(null);
  const [isRunning, setRunning] = useState(false);
  const [isRenewed, setRenewed] = useState(false);
  const fields = inputFields(action);
  const renew = useCallback(
    (current: ErpRecord) => {
      setRenewed(true);
      onCurrent?.(current);
    },
    [onCurrent],
  );
  const hasAnswer = isAnswered(fields, { opinion, inputs });
  useUnsaved(hasAnswer);
  const leave = useLeaveQuestion(() => hasAnswer);
  const openAt = (key: string, id: string): void =>
    leave(() => {
      onClose();
      openRecord.byResource(key, id);
    });
  const run = async () => {
    const missing = missingAnswers(action, fields, inputs, opinion);
    if (missing.length > 0) return refuse({ message: '', problems: missing });
    setRunning(true);
    setFault(null);
    try {
      await onRun({ opinion: opinion.trim(), inputs });
    } catch (error) {
      const { message, problems, current } = refusalOf(error);
      if (current !== null && onCurrent !== undefined) renew(current);
      else refuse({ message: message === '未知错误' ? '操作没有完成' : message, problems });
    } finally {
      setRunning(false);
    }
  };
  const refuse = (refused: Fault): void => {
    setFault(refused);
    const [first] = Object.keys(faultsAt(fields, refused.problems));
    if (first !== undefined) document.getElementById(inputId(action.action, first))?.focus();
  };
  /** A refusal is of the answer that was given: what the new one comes to, the plan tells. */
  const takeBack = (answer: ActionAnswer): void => {
    const problems = openProblems(fields, fault?.problems ?? [], answer);
    setFault(fault === null || problems.length === 0 ? null : { ...fault, problems });
  };
  const faults = faultsAt(fields, fault?.problems ?? []);
  // A line that the action makes of its inputs often says the same again.
  const told = new Set(Object.values(faults));
  const rest = (fault?.problems ?? []).filter(
    ({ path, message }) => inputOf(fields, path) === null && path !== 'opinion' && !told.has(message),
  );
  const reasonFault = fault?.problems.find(({ path }) => path === 'opinion')?.message;

  return (
    <Modal
      open
      title={action.title}
      width={record === undefined ? 520 : 660}
      okText={action.title}
      cancelText="取消"
      okButtonProps={{ danger: action.danger === true, loading: isRunning }}
      onOk={() => void run()}
      onCancel={() => leave(onClose)}
      afterOpenChange={focusDialog}
      maskClosable={false}
    >
      {fault !== null && (rest.length > 0 || fault.problems.length === 0) && (
        <ProblemList problems={rest} message={fault.message} onOpen={openAt} />
      )}
      {isRenewed && (
        <Alert
          type="warning"
          showIcon
          message="单据刚刚有了变更，以下按最新内容列出，请核对后再确认"
          className="action-renewed"
        />
      )}
      {action.confirm !== undefined && <p className="action-confirm">{action.confirm}</p>}
      <ActionInputs
        resource={resource}
        action={action.action}
        fields={fields}
        values={inputs}
        record={record}
        faults={faults}
        onChange={(next) => {
          setInputs(next);
          takeBack({ opinion, inputs: next });
        }}
      />
      {action.reasonRequired === true && (
        <div className={`action-input${reasonFault === undefined ? '' : ' has-fault'}`}>
          <label htmlFor={`reason-${action.action}`} className="required">
            原因
          </label>
          <Input.TextArea
            id={`reason-${action.action}`}
            autoFocus
            rows={2}
            maxLength={500}
            showCount
            value={opinion}
            onChange={(event) => {
              setOpinion(event.target.value);
              takeBack({ opinion: event.target.value, inputs });
            }}
          />
          {reasonFault !== undefined && (
            <span className="action-fault" role="alert">
              {reasonFault}
            </span>
          )}
        </div>
      )}
      {record !== undefined && (
        <ActionPlan
          resource={resource}
          action={action.action}
          record={record}
          inputs={inputs}
          isInput={(path) => inputOf(fields, path) !== null}
          told={told}
          onOpen={openAt}
          onCurrent={renew}
        />
      )}
    </Modal>
  );
}

function missingAnswers(
  action: Pick<RecordAction, 'reasonRequired'>,
  fields: readonly Field[],
  inputs: ErpRecord,
  opinion: string,
): readonly FieldProblem[] {
  const missing = missingInputs(fields, inputs);
  return action.reasonRequired === true && opinion.trim() === ''
    ? [...missing, { path: 'opinion', code: 'required', message: '请填写原因' }]
    : missing;
}
