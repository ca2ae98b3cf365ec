import type { Invariant } from '#server/workflow/jobs/check-invariants.ts';
import { CREDIT_INVARIANTS } from './credit-invariants.ts';
import { DOCUMENT_INVARIANTS } from './document-invariants.ts';
import { FUND_INVARIANTS } from './fund-invariants.ts';
import { GOODS_INVARIANTS } from './goods-invariants.ts';
import { REFUND_INVARIANTS } from './refund-invariants.ts';
import { SETTLEMENT_INVARIANTS } from './settlement-invariants.ts';
import { VOUCHER_INVARIANTS } from './voucher-invariants.ts';

/** What no declaration says: limits, ledgers, accounts and vouchers are looked through by what they declare. */
export const INVARIANTS: readonly Invariant[] = [
  ...FUND_INVARIANTS,
  ...VOUCHER_INVARIANTS,
  ...GOODS_INVARIANTS,
  ...REFUND_INVARIANTS,
  ...CREDIT_INVARIANTS,
  ...SETTLEMENT_INVARIANTS,
  ...DOCUMENT_INVARIANTS,
];
