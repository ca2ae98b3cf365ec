import type { Scope } from '../filter/scope.ts';
import { filterReads } from '../schema/filter-reads.ts';
import { headPath, isOfRecord } from '../schema/formula-order.ts';
import type { RuleDefinition } from '../schema/lifecycle-definition.ts';
import type { Resource } from '../schema/resource.ts';
import { isRuleActive } from './field-states.ts';
import { linesOf, lineScope } from './record-lines.ts';

/** A rule with what it hides from a reader who sees all that it reads. */
export interface HidingRule {
  readonly rule: RuleDefinition;
  readonly hide: readonly string[];
}

/**
 * The rules of a resource that hide something which the reader would see. A rule that reads anything else than what the
 * reader sees is not among them: what it hides would give the answer away.
 */
export function hidingRules(resource: Resource, isVisible: (path: string) => boolean): readonly HidingRule[] {
  return resource.rules.flatMap((rule) => {
    const hide = (rule.hide ?? []).filter((name) => isVisible(headPath(name, rule.each)));
    return hide.length > 0 && readsOf(rule).every(isVisible) ? [{ rule, hide }] : [];
  });
}

/**
 * What such rules hide of a stored record: `lc_no`, `items` (a table), `items.supplier_id` (the column in every line),
 * `items.<id of the line>.supplier_id` (one cell). The same fields as its form hides.
 */
export function hiddenNow(rules: readonly HidingRule[], scope: Scope): readonly string[] {
  if (rules.length === 0) return [];
  return [...new Set(rules.flatMap((hiding) => hiddenBy(hiding, scope)))];
}

function hiddenBy({ rule, hide }: HidingRule, scope: Scope): readonly string[] {
  const { each: lines } = rule;
  if (lines === undefined) return isRuleActive(rule, scope) ? hide : [];
  return linesOf(scope.record, lines).flatMap((line) =>
    isRuleActive(rule, lineScope(scope, lines, line))
      ? hide.map((name) => `${lines}.${String(line['id'])}.${name}`)
      : [],
  );
}

function readsOf({ when, each }: RuleDefinition): readonly string[] {
  const { fields, values } = filterReads(when);
  return [...fields, ...values].map((path) => headPath(path, each)).filter(isOfRecord);
}
