import { expressionReads, parseExpression } from '../expression/parse-expression.ts';

/** The paths a formula reads; a formula that does not parse reads nothing (the lint reports it with its place). */
export function formulaReads(formula: string): readonly string[] {
  try {
    return expressionReads(parseExpression(formula));
  } catch {
    return [];
  }
}
