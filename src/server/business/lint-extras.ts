import type { LintExtras } from '#engine/schema/lint-context.ts';
import { knownValueChecks } from '#engine/values/value-checks.ts';
import { TRADE_CHECKS } from '#trade/check-digits.ts';
import { RULE_SETS } from '#server/business/rules/all-rules.ts';

/** The names that definition files may use and only the server's code knows. */
export function lintExtras(): LintExtras {
  return {
    checks: RULE_SETS.flatMap((set) => Object.keys(set.checks ?? {})),
    effects: RULE_SETS.flatMap((set) => Object.keys(set.effects ?? {})),
    valueChecks: [...new Set([...knownValueChecks(), ...Object.keys(TRADE_CHECKS)])],
  };
}
