import { addDecimals, compareDecimals, roundDecimal, subtractDecimals } from '#engine/values/decimal.ts';
import { findLinesNamed, findNamed, sumLinesNamed } from '#server/business/find-named.ts';
import type { RuleCall } from '#server/records/rules/rule-registry.ts';
import { decimalOf, textOf, uniqueIds } from './rule-values.ts';

/** The account that a month-end revaluation is about, with the dimension that its balances are told by. */
export interface ForeignAccount {
  readonly id: string;
  readonly code: string;
  readonly isCredit: boolean;
  readonly dimension: 'bank_account_id' | 'partner_id' | 'buyer_id' | null;
}

/** What stands in an account, positive on its own side: foreign currency and yuan. */
interface ForeignBalance {
  readonly currency: string;
  readonly dimension: string | null;
  readonly foreign: string;
  readonly book: string;
}

/**
 * What stands in an account at the end of a day, by currency and dimension. Entries that only move yuan (differences of
 * exchange) belong to the currency of their bank account, else to that of their voucher's other entries there.
 */
export async function foreignBalances(
  call: RuleCall,
  account: ForeignAccount,
  day: string,
): Promise<readonly ForeignBalance[]> {
  const currencies = await currenciesOfBanks(call);
  const known = new Map<string, Moved>();
  const put = (moved: Moved): void => {
    const key = `${moved.currency} ${moved.dimension ?? ''}`;
    const before = known.get(key);
    known.set(key, before === undefined ? moved : sumOf(before, moved));
  };
  for (const { bank, currency, ...moved } of await movesOf(call, account, day)) {
    const own = currency !== HOME ? currency : bank === null ? HOME : (currencies.get(bank) ?? HOME);
    if (own !== HOME) put({ ...moved, currency: own });
  }
  for (const moved of await pureYuan(call, account, day)) put(moved);
  const sign = account.isCredit ? (value: string) => subtractDecimals('0', value) : (value: string) => value;
  return [...known.values()]
    .filter(({ fc, cny }) => compareDecimals(fc, '0') !== 0 || compareDecimals(cny, '0') !== 0)
    .map(({ currency, dimension, fc, cny }) => ({
      currency,
      dimension,
      foreign: roundDecimal(sign(fc), 2),
      book: roundDecimal(sign(cny), 2),
    }))
    .sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
}

/** Debit less credit, in foreign currency and in yuan. */
interface Moved {
  readonly currency: string;
  readonly dimension: string | null;
  readonly fc: string;
  readonly cny: string;
}

const HOME = 'CNY';
const ENTRIES = ['finance_voucher', 'entries'] as const;
const DEBITED = { or: [{ debit: { lt: '0' } }, { debit: { gt: '0' } }] } as const;
const NOT_DEBITED = { or: [{ debit: { null: true } }, { debit: { eq: '0' } }] } as const;

function keyOf({ currency, dimension }: Pick<Moved, 'currency' | 'dimension'>): string {
  return `${currency} ${dimension ?? '~'}`;
}

function sumOf(a: Moved, b: Moved): Moved {
  return { ...a, fc: addDecimals(a.fc, b.fc), cny: addDecimals(a.cny, b.cny) };
}

function postedTo({ code }: ForeignAccount, day: string) {
  return {
    subject_code: { eq: code },
    'parent.status': { ne: 'draft' },
    'parent.voucher_date': { lte: day },
  } as const;
}

/** All that moved, by currency, bank account and dimension: the foreign amount stands on the side of the yuan. */
async function movesOf(
  call: RuleCall,
  account: ForeignAccount,
  day: string,
): Promise<readonly (Moved & { readonly bank: string | null })[]> {
  const dimension = account.dimension ?? 'bank_account_id';
  const asked = {
    by: ['currency', 'bank_account_id', dimension],
    sum: ['fc_amount', 'debit', 'credit'],
  } as const;
  const posted = postedTo(account, day);
  const sides = [
    {
      rows: await sumLinesNamed(call, ENTRIES, { ...asked, where: { ...posted, ...DEBITED } }),
      isDebit: true,
    },
    {
      rows: await sumLinesNamed(call, ENTRIES, { ...asked, where: { ...posted, ...NOT_DEBITED } }),
      isDebit: false,
    },
  ];
  return sides.flatMap(({ rows, isDebit }) =>
    rows.map((row) => ({
      currency: textOf(row, 'currency') ?? HOME,
      bank: textOf(row, 'bank_account_id'),
      dimension: account.dimension === null ? null : textOf(row, dimension),
      fc: isDebit ? row.fc_amount : subtractDecimals('0', row.fc_amount),
      cny: subtractDecimals(row.debit, row.credit),
    })),
  );
}

async function currenciesOfBanks(call: RuleCall): Promise<ReadonlyMap<string, string>> {
  const banks = await findNamed(call, 'company_bank_account', { fields: ['id', 'currency'] });
  return new Map(banks.map((row) => [String(row.id), textOf(row, 'currency') ?? HOME]));
}

/** Entries in yuan without a bank account, in the currency that their voucher has there besides. */
async function pureYuan(call: RuleCall, account: ForeignAccount, day: string): Promise<readonly Moved[]> {
  const dimension = account.dimension ?? 'bank_account_id';
  const rows = await findLinesNamed(call, ENTRIES, {
    where: {
      ...postedTo(account, day),
      bank_account_id: { null: true },
      or: [{ currency: { null: true } }, { currency: { eq: HOME } }],
    },
    fields: ['parent_id', 'debit', 'credit', 'fc_amount', dimension],
  });
  if (rows.length === 0) return [];
  const others = await findLinesNamed(call, ENTRIES, {
    where: {
      parent_id: { in: uniqueIds(rows.map((row) => textOf(row, 'parent_id'))) },
      subject_code: { eq: account.code },
      and: [{ currency: { null: false } }, { currency: { ne: HOME } }],
    },
    fields: ['parent_id', 'currency'],
    order: ['currency'],
  });
  const besides = new Map(others.map((row) => [row.parent_id, textOf(row, 'currency') ?? HOME]));
  return rows.flatMap((row) => {
    const currency = besides.get(row.parent_id);
    if (currency === undefined) return [];
    const debit = decimalOf(row, 'debit');
    const fc = decimalOf(row, 'fc_amount');
    return [
      {
        currency,
        dimension: account.dimension === null ? null : textOf(row, dimension),
        fc: compareDecimals(debit, '0') === 0 ? subtractDecimals('0', fc) : fc,
        cny: subtractDecimals(debit, decimalOf(row, 'credit')),
      },
    ];
  });
}
