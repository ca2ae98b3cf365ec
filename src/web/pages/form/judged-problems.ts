import type { FieldProblem } from '#engine/schema/resource.ts';

/** Codes of what rules say, which read records that only the server finds (an agreement, a limit, a pool). */
const OF_RULES: ReadonlySet<string> = new Set(['rule', 'required']);

/**
 * What stands against a save or a submission: what the browser sees in the form itself, and of what rules say the server's word, where
 * it has been asked. A rule over a record that is looked for is broken here as long as nobody has looked.
 */
export function judgedProblems(
  seen: readonly FieldProblem[],
  said: { readonly problems: readonly FieldProblem[]; readonly submitProblems: readonly FieldProblem[] },
): readonly FieldProblem[] {
  const own = seen.filter((problem) => isError(problem) && !isOfRules(problem));
  const broken = new Set(own.map(({ path }) => path));
  const told = [...said.problems, ...said.submitProblems].filter(
    (problem) => isError(problem) && !broken.has(problem.path),
  );
  return [...own, ...told];
}

/** True for what a rule says of the record, not the form of what was typed. */
export function isOfRules({ code }: FieldProblem): boolean {
  return OF_RULES.has(code);
}

function isError({ level }: FieldProblem): boolean {
  return level !== 'warning';
}
