import {
  addDecimals,
  compareDecimals,
  divideDecimals,
  multiplyDecimals,
  roundDecimal,
  subtractDecimals,
} from '#engine/values/decimal.ts';
import type { FeeBasis } from './agency-fee.ts';

/** What a shipment owes by the terms of its partner; amounts in CNY with VAT, null is none. */
export interface SettledFee {
  readonly basis: FeeBasis;
  /** pct_*: percent, 0.5 for 0.5 %. */
  readonly rate: string;
  /** VAT that comes on top, 0.06; null when it is inside the rate. */
  readonly vat: string | null;
  readonly least: string | null;
  readonly most: string | null;
  /** What its receipts were charged, line by line at the rates of their days. */
  readonly charged: string;
  readonly fobCny: string | null;
}

/**
 * The agency fee that is due at the settlement: what the receipts were charged (of a fee of the whole shipment: the fee
 * itself, however it was received), not under the least and not over the most (flows F10).
 * @example 1,000.00 charged, at least 3,000.00: 3,000.00, so that 2,000.00 is made up (T-04)
 */
export function settledFee(fee: SettledFee): string {
  const computed = roundDecimal(wholeFee(fee) ?? fee.charged, 2);
  const raised = fee.least !== null && compareDecimals(computed, fee.least) < 0 ? fee.least : computed;
  return roundDecimal(fee.most !== null && compareDecimals(raised, fee.most) > 0 ? fee.most : raised, 2);
}

function wholeFee({ basis, rate, vat, fobCny }: SettledFee): string | null {
  const net =
    basis === 'per_shipment'
      ? rate
      : basis === 'pct_fob'
        ? (divideDecimals(multiplyDecimals(fobCny ?? '0', rate), '100') ?? '0')
        : null;
  if (net === null || vat === null) return net;
  return multiplyDecimals(roundDecimal(net, 2), addDecimals('1', vat));
}

/** What a settled shipment of a partner brought us, in CNY. */
export interface SettledShipment {
  /** Ours: the price margin is the income; the partner's: the fee is. */
  readonly isOwnRisk: boolean;
  /** The fee with VAT, or the margin. */
  readonly fee: string;
  /** Interest and penalties, with VAT. */
  readonly interest: string;
  /** Fees for refunds, with VAT. */
  readonly rebateFee: string;
  readonly spread: string;
  readonly cost: string;
  readonly vat: string;
}

/**
 * The profit of a shipment of an agency (flows F10): income without VAT, the spread, less what the company bears. A margin
 * has no VAT of ours in it, and there is no refund fee beside it.
 * @example fee 5,000.00 and interest 579.15 at 6 %: 4,716.98 + 546.37 = 5,263.35 (T-01)
 */
export function settledProfit({
  isOwnRisk,
  fee,
  interest,
  rebateFee,
  spread,
  cost,
  vat,
}: SettledShipment): string {
  const net = (amount: string): string =>
    roundDecimal(divideDecimals(amount, addDecimals('1', vat)) ?? '0', 2);
  const income = isOwnRisk ? [fee, net(interest), spread] : [net(fee), net(interest), net(rebateFee), spread];
  return roundDecimal(subtractDecimals(income.reduce(addDecimals, '0'), cost), 2);
}
