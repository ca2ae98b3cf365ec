import { defineValueCheck } from '#engine/values/value-checks.ts';
import { TRADE_CHECKS } from '#trade/check-digits.ts';
import { registerTradeFunctions } from '#trade/formula-functions.ts';

/** Makes the trade's check digits and arithmetic known to the engine in the browser. */
export function defineTradeChecks(): void {
  for (const [name, check] of Object.entries(TRADE_CHECKS)) defineValueCheck(name, check);
  registerTradeFunctions();
}
