import type { Expression } from '../expression/expression.ts';
import {
  callsLinesFunction,
  ExpressionFault,
  expressionReads,
  parseExpression,
} from '../expression/parse-expression.ts';

/** The paths a formula reads; a formula that does not parse reads nothing (the lint reports it with its place). */
export function formulaReads(formula: string): readonly string[] {
  const expression = parsedFormula(formula);
  return expression === null ? [] : expressionReads(expression);
}

/** A formula parsed; null when it does not parse. */
export function parsedFormula(formula: string): Expression | null {
  try {
    return parseExpression(formula);
  } catch (error) {
    if (error instanceof ExpressionFault) return null;
    throw error;
  }
}

/** Whether a formula of lines looks at other lines too: shares, sums, the line above. */
export function looksAround(formula: Expression, lines: string): boolean {
  return (
    callsLinesFunction(formula) ||
    expressionReads(formula).some((path) => path.startsWith('above.') || path.startsWith(`parent.${lines}.`))
  );
}
