import { evaluate } from '../expression/evaluate.ts';
import type { Expression } from '../expression/expression.ts';
import { expressionReads } from '../expression/parse-expression.ts';
import type { Scope } from '../filter/scope.ts';

/**
 * The one field whose value a formula gives wherever it gives any: `if(status == 'shipped', atd, null)` is `atd` or
 * nothing. What it chooses by parameters is chosen by their values (`scope.given`). Null where it may be several fields, or
 * a value made of them: then no index on a column leads to its rows.
 */
export function columnOf(expression: Expression, scope: Scope): string | null {
  const [only, ...others] = new Set(pathsOf(expression, scope));
  return only === undefined || others.length > 0 ? null : only;
}

/**
 * The fields that a formula takes its value from, in their order: the first that has one (`coalesce(atd, etd)`). One where
 * `columnOf` finds it; null where it is made otherwise.
 */
export function columnsOf(expression: Expression, scope: Scope): readonly string[] | null {
  if (expression.kind === 'call' && expression.name === 'coalesce') {
    const paths = expression.args.flatMap((each) => (each.kind === 'path' ? [each.path] : []));
    return paths.length === expression.args.length ? paths : null;
  }
  const column = columnOf(expression, scope);
  return column === null ? null : [column];
}

/** The fields that a formula may hand on unchanged; null for whatever is not one. */
function pathsOf(expression: Expression, scope: Scope): readonly (string | null)[] {
  if (expression.kind === 'path') return [expression.path];
  if (expression.kind === 'literal' && expression.value === null) return [];
  const choice = choiceOf(expression);
  if (choice === null) return [null];
  const { test, consequent, otherwise } = choice;
  if (!expressionReads(test).every((path) => path.startsWith('param.')))
    return [...pathsOf(consequent, scope), ...pathsOf(otherwise, scope)];
  return pathsOf(evaluate(test, scope) === true ? consequent : otherwise, scope);
}

interface Choice {
  readonly test: Expression;
  readonly consequent: Expression;
  readonly otherwise: Expression;
}

function choiceOf(expression: Expression): Choice | null {
  if (expression.kind === 'choice') return expression;
  if (expression.kind !== 'call' || expression.name !== 'if') return null;
  const [test, consequent, otherwise] = expression.args;
  return test === undefined || consequent === undefined || otherwise === undefined
    ? null
    : { test, consequent, otherwise };
}
