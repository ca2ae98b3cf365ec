import type { LedgerDefinition } from '#engine/schema/ledger-definition.ts';
import type { ErpRecord } from '#engine/schema/resource.ts';
import { subtractDecimals } from '#engine/values/decimal.ts';

/**
 * Entries of one account, the newest first, each with the balance after it in this order: the account's own after the
 * first. What was posted later may be of an earlier day, so that the balances of the postings do not follow one another.
 * @example of 100.00 with entries of 30.00 and -5.00: after them 100.00 and 70.00
 */
export function balancesInOrder(
  entries: readonly ErpRecord[],
  { amount, after }: Pick<LedgerDefinition, 'amount' | 'after'>,
  balance: string,
): readonly ErpRecord[] {
  let left = balance;
  return entries.map((entry) => {
    const told = { ...entry, [after]: left };
    left = subtractDecimals(left, String(entry[amount] ?? '0'));
    return told;
  });
}
