import { Alert } from 'antd';
import { useSyncExternalStore } from 'react';
import type { FieldProblem } from '#engine/schema/resource.ts';
import { controlId, useFormPlace } from './form-context.ts';
import type { FormStore } from './form-store.ts';
import type { Refusal } from './shown-error.ts';

interface ProblemSummaryProps {
  readonly refusal: Refusal | null;
  readonly onClose: () => void;
}

/** What still has to be changed, after a save was refused; each line jumps to its place. It shrinks as one works. */
export function ProblemSummary({ refusal, onClose }: ProblemSummaryProps) {
  const { store, formId } = useFormPlace();
  useSyncExternalStore(store.subscribeAny, store.problemRevision);
  if (refusal === null) return null;
  const problems = store.problems().filter((problem) => problem.level !== 'warning');
  // All that was wrong has been mended: nothing is left to say.
  if (problems.length === 0 && refusal.problems.length > 0) return null;
  return (
    <div data-problem-summary tabIndex={-1} style={{ outline: 'none' }}>
      <Alert
        type="error"
        showIcon
        closable
        onClose={onClose}
        message={problems.length === 0 ? refusal.message : `${refusal.message}（${problems.length} 处）`}
        description={
          problems.length === 0 ? undefined : (
            <ul className="problem-list">
              {problems.map((problem) => (
                <li key={`${problem.path} ${problem.message}`}>
                  <button
                    type="button"
                    className="link-button"
                    onClick={() => jumpTo(store, formId, problem)}
                  >
                    {placeTitle(store, problem)}
                    {problem.message}
                  </button>
                </li>
              ))}
            </ul>
          )
        }
      />
    </div>
  );
}

function jumpTo(store: FormStore, formId: string, problem: FieldProblem): void {
  const [name = '', index, column = ''] = problem.path.split('.');
  const lines = store.lines(name);
  const key = lines?.keyAt(Number(index));
  const target = document.getElementById(controlId(formId, name));
  target?.scrollIntoView({ block: 'center' });
  if (lines !== undefined && key !== undefined && index !== undefined) lines.requestFocus(key, column);
  else target?.focus({ preventScroll: true });
}

/** `商品明细第3行：` before a cell's problem; a field's message names its field itself. */
function placeTitle(store: FormStore, problem: FieldProblem): string {
  const [name = '', index] = problem.path.split('.');
  const field = store.resource.fields[name];
  if (field === undefined) return '';
  if (field.type === 'lines' && index !== undefined) return `${field.title}第${Number(index) + 1}行：`;
  return problem.message.includes(field.title) ? '' : `${field.title}：`;
}
