import {
  addDecimals,
  compareDecimals,
  divideDecimals,
  multiplyDecimals,
  roundDecimal,
  subtractDecimals,
} from '#engine/values/decimal.ts';

/** How the fee of a partner is reckoned (flows 2.3). */
export type FeeBasis = 'per_usd' | 'pct_cny' | 'per_shipment' | 'pct_fob';

export interface FeeTerms {
  readonly basis: FeeBasis;
  /** per_usd: CNY for a dollar; pct_*: percent, 0.5 for 0.5 %; per_shipment: CNY. */
  readonly rate: string;
  /** The most that a shipment pays, VAT included; null for no cap. */
  readonly most: string | null;
  /** VAT that comes on top, 0.06; null when it is inside the rate. */
  readonly vat: string | null;
}

/** A line of a split. Amounts in CNY unless said; what is null is none. */
export interface FeeLine {
  /** Null where no rate is in force. */
  readonly terms: FeeTerms | null;
  /** Null for an advance, whose fee sits on the contract: it has no cap until it moves. */
  readonly shipment: string | null;
  /** Fees charged to the shipment before this split. */
  readonly charged: string;
  readonly amountUsd: string | null;
  readonly amountCny: string | null;
  /** FOB of the shipment at book rate. */
  readonly fobCny: string | null;
  /** Goods and advances pay a fee, other receipts none. */
  readonly isLiable: boolean;
}

/**
 * The agency fee of each line of a split or slip, VAT included, in cents (flows 2.3); null without terms. A fee of the whole shipment (per_shipment,
 * pct_fob) falls on its first line; what a shipment pays, before this split and by the lines above, never exceeds the cap.
 * @example USD 20,000.00 at 0.05 per dollar is 1,000.00 (T-04)
 */
export function agencyFees(lines: readonly FeeLine[]): readonly (string | null)[] {
  const above = new Map<string, string>();
  return lines.map((line) => {
    if (line.terms === null) return null;
    const paid = addDecimals(line.charged, above.get(line.shipment ?? '') ?? '0');
    const fee = line.isLiable ? feeOf(line.terms, line, paid) : NONE;
    if (line.shipment !== null) above.set(line.shipment, addDecimals(above.get(line.shipment) ?? '0', fee));
    return fee;
  });
}

const NONE = '0.00';

function feeOf(terms: FeeTerms, line: FeeLine, paid: string): string {
  const net = netFee(terms, line);
  const gross =
    terms.vat === null ? net : roundDecimal(multiplyDecimals(net, addDecimals('1', terms.vat)), 2);
  if (line.shipment === null) return isOfShipment(terms) ? NONE : floored(gross);
  const owed = isOfShipment(terms) ? subtractDecimals(gross, paid) : gross;
  if (terms.most === null) return floored(owed);
  const room = subtractDecimals(terms.most, paid);
  return floored(compareDecimals(owed, room) > 0 ? room : owed);
}

function netFee({ basis, rate }: FeeTerms, line: FeeLine): string {
  switch (basis) {
    case 'per_usd':
      return roundDecimal(multiplyDecimals(line.amountUsd ?? '0', rate), 2);
    case 'pct_cny':
      return percentOf(line.amountCny ?? '0', rate);
    case 'per_shipment':
      return roundDecimal(rate, 2);
    case 'pct_fob':
      return percentOf(line.fobCny ?? '0', rate);
  }
}

function isOfShipment({ basis }: FeeTerms): boolean {
  return basis === 'per_shipment' || basis === 'pct_fob';
}

function percentOf(amount: string, percent: string): string {
  return roundDecimal(divideDecimals(multiplyDecimals(amount, percent), '100') ?? '0', 2);
}

function floored(amount: string): string {
  return compareDecimals(amount, '0') < 0 ? NONE : roundDecimal(amount, 2);
}
