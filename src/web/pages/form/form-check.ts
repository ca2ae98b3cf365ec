import { checkRecord, type CheckOptions } from '#engine/record/check-record.ts';
import type { Scope } from '#engine/filter/scope.ts';
import type { FieldProblem } from '#engine/schema/resource.ts';
import { valueProblems } from './form-values.ts';
import { withJudgedRules } from './judged-rules.ts';

/** Everything wrong with a record as it was typed: values first, rules after. What is no value is not judged by rules. */
export function recordProblems(
  scope: Scope,
  unread: readonly FieldProblem[],
  options: CheckOptions,
): readonly FieldProblem[] {
  const { resource, record } = scope;
  const broken = [...valueProblems(resource, record), ...unread];
  const paths = new Set(broken.map(({ path }) => path));
  const found = checkRecord(withJudgedRules(resource, scope.context), record, scope, options);
  return [...broken, ...found.filter(({ path }) => !paths.has(path))];
}
