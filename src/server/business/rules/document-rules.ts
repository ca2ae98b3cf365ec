import type { RuleSet } from '#server/records/rules/rule-registry.ts';
import { checkBlacklist } from './check-blacklist.ts';
import { checkEmbargo, markRussiaListed } from './check-embargo.ts';
import { checkShipmentCredit, markExposure, reckonExposure, refreshUsage } from './credit-exposure.ts';

const EXPOSURE_READS = [
  'shipment.exposure_cny',
  'financing.principal_left',
  'financing.interest_accrued',
  'financing.penalty_accrued',
  'fund_pool.balance',
  'tax_refund.expected',
] as const;

/** The rules of orders, contracts, shipments and their versions, by the names that the definitions use. */
export const DOCUMENT_RULES: RuleSet = {
  checks: {
    check_blacklist: {
      run: checkBlacklist,
      reads: [
        '*.partner_id',
        '*.buyer_id',
        '*.supplier_id',
        '*.forwarder_id',
        'blacklist.name',
        'blacklist.name_en',
        'blacklist.ident_no',
        'blacklist.bank_account',
        'blacklist.valid_from',
        'blacklist.valid_to',
      ],
      why: 'likeness of names',
    },
    check_embargo: {
      run: checkEmbargo,
      reads: [
        'country.is_sanctioned',
        'country.is_russia_control',
        'goods.hs_code_id',
        'goods.name_en',
        'banned_hs_code.hs_code',
        'banned_hs_code.country_ids',
        'russia_sensitive_goods.hs_prefix',
        'russia_sensitive_goods.keyword',
      ],
      why: 'prefixes of codes and words in names of goods',
    },
    check_shipment_credit: {
      run: checkShipmentCredit,
      reads: ['shipment.exposure_cny', 'credit_line.amount', 'credit_line.valid_to'],
      why: 'exposure at today’s rate, decided by risk control',
    },
  },
  effects: {
    mark_exposure: {
      run: markExposure,
      reads: ['shipment.exposure_cny', 'credit_line.amount', 'credit_line.valid_to'],
      writes: ['shipment.exposure_over'],
      why: 'exposure at today’s rate, decided by risk control',
    },
    mark_russia_listed: {
      run: markRussiaListed,
      reads: [
        'goods.hs_code_id',
        'goods.name_en',
        'russia_sensitive_goods.hs_prefix',
        'russia_sensitive_goods.keyword',
      ],
      writes: ['export_contract.russia_listed', 'shipment.russia_listed'],
      why: 'prefixes of codes and words in names of goods',
    },
    refresh_credit_usage: {
      run: refreshUsage,
      reads: EXPOSURE_READS,
      writes: ['credit_line.exposure', 'credit_line.funding', 'credit_line.receivable'],
      why: 'a sum over four resources by a parameter, under the lock of a line',
    },
    reckon_exposure: {
      run: reckonExposure,
      reads: EXPOSURE_READS,
      writes: ['credit_line.exposure', 'credit_line.funding', 'credit_line.receivable'],
      why: 'a sum over four resources by a parameter',
    },
  },
};
