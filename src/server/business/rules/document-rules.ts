import type { RuleSet } from '#server/records/rules/rule-registry.ts';
import { checkBlacklist } from './check-blacklist.ts';
import { checkContractAgreement, checkContractRelation } from './check-contract.ts';
import { checkEmbargo } from './check-embargo.ts';
import { checkPartyStatus } from './check-party-status.ts';
import { checkPeriod } from './check-period.ts';
import { completeContract } from './contract-rules.ts';
import { checkRaisedExposure, checkShipmentCredit, refreshUsage } from './credit-exposure.ts';
import { checkOrderRelation } from './order-rules.ts';
import { checkPurchaseSupplier } from './purchase-rules.ts';
import { checkShipmentContract } from './shipment-quantity.ts';
import { applyHsVersions, checkHsReady, completeShipment, markExposure } from './shipment-rules.ts';

/** The rules of orders, contracts, shipments and their versions, by the names that the definitions use. */
export const DOCUMENT_RULES: RuleSet = {
  checks: {
    check_blacklist: checkBlacklist,
    check_embargo: checkEmbargo,
    check_party_status: checkPartyStatus,
    check_period: checkPeriod,
    check_contract_agreement: checkContractAgreement,
    check_contract_relation: checkContractRelation,
    check_purchase_supplier: checkPurchaseSupplier,
    check_order_relation: checkOrderRelation,
    check_shipment_lines: checkShipmentContract,
    check_hs_ready: checkHsReady,
    check_shipment_credit: checkShipmentCredit,
    check_raised_credit: checkRaisedExposure,
  },
  effects: {
    complete_contract: completeContract,
    complete_shipment: completeShipment,
    mark_exposure: markExposure,
    refresh_credit_usage: refreshUsage,
    apply_hs_versions: applyHsVersions,
  },
};
