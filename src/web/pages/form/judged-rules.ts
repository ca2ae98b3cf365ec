import { ruleFormulas } from '#engine/record/message-text.ts';
import { filterFormulas, filterReads } from '#engine/schema/filter-reads.ts';
import { parsedFormula } from '#engine/schema/formula-reads.ts';
import type { RuleDefinition } from '#engine/schema/lifecycle-definition.ts';
import type { EvaluationContext, Resource } from '#engine/schema/resource.ts';
import { asksServer } from './form-formulas.ts';

/**
 * The resource with the rules that this browser can judge: a tolerance that is a parameter is known to the server alone,
 * and a range without it would be broken by everything. What such rules hide or require stays.
 */
export function withJudgedRules(resource: Resource, context: EvaluationContext): Resource {
  const known = judged.get(resource);
  if (known?.context === context) return known.resource;
  const rules = resource.rules.map((rule) => (isJudgedHere(rule, context) ? rule : withoutAssertion(rule)));
  const made = { ...resource, rules };
  judged.set(resource, { context, resource: made });
  return made;
}

const judged = new WeakMap<Resource, { readonly context: EvaluationContext; readonly resource: Resource }>();

function isJudgedHere(rule: RuleDefinition, context: EvaluationContext): boolean {
  const filters = [rule.when, rule.assert].filter((filter) => filter !== undefined);
  const formulas = [...filters.flatMap(filterFormulas), ...ruleFormulas(rule)];
  const isSent = filters
    .flatMap((filter) => filterReads(filter).values)
    .every((path) => !path.startsWith('param.') || context.params[path.slice('param.'.length)] !== undefined);
  return (
    isSent &&
    formulas.every((text) => {
      const formula = parsedFormula(text);
      return formula === null || !asksServer(formula, context);
    })
  );
}

function withoutAssertion({ assert: _assert, holds: _holds, ...rule }: RuleDefinition): RuleDefinition {
  return rule;
}
