import {
  absoluteDecimal,
  addDecimals,
  compareDecimals,
  multiplyDecimals,
  roundDecimal,
  subtractDecimals,
} from '#engine/values/decimal.ts';
import { findNamed, sumNamed } from '#server/business/find-named.ts';
import { overridesOf, paramsOf } from '#server/records/call/overrides.ts';
import type { RuleCall } from '#server/records/rules/rule-registry.ts';
import type { StateName } from '#trade/names.ts';
import { companyOf } from './rule-values.ts';

/** States in which a shipment counts as exposure. */
export const EXPOSED: readonly StateName<'shipment'>[] = ['approved', 'amending', 'declared', 'shipped'];
const OUTSTANDING: readonly StateName<'financing'>[] = ['drawn', 'partial_repaid', 'overdue', 'extended'];
const REFUND_COMING: readonly StateName<'tax_refund'>[] = ['ready', 'declared', 'approved'];

/** What the company may lose with a partner, in CNY to the cent (flows 2.8.3). */
export interface Exposure {
  /** Loans with what they bear, and overdrawn pools, less a share of the refunds on their way. */
  readonly funding: string;
  /** What shipments on open terms at the company's risk are still to bring in, insured ones by what is not covered. */
  readonly receivable: string;
}

/** Both figures as of now; `except`: a shipment that is left out. */
export async function exposureOf(
  call: RuleCall,
  partner: string,
  except: string | null = null,
): Promise<Exposure> {
  const funding = await fundingOf(call, partner);
  const [row] = await sumNamed(call, 'shipment', {
    where: {
      partner_id: { eq: partner },
      status: { in: EXPOSED },
      ...(except === null ? {} : { id: { ne: except } }),
    },
    by: ['partner_id'],
    sum: ['exposure_cny'],
  });
  return { funding, receivable: row?.exposure_cny ?? '0.00' };
}

/** The figure that a line is held against, as EXPOSURE_MODE says: the larger one by default. */
export function weighExposure(call: RuleCall, { funding, receivable }: Exposure): string {
  const mode = paramOf(call, 'EXPOSURE_MODE');
  if (mode === 'funding') return funding;
  if (mode === 'receivable') return receivable;
  return compareDecimals(funding, receivable) >= 0 ? funding : receivable;
}

async function fundingOf(call: RuleCall, partner: string): Promise<string> {
  const [loans] = await sumNamed(call, 'financing', {
    where: { partner_id: { eq: partner }, status: { in: OUTSTANDING } },
    by: ['partner_id'],
    sum: ['principal_left', 'interest_accrued', 'penalty_accrued'],
  });
  const owed =
    loans === undefined
      ? '0.00'
      : [loans.principal_left, loans.interest_accrued, loans.penalty_accrued].reduce(addDecimals);
  const funding = subtractDecimals(
    addDecimals(owed, await overdrawnBy(call, partner)),
    await refundsOf(call, partner),
  );
  return compareDecimals(funding, '0') > 0 ? roundDecimal(funding, 2) : '0.00';
}

/** What the general account of the partner is below zero. */
async function overdrawnBy(call: RuleCall, partner: string): Promise<string> {
  const pools = await findNamed(call, 'fund_pool', {
    where: {
      partner_id: { eq: partner },
      account_kind: { eq: 'general' },
      currency: { eq: 'CNY' },
      balance: { lt: '0' },
    },
    fields: ['balance'],
  });
  return pools.reduce((sum, { balance }) => addDecimals(sum, absoluteDecimal(String(balance))), '0');
}

/** The share of refunds on their way that is taken off; none where a letter of inquiry is open. */
async function refundsOf(call: RuleCall, partner: string): Promise<string> {
  const share = paramOf(call, 'EXPOSURE_REFUND_RATIO');
  if (compareDecimals(share, '0') <= 0) return '0';
  const [row] = await sumNamed(call, 'tax_refund', {
    where: {
      partner_id: { eq: partner },
      status: { in: REFUND_COMING },
      or: [{ letters_open: { null: true } }, { letters_open: { lte: 0 } }],
    },
    by: ['partner_id'],
    sum: ['expected'],
  });
  return row === undefined ? '0' : multiplyDecimals(row.expected, share);
}

function paramOf(call: RuleCall, name: string): string {
  const params = paramsOf(overridesOf(call.services), companyOf(call), call.caller.context.today);
  return params[name] ?? '0';
}
