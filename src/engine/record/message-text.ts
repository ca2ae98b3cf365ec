import { evaluate } from '../expression/evaluate.ts';
import { shownValue } from '../expression/shown-value.ts';
import type { Scope } from '../filter/scope.ts';
import type { RuleDefinition } from '../schema/lifecycle-definition.ts';
import { parsedFormula } from '../schema/formula-reads.ts';

/** A formula in braces within a message. */
const FIGURE = /\{([^{}]+)\}/g;

/**
 * The formulas that a rule's message shows, in its order.
 *
 * @example messageFormulas('税额应为 {round(sum(items.tax), 2)}') // ['round(sum(items.tax), 2)']
 */
export function messageFormulas(message: string): readonly string[] {
  return [...message.matchAll(FIGURE)].map(([, formula = '']) => formula);
}

/** Every formula of a rule: its condition and what its message shows. */
export function ruleFormulas({ holds, message }: RuleDefinition): readonly string[] {
  return [...(holds === undefined ? [] : [holds]), ...messageFormulas(message ?? '')];
}

/** A rule's message with its formulas as people see them: amounts with separators, labels of dictionaries; nothing for what is empty. */
export function messageText(message: string, scope: Scope): string {
  return message.replace(FIGURE, (_, formula: string) => {
    const expression = parsedFormula(formula);
    const shown = expression === null ? null : shownValue(expression, scope, evaluate);
    return typeof shown === 'string' ? shown : '';
  });
}
