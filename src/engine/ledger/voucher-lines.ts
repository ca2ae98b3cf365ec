import type { PostingAccount } from '../schema/posting-accounts.ts';
import type { ErpRecord } from '../schema/resource.ts';
import { addDecimals } from '../values/decimal.ts';
import type { VoucherAccount, VoucherPair } from './plan-voucher.ts';

/** An account with its code, ready to be written. */
export interface KnownAccount extends Pick<PostingAccount, 'code' | 'name' | 'foreign'> {
  readonly key: string | null;
}

/** One line of a voucher: an amount on one side. */
export interface VoucherLine {
  readonly account: KnownAccount;
  readonly side: 'debit' | 'credit';
  readonly amount: string;
  readonly currency: string;
  readonly foreign: string | null;
  readonly rate: string | null;
  readonly with: ErpRecord;
}

/** The currency of the books. */
export const BOOK_CURRENCY = 'CNY';

/**
 * The lines of a voucher: each pair gives one on either side, those of equal account, side, currency and dimensions add
 * up, in the order in which they first came. Amounts in foreign currency go to accounts that are kept in it. Debit equals
 * credit, since every pair adds its amount to both.
 */
export function voucherLines(
  pairs: readonly VoucherPair[],
  known: (account: VoucherAccount) => KnownAccount,
): readonly VoucherLine[] {
  const lines = new Map<string, VoucherLine>();
  for (const pair of pairs)
    for (const side of ['debit', 'credit'] as const) {
      const line = lineOf(pair, side, known(pair[side]));
      const key = JSON.stringify([
        line.account.code,
        side,
        line.currency,
        line.rate,
        Object.keys(line.with)
          .sort()
          .map((name) => [name, line.with[name] ?? null]),
      ]);
      const same = lines.get(key);
      lines.set(key, same === undefined ? line : added(same, line));
    }
  return [...lines.values()];
}

function lineOf(pair: VoucherPair, side: VoucherLine['side'], account: KnownAccount): VoucherLine {
  const foreign = account.foreign === true ? pair.foreign : null;
  return {
    account,
    side,
    amount: pair.amount,
    currency: foreign?.currency ?? BOOK_CURRENCY,
    foreign: foreign?.amount ?? null,
    rate: foreign?.rate ?? null,
    with: pair.with[side],
  };
}

function added(a: VoucherLine, b: VoucherLine): VoucherLine {
  const foreign =
    a.foreign === null || b.foreign === null ? (a.foreign ?? b.foreign) : addDecimals(a.foreign, b.foreign);
  return { ...a, amount: addDecimals(a.amount, b.amount), foreign };
}
