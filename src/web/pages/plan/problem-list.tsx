import { Alert } from 'antd';
import type { FieldProblem } from '#engine/schema/resource.ts';
import { figureText } from './figure-text.ts';
import { type OpenRecordAt, RecordLink } from './record-link.tsx';

export interface ProblemListProps {
  readonly problems: readonly FieldProblem[];
  /** Said where no problem says more. */
  readonly message?: string | null;
  readonly onOpen: OpenRecordAt;
}

/** What refuses a write and what it is warned of: each with the records that stand against it, as links, or with its figures. */
export function ProblemList({ problems, message = null, onOpen }: ProblemListProps) {
  const said = saidOnce(problems);
  const errors = said.filter(({ level }) => level !== 'warning');
  const warnings = said.filter(({ level }) => level === 'warning');
  return (
    <>
      {errors.length > 0 && <Problems type="error" problems={errors} onOpen={onOpen} />}
      {errors.length === 0 && message !== null && <Alert type="error" showIcon message={message} />}
      {warnings.length > 0 && <Problems type="warning" problems={warnings} onOpen={onOpen} />}
    </>
  );
}

/** An input and a line that is made of it may be refused in the same words. */
function saidOnce(problems: readonly FieldProblem[]): readonly FieldProblem[] {
  return problems.filter(
    ({ message, detail }, place) =>
      detail !== undefined || problems.findIndex((other) => other.message === message) === place,
  );
}

interface ProblemsProps {
  readonly type: 'error' | 'warning';
  readonly problems: readonly FieldProblem[];
  readonly onOpen: OpenRecordAt;
}

function Problems({ type, problems, onOpen }: ProblemsProps) {
  return (
    <Alert
      type={type}
      showIcon
      className="plan-problems"
      message={
        <ul>
          {problems.map((problem) => (
            <li key={`${problem.path} ${problem.code} ${problem.message}`}>
              {problem.message}
              <ProblemDetail problem={problem} onOpen={onOpen} />
            </li>
          ))}
        </ul>
      }
    />
  );
}

function ProblemDetail({
  problem: { detail },
  onOpen,
}: {
  readonly problem: FieldProblem;
  readonly onOpen: OpenRecordAt;
}) {
  if (detail === undefined) return null;
  if (!('records' in detail))
    return (
      <div className="problem-detail">
        <RecordLink {...detail} onOpen={onOpen} />
        {detail.figure !== null && (
          <>
            {' '}
            将为 <b>{figureText(detail.figure, detail.currency ?? null)}</b>
            {detail.bound !== null && <>，界限 {figureText(detail.bound, detail.currency ?? null)}</>}
          </>
        )}
      </div>
    );
  const unseen = detail.count - detail.records.length;
  return (
    <div className="problem-detail">
      共 {detail.count} 条{detail.records.length > 0 && '：'}
      <span className="problem-records">
        {detail.records.map((record) => (
          <RecordLink key={`${record.resource}-${record.id}`} {...record} onOpen={onOpen} />
        ))}
      </span>
      {unseen > 0 && detail.records.length > 0 && <small>另有 {unseen} 条未列出</small>}
    </div>
  );
}
