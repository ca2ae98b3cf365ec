import type { CallGroup } from './call.ts';
import { NOTHING } from './common.ts';

// What is missing or empty is told in the words of the form.
const CODE = { type: 'string', maxLength: 30, default: '' } as const;

const CODES = {
  type: 'object',
  required: ['sellerCustid', 'agcustid'],
  properties: { sellerCustid: CODE, agcustid: CODE },
  additionalProperties: false,
} as const;

/** The supplier switch (spec section 2.6): sellerCustid is kept, agcustid replaced. */
export const SUPPLIER_SWITCH_CALLS = {
  'POST /relation/updateCustidBySellerCustid': {
    title: '供应商替换',
    permission: 'staff',
    body: CODES,
    data: NOTHING,
  },
} as const satisfies CallGroup;
