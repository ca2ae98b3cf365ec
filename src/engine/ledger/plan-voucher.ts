import { evaluate } from '../expression/evaluate.ts';
import { parseExpression } from '../expression/parse-expression.ts';
import { fieldAt, readPath, type Scope } from '../filter/scope.ts';
import { givenValue } from '../record/compute-record.ts';
import type { ValueDefinitions } from '../schema/effects-definition.ts';
import type { ByValue, VoucherDefinition, VoucherLineDefinition } from '../schema/ledger-definition.ts';
import { isPostingKey } from '../schema/posting-accounts.ts';
import type { ErpRecord, Field } from '../schema/resource.ts';
import { absoluteDecimal, compareDecimals, isPlainDecimal, roundDecimal } from '../values/decimal.ts';
import { dueScopes, lineOf, nameByValue, pathOf } from './plan-entries.ts';

/** An account of a voucher: a key of setup/accounts.json, or a row of the chart of accounts. */
export type VoucherAccount =
  | { readonly kind: 'key'; readonly key: string }
  | { readonly kind: 'record'; readonly resource: string; readonly id: string };

/** One amount that leaves one account for another. Never negative. */
export interface VoucherPair {
  readonly debit: VoucherAccount;
  readonly credit: VoucherAccount;
  readonly amount: string;
  readonly foreign: {
    readonly currency: string;
    readonly amount: string;
    readonly rate: string | null;
  } | null;
  /** Dimensions of either side. */
  readonly with: Readonly<Record<'debit' | 'credit', ErpRecord>>;
}

/** The pairs of a voucher, and the lines (null for the head) that they come from. */
export interface PlannedVoucher {
  readonly pairs: readonly VoucherPair[];
  readonly parts: ReadonlySet<string | null>;
}

/** A line of a voucher whose account cannot be told. */
export class NoVoucherAccount extends Error {
  override readonly name = 'NoVoucherAccount';
  constructor(readonly path: string) {
    super(path);
  }
}

/**
 * The pairs that a voucher has for a document, lines that were vouched before left out. A negative amount swaps the sides,
 * zero gives nothing.
 * @throws NoVoucherAccount
 */
export function planVoucher(
  voucher: VoucherDefinition,
  scope: Scope,
  book: { readonly cells: Readonly<Record<string, Field>>; readonly vouched: ReadonlySet<string | null> },
): PlannedVoucher {
  const parts = new Set<string | null>();
  const pairs = voucher.lines.flatMap((line) =>
    dueScopes(line, scope).flatMap((here): readonly VoucherPair[] => {
      if (book.vouched.has(lineOf(here))) return [];
      const pair = planPair(line, here, book.cells);
      if (pair === null) return [];
      parts.add(lineOf(here));
      return [pair];
    }),
  );
  return { pairs, parts };
}

/** Scale of every amount of a voucher: it is kept in yuan and cents. */
const SCALE = 2;

function planPair(
  line: VoucherLineDefinition,
  scope: Scope,
  cells: Readonly<Record<string, Field>>,
): VoucherPair | null {
  const value: unknown = evaluate(parseExpression(line.amount), scope);
  const amount = isPlainDecimal(value) ? roundDecimal(value, SCALE) : '0';
  const sign = compareDecimals(amount, '0');
  if (sign === 0) return null;
  const debit = accountOf(line.debit, scope);
  const credit = accountOf(line.credit, scope);
  if (debit === null || credit === null) throw new NoVoucherAccount(pathOf(line.amount, scope));
  const dimensions = (own: ValueDefinitions | undefined): ErpRecord =>
    Object.fromEntries(
      Object.entries({ ...line.with, ...own }).map(([name, given]) => [
        name,
        givenValue(cells[name], given, scope),
      ]),
    );
  const sides = [
    { account: debit, with: dimensions(line.withDebit) },
    { account: credit, with: dimensions(line.withCredit) },
  ] as const;
  const [left, right] = sign > 0 ? sides : [sides[1], sides[0]];
  return {
    debit: left.account,
    credit: right.account,
    amount: absoluteDecimal(amount),
    foreign: foreignOf(line, scope),
    with: { debit: left.with, credit: right.with },
  };
}

function accountOf(given: string | ByValue, scope: Scope): VoucherAccount | null {
  const name = nameByValue(given, scope);
  if (name === null) return null;
  if (isPostingKey(name)) return { kind: 'key', key: name };
  const id = readPath(scope, name);
  const to = fieldAt(scope, name)?.to;
  return typeof id === 'string' && typeof to === 'string' ? { kind: 'record', resource: to, id } : null;
}

function foreignOf({ fc }: VoucherLineDefinition, scope: Scope): VoucherPair['foreign'] {
  if (fc === undefined) return null;
  const currency: unknown = evaluate(parseExpression(fc.currency), scope);
  const amount: unknown = evaluate(parseExpression(fc.amount), scope);
  const rate: unknown = fc.rate === undefined ? null : evaluate(parseExpression(fc.rate), scope);
  if (typeof currency !== 'string' || !isPlainDecimal(amount)) return null;
  return {
    currency,
    amount: absoluteDecimal(roundDecimal(amount, SCALE)),
    rate: isPlainDecimal(rate) ? rate : null,
  };
}
