import type { LintExtras } from '#engine/schema/lint-context.ts';
import { knownValueChecks } from '#engine/values/value-checks.ts';
import { TRADE_CHECKS } from '#trade/check-digits.ts';
import { RULE_SETS } from '#server/business/rules/all-rules.ts';
import { buildRuleRegistry } from '#server/records/rules/rule-registry.ts';
import { OPERATION_WRITES } from './operation-writes.ts';

let extras: LintExtras | null = null;

/**
 * The names that definition files may use and only the server's code knows, and what that code writes; the same object
 * each time.
 */
export function lintExtras(): LintExtras {
  extras ??= gatherExtras();
  return extras;
}

function gatherExtras(): LintExtras {
  const rules = buildRuleRegistry(RULE_SETS);
  return {
    checks: [...rules.checks.keys()],
    effects: [...rules.effects.keys()],
    valueChecks: new Set([...knownValueChecks(), ...Object.keys(TRADE_CHECKS)]),
    writes: [...rules.writes, ...OPERATION_WRITES],
  };
}
