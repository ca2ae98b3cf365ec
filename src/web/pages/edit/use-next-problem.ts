import { useRef } from 'react';
import type { SectionDefinition } from '#engine/schema/layout-definition.ts';
import type { FormPlace } from '../form/form-context.ts';
import { focusPath, orderedProblems } from '../form/form-focus.ts';

/** F8 through the problems of a form, round and round; what has been mended on the way is passed over. */
export function useNextProblem(
  place: FormPlace,
  sections: readonly SectionDefinition[],
): (step: 1 | -1) => void {
  const last = useRef<{ readonly path: string; readonly at: number } | null>(null);
  return (step) => {
    const problems = orderedProblems(place.store, sections);
    if (problems.length === 0) return;
    const known = problems.findIndex(({ path }) => path === last.current?.path);
    // The one seen last is gone: the next has moved to its place.
    const from = known >= 0 ? known + step : step > 0 ? (last.current?.at ?? 0) : (last.current?.at ?? 0) - 1;
    const at = (from + problems.length) % problems.length;
    const problem = problems[at];
    if (problem === undefined) return;
    last.current = { path: problem.path, at };
    focusPath(place, problem.path);
  };
}
