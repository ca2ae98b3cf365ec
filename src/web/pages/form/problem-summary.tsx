import { CloseOutlined } from '@ant-design/icons';
import { Alert } from 'antd';
import { useSyncExternalStore } from 'react';
import type { SectionDefinition } from '#engine/schema/layout-definition.ts';
import type { FieldProblem } from '#engine/schema/resource.ts';
import { useFormPlace } from './form-context.ts';
import { focusPath, orderedProblems } from './form-focus.ts';
import type { FormStore } from './form-store.ts';
import { lineTitle, problemText } from './problem-text.ts';
import type { Refusal } from './shown-error.ts';

interface ProblemSummaryProps {
  readonly refusal: Refusal | null;
  /** In the order of the page, which is that of the problems. */
  readonly sections: readonly SectionDefinition[];
  readonly onClose: () => void;
}

/** What still has to be changed, after a save was refused: fields, then line by line. It shrinks as one works. */
export function ProblemSummary({ refusal, sections, onClose }: ProblemSummaryProps) {
  const place = useFormPlace();
  const { store } = place;
  useSyncExternalStore(store.subscribeAny, store.problemRevision);
  if (refusal === null) return null;
  const problems = orderedProblems(store, sections);
  // All that was wrong has been mended: nothing is left to say.
  if (problems.length === 0 && refusal.problems.length > 0) return null;
  const groups = grouped(store, problems);
  return (
    <div data-problem-summary tabIndex={-1} style={{ outline: 'none' }}>
      <Alert
        type="error"
        showIcon
        closable={{ closeIcon: <CloseOutlined aria-label="关闭" /> }}
        onClose={onClose}
        message={
          problems.length === 0 ? refusal.message : `${refusal.message}（${problems.length} 处，F8 到下一处）`
        }
        description={
          groups.length === 0 ? undefined : (
            <ul className="problem-list">
              {groups.map(({ title, problems: own }) => (
                <li key={title}>
                  {title !== '' && <b>{title}：</b>}
                  {own.map((problem, index) => (
                    <span key={`${problem.path} ${problem.message}`}>
                      {index > 0 && '；'}
                      <button
                        type="button"
                        className="link-button"
                        onClick={() => focusPath(place, problem.path)}
                      >
                        {problemText(store.resource, problem)}
                      </button>
                    </span>
                  ))}
                </li>
              ))}
            </ul>
          )
        }
      />
    </div>
  );
}

interface ProblemGroup {
  /** `商品明细第3行`; empty for the fields of the head. */
  readonly title: string;
  readonly problems: readonly FieldProblem[];
}

function grouped(store: FormStore, problems: readonly FieldProblem[]): readonly ProblemGroup[] {
  const groups = new Map<string, FieldProblem[]>();
  for (const problem of problems) {
    const title = lineTitle(store.resource, problem);
    const own = groups.get(title) ?? [];
    own.push(problem);
    groups.set(title, own);
  }
  return [...groups].map(([title, own]) => ({ title, problems: own }));
}
