import type { FieldProblem } from '../schema/resource.ts';

/** Most problems of one answer: who has more to mend mends these first. */
export const MAX_PROBLEMS = 20;

/** The first of many problems; what refuses stands before what only warns. */
export function firstProblems(problems: readonly FieldProblem[]): readonly FieldProblem[] {
  if (problems.length <= MAX_PROBLEMS) return problems;
  const refusing = problems.filter(({ level }) => level !== 'warning');
  return [...refusing, ...problems.filter(({ level }) => level === 'warning')].slice(0, MAX_PROBLEMS);
}

/** Collects what is wrong with an input, and stops at {@link MAX_PROBLEMS}: the rest is not even put into words. */
export class ProblemList {
  readonly found: FieldProblem[] = [];

  /** `word` makes the problem; it is not called once the list is full. */
  add(word: () => FieldProblem): void {
    if (this.found.length < MAX_PROBLEMS) this.found.push(word());
  }
}
