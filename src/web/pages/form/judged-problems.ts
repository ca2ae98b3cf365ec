import type { FieldProblem } from '#engine/schema/resource.ts';

/** Codes of what rules say, which read records that only the server finds (an agreement, a limit, a pool). */
const OF_RULES: ReadonlySet<string> = new Set(['rule', 'required']);

/**
 * What stands against a submission: what the browser sees in the form itself, and of what rules say the server's word, where
 * it has been asked. A rule over a record that is looked for is broken here as long as nobody has looked.
 */
export function judgedProblems(
  seen: readonly FieldProblem[],
  said: { readonly problems: readonly FieldProblem[]; readonly submitProblems: readonly FieldProblem[] },
): readonly FieldProblem[] {
  const server = [...said.problems, ...said.submitProblems].filter(isError);
  const isSaid = ({ path, code }: FieldProblem): boolean =>
    server.some((other) => other.path === path && other.code === code);
  const kept = seen.filter((problem) => isError(problem) && (!OF_RULES.has(problem.code) || isSaid(problem)));
  const places = new Set(kept.map(({ path, code }) => `${path}|${code}`));
  return [...kept, ...server.filter(({ path, code }) => !places.has(`${path}|${code}`))];
}

function isError({ level }: FieldProblem): boolean {
  return level !== 'warning';
}
