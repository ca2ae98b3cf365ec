import { Alert, App, Button, Input, Modal, Space } from 'antd';
import { useState } from 'react';
import { companyToday } from '#engine/values/dates.ts';
import type { ErpRecord, Field, Resource } from '#engine/schema/resource.ts';
import { useUnsaved } from '#web/app/use-unsaved.ts';
import { HttpFault } from '#web/data/http.ts';
import { showFault } from '#web/data/show-fault.ts';
import { plainField } from '#engine/report/report-names.ts';
import { DATE_VIEW } from '#web/fields/date-view.tsx';
import type { DecisionForm } from '#contract/approval.ts';
import { storedPerson } from '#web/data/stored-person.ts';
import { useWrite } from '#web/data/use-write.ts';
import { REFERENCE_VIEW } from '#web/fields/reference-view.tsx';
import type { ApprovalRecord } from './approval-record.ts';
import { focusDialog } from '../actions/focus-dialog.ts';
import { isStale, refusalOf } from '../form/shown-error.ts';
import { LevelFields, levelFieldId } from './level-fields.tsx';

export interface ApprovalBarProps {
  readonly resource: string;
  /** Null until it is loaded. */
  readonly definition: Resource | null;
  readonly record: ErpRecord;
  readonly approval: ApprovalRecord;
  /** What was filled in at this level so far. */
  readonly fields: ErpRecord;
  readonly onFields: (fields: ErpRecord) => void;
  readonly onDone: () => void;
  /** The task or the record is no longer what is shown here. */
  readonly onStale: () => void;
}

type DecisionExtras = Omit<DecisionForm, 'version' | 'opinion'>;
type Dialog = 'reject' | 'delegate' | 'withdraw' | null;

/** Why one's own submission can no longer be taken back, and who can still send it back. */
function WithdrawalEnded({ approval }: { readonly approval: ApprovalRecord }) {
  const { next, submitted_by: submitter } = approval;
  if (next === null || submitter === null || submitter.id !== storedPerson()?.id) return null;
  const decided = approval.steps.find((step) => step.decisions.some(({ result }) => result === 'approved'));
  const persons = next.persons.map(({ name }) => name).join('、');
  return (
    <div className="approval-bar is-quiet">
      <span>
        {decided === undefined ? '单据正在审核' : `「${decided.title}」已同意`}，不能再撤回；需要修改时，请
        {persons === '' ? '当前审核人' : persons}（{next.title}）驳回。
      </span>
    </div>
  );
}

/** Approve, reject with an opinion, delegate with an end date; withdraw for the submitter. */
export function ApprovalBar(props: ApprovalBarProps) {
  const { resource, definition, record, approval, fields, onFields, onDone, onStale } = props;
  const { message } = App.useApp();
  const [opinion, setOpinion] = useState('');
  const [faults, setFaults] = useState<Readonly<Record<string, string>>>({});
  const [dialog, setDialog] = useState<Dialog>(null);
  const { write, isWriting: isRunning } = useWrite();
  const { task } = approval;
  useUnsaved(task !== null && (opinion.trim() !== '' || Object.keys(fields).length > 0));
  // The record as it stands here: the level may have filled it in on its own page since it was submitted.
  const version = Number(record['version']);
  const attempt = async (title: string, work: () => Promise<unknown>) => {
    try {
      await work();
      void message.success(`${title}成功`);
      setDialog(null);
      setOpinion('');
      setFaults({});
      onDone();
    } catch (error) {
      showFault(message, error, `${title}没有完成`);
      if (isStale(refusalOf(error))) onStale();
      const problems = error instanceof HttpFault ? error.problems : [];
      setFaults(Object.fromEntries(problems.map((problem) => [problem.path, problem.message])));
      document.getElementById(levelFieldId(problems[0]?.path ?? ''))?.focus();
    }
  };
  if (task === null)
    return approval.canWithdraw ? (
      <div className="approval-bar">
        <span>您提交的单据正在审核，首级审核前可以撤回。</span>
        <Button
          loading={isRunning}
          onClick={() =>
            void attempt('撤回', () =>
              write('POST /approval/record/:resource/:id/withdraw', {
                params: { resource, id: String(record['id']) },
                body: { version },
              }),
            )
          }
        >
          撤回
        </Button>
      </div>
    ) : (
      <WithdrawalEnded approval={approval} />
    );
  const act = (title: string, action: 'approve' | 'reject' | 'delegate', extra: DecisionExtras = {}) =>
    attempt(title, () =>
      write(`POST /approval/:taskId/${action}`, {
        params: { taskId: task.id },
        body: { version, ...(opinion.trim() === '' ? {} : { opinion: opinion.trim() }), ...extra },
      }),
    );

  return (
    <div className="approval-bar">
      <b>{approval.next?.title ?? '审核'}</b>
      <Input
        aria-label="审核意见"
        placeholder="审核意见（驳回必填）"
        maxLength={500}
        value={opinion}
        onChange={(event) => setOpinion(event.target.value)}
      />
      <Space>
        <Button
          type="primary"
          loading={isRunning}
          onClick={() => void act('同意', 'approve', Object.keys(fields).length === 0 ? {} : { fields })}
        >
          同意
        </Button>
        <Button
          danger
          disabled={isRunning}
          onClick={() => (opinion.trim() === '' ? setDialog('reject') : void act('驳回', 'reject'))}
        >
          驳回
        </Button>
        <Button disabled={isRunning} onClick={() => setDialog('delegate')}>
          转审
        </Button>
      </Space>
      {definition !== null && (
        <LevelFields
          resource={definition}
          record={record}
          names={task.fields}
          values={fields}
          faults={faults}
          isOpen={task.fields.some(
            (name) =>
              Object.hasOwn(faults, name) || approval.checks.some(({ path, ok }) => !ok && path === name),
          )}
          onChange={onFields}
        />
      )}
      {dialog === 'reject' && (
        <Modal
          open
          title="驳回"
          okText="驳回"
          cancelText="取消"
          okButtonProps={{ danger: true, disabled: opinion.trim() === '' }}
          onOk={() => void act('驳回', 'reject')}
          onCancel={() => setDialog(null)}
          afterOpenChange={focusDialog}
        >
          <Alert type="info" message="请写明驳回的原因，提交人会看到。" style={{ marginBottom: 12 }} />
          <Input.TextArea
            autoFocus
            rows={3}
            maxLength={500}
            value={opinion}
            onChange={(event) => setOpinion(event.target.value)}
          />
        </Modal>
      )}
      {dialog === 'delegate' && (
        <DelegateDialog
          title={definition?.title ?? '同类单据'}
          faults={faults}
          onClose={() => {
            setFaults({});
            setDialog(null);
          }}
          onRun={(to, until) => act('转审', 'delegate', { to, ...(until === null ? {} : { until }) })}
        />
      )}
    </div>
  );
}

const PERSON_FIELD: Field = {
  name: 'assignee_ids',
  title: '转给',
  type: 'reference',
  to: 'person',
  required: true,
  standard: false,
  computed: false,
};

const UNTIL_FIELD = plainField('until', 'date', '委托至');

function inputClass(fault: string | undefined): string {
  return fault === undefined ? 'action-input' : 'action-input has-fault';
}

function Fault({ text }: { readonly text: string | undefined }) {
  return text === undefined ? null : (
    <span className="action-fault" role="alert">
      {text}
    </span>
  );
}

function DelegateDialog(props: {
  /** Of the kind of document. */
  readonly title: string;
  /** What the last try refused, by field. */
  readonly faults: Readonly<Record<string, string>>;
  readonly onRun: (to: string, until: string | null) => Promise<void>;
  readonly onClose: () => void;
}) {
  const [to, setTo] = useState<string | null>(null);
  const [until, setUntil] = useState<string | null>(null);
  const { faults } = props;
  const { Control } = REFERENCE_VIEW;
  return (
    <Modal
      open
      title="转审"
      okText="转审"
      cancelText="取消"
      okButtonProps={{ disabled: to === null }}
      onOk={() => void (to !== null && props.onRun(to, until))}
      onCancel={props.onClose}
      afterOpenChange={focusDialog}
    >
      <div className={inputClass(faults['to'])}>
        <label htmlFor="delegate-to" className="required">
          转给
        </label>
        <Control
          id="delegate-to"
          field={PERSON_FIELD}
          value={to}
          onChange={(value) => setTo(typeof value === 'string' ? value : null)}
          place={{ resource: 'approval_task', path: 'assignee_ids', readRecord: () => ({}) }}
        />
        <Fault text={faults['to']} />
      </div>
      <div className={inputClass(faults['until'])}>
        <label htmlFor="delegate-until">此后的{props.title}也委托该同事审核，至</label>
        <DATE_VIEW.Control
          id="delegate-until"
          field={UNTIL_FIELD}
          value={until}
          earliest={companyToday(new Date())}
          isInvalid={faults['until'] !== undefined}
          onChange={(value) => setUntil(typeof value === 'string' ? value : null)}
        />
        <Fault text={faults['until']} />
      </div>
    </Modal>
  );
}
