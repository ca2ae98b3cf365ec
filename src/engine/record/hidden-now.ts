import type { Scope } from '../filter/scope.ts';
import { filterReads } from '../schema/filter-reads.ts';
import { headPath, isOfRecord } from '../schema/formula-order.ts';
import type { RuleDefinition } from '../schema/lifecycle-definition.ts';
import type { Resource } from '../schema/resource.ts';
import { isRuleActive } from './field-states.ts';
import { linesOf, lineScope } from './record-lines.ts';

/**
 * What the rules hide of a stored record: `lc_no`, `items` (a table), `items.supplier_id` (the column in every line),
 * `items.<id of the line>.supplier_id` (one cell). The same fields as its form hides from a reader who sees what the
 * rules read: a rule that reads anything else is not judged, what it hides would give the answer away.
 */
export function hiddenNow(
  resource: Resource,
  scope: Scope,
  isVisible: (path: string) => boolean,
): readonly string[] {
  const here: Scope = { ...scope, resource };
  const hidden = hidingRules(resource).flatMap((rule) => {
    if (!readsOf(rule).every(isVisible)) return [];
    return hiddenBy(rule, here, (name) => isVisible(headPath(name, rule.each)));
  });
  return [...new Set(hidden)];
}

function hiddenBy(rule: RuleDefinition, scope: Scope, isTold: (name: string) => boolean): readonly string[] {
  const { each: lines } = rule;
  const hide = (rule.hide ?? []).filter(isTold);
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

const hiding = new WeakMap<Resource, readonly RuleDefinition[]>();

/** Most resources have none: the others need not be gone through at each reading. */
function hidingRules(resource: Resource): readonly RuleDefinition[] {
  const known = hiding.get(resource);
  if (known !== undefined) return known;
  const rules = resource.rules.filter(({ hide = [] }) => hide.length > 0);
  hiding.set(resource, rules);
  return rules;
}
