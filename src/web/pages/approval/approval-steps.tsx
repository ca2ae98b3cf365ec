import type { ErpRecord, Resource } from '#engine/schema/resource.ts';
import type { Dictionaries } from '#web/fields/dictionary-context.ts';
import { ChangesTable } from '../details/changes-table.tsx';
import { useFormerNames } from '../details/former-names.ts';
import { shownChanges, shownTime } from '../details/history-row.ts';
import type { ApprovalRecord } from './approval-record.ts';

const STATUS_TITLES = {
  approved: '已同意',
  pending: '审核中',
  waiting: '待审',
  skipped: '已跳过',
  rejected: '已驳回',
  cancelled: '已撤回',
} as const;

const RESULT_TITLES: Readonly<Record<string, string>> = {
  approved: '同意',
  rejected: '驳回',
  delegated: '转审',
};

export interface ApprovalStepsProps {
  readonly approval: ApprovalRecord;
  readonly resource: Resource;
  readonly record: ErpRecord;
  readonly dictionaries: Dictionaries;
}

/** Beside the document: who decided, who decides next and why this person, what the checks say, what changed since the last submission. */
export function ApprovalSteps({ approval, ...document }: ApprovalStepsProps) {
  // What a rejection spares the later levels nobody took back.
  const isRejected = approval.steps.some(({ status }) => status === 'rejected');
  return (
    <aside className="approval-side">
      <h2>审核流程{approval.flow === null ? '' : `：${approval.flow}`}</h2>
      <ol className="approval-steps">
        {approval.steps.map((step) => (
          <li key={step.level_no} className={step.status}>
            <b>
              {step.level_no}. {step.title}
            </b>
            <span>{isRejected && step.status === 'cancelled' ? '未进行' : STATUS_TITLES[step.status]}</span>
            {step.decisions.map((act) => (
              <p key={act.task_id + act.name}>
                {act.name}
                {act.for_name !== '' && <>（受 {act.for_name} 委托）</>}{' '}
                {RESULT_TITLES[act.result] ?? act.result}{' '}
                {act.at !== null && <time dateTime={act.at}>{shownTime(act.at)}</time>}
                {act.opinion !== null && act.opinion !== '' && <q>{act.opinion}</q>}
              </p>
            ))}
            {step.decisions.length === 0 && step.persons.length > 0 && (
              <p>
                {step.persons.map((person) => person.name).join('、')}
                {step.persons.length > 1 && (step.mode === 'all' ? '（会签）' : '（或签）')}
              </p>
            )}
            <small>{step.skipped ?? step.reason}</small>
          </li>
        ))}
      </ol>
      {approval.checks.length > 0 && (
        <>
          <h2>检查</h2>
          <ul className="approval-checks">
            {approval.checks.map((check) => (
              <li key={check.path + check.message} className={check.ok ? 'ok' : (check.level ?? 'error')}>
                {check.message}
              </li>
            ))}
          </ul>
        </>
      )}
      {approval.changes.length > 0 && (
        <>
          <h2>与上次提交相比</h2>
          <ChangesSince changes={approval.changes} {...document} />
        </>
      )}
    </aside>
  );
}

function ChangesSince({
  changes,
  ...document
}: Omit<ApprovalStepsProps, 'approval'> & Pick<ApprovalRecord, 'changes'>) {
  const names = useFormerNames(document.resource, [{ changes }]);
  return <ChangesTable changes={shownChanges({ changes }, { ...document, names })} />;
}
