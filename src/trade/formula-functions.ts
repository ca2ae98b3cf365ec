import type { FormulaFunction } from '#engine/expression/formula-function.ts';
import { registerFunctions } from '#engine/expression/function-registry.ts';
import { TEXT } from '#engine/expression/value-type.ts';
import { normalisePartyName } from './party-name.ts';

/** The arithmetic of the trade that formulas may use, with its types. */
const TRADE_FUNCTIONS = {
  /** `party_key(name_en)`: what identifies a company, whatever its legal form and spelling. */
  party_key: {
    title: '名称特征',
    params: ['text'],
    result: TEXT,
    evaluate: ([name]) => (typeof name === 'string' ? normalisePartyName(name) || null : null),
  },
} as const satisfies Record<string, FormulaFunction>;

/** Makes the trade's functions known to formulas; called where definitions are read or evaluated. */
export function registerTradeFunctions(): void {
  registerFunctions(TRADE_FUNCTIONS);
}
