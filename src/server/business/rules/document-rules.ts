import type { RuleSet } from '#server/records/rules/rule-registry.ts';
import { checkBlacklist } from './check-blacklist.ts';
import {
  checkContractAgreement,
  checkContractAmend,
  checkContractRelation,
  checkPurchaseQuantity,
} from './check-contract.ts';
import { checkEmbargo } from './check-embargo.ts';
import { checkPartyStatus } from './check-party-status.ts';
import { checkPeriod } from './check-period.ts';
import {
  checkContractUnused,
  checkNoRunningShipments,
  checkOpenQuantity,
  completeContract,
  createPurchaseContracts,
  flagPurchaseContracts,
  resumeContract,
} from './contract-rules.ts';
import { checkShipmentCredit, refreshUsage } from './credit-exposure.ts';
import { convertOrder } from './convert-order.ts';
import { createShipment } from './create-shipment.ts';
import { checkOrderRelation, checkOrderUnused } from './order-rules.ts';
import { checkPurchaseSupplier } from './purchase-rules.ts';
import { checkShipmentContract, checkShipmentQuantity } from './shipment-quantity.ts';
import {
  applyHsVersions,
  checkHsReady,
  checkLcLimits,
  checkNoOpenVersion,
  checkWriteOff,
  completeContracts,
  completeShipment,
  fixReceiptDue,
  markExposure,
  startContracts,
  touchPartner,
  writeOffShipment,
} from './shipment-rules.ts';
import {
  applyShipmentVersion,
  checkCustomsAmended,
  checkVersionAmounts,
  checkVersionChanges,
  checkVersionCredit,
  closeShipmentVersion,
  createShipmentVersion,
  openShipmentVersion,
  refreshShipmentVersion,
  reopenAmendment,
} from './version-rules.ts';

/** The rules of orders, contracts, shipments and their versions, by the names that the definitions use. */
export const DOCUMENT_RULES: RuleSet = {
  checks: {
    check_blacklist: checkBlacklist,
    check_embargo: checkEmbargo,
    check_party_status: checkPartyStatus,
    check_period: checkPeriod,
    check_contract_agreement: checkContractAgreement,
    check_contract_relation: checkContractRelation,
    check_contract_amounts: checkContractAmend,
    check_contract_unused: checkContractUnused,
    check_no_running_shipments: checkNoRunningShipments,
    check_open_quantity: checkOpenQuantity,
    check_purchase_quantity: checkPurchaseQuantity,
    check_purchase_supplier: checkPurchaseSupplier,
    check_order_relation: checkOrderRelation,
    check_order_unused: checkOrderUnused,
    check_shipment_quantity: checkShipmentQuantity,
    check_shipment_lines: checkShipmentContract,
    check_shipment_unused: checkNoOpenVersion,
    check_hs_ready: checkHsReady,
    check_lc_limits: checkLcLimits,
    check_no_open_version: checkNoOpenVersion,
    check_write_off: checkWriteOff,
    check_version_changes: checkVersionChanges,
    check_version_amounts: checkVersionAmounts,
    check_version_credit: checkVersionCredit,
    check_shipment_credit: checkShipmentCredit,
    check_customs_amended: checkCustomsAmended,
  },
  effects: {
    complete_contract: completeContract,
    complete_contract_progress: resumeContract,
    resume_contract: resumeContract,
    create_shipment: createShipment,
    create_purchase_contracts: createPurchaseContracts,
    flag_purchase_contracts: flagPurchaseContracts,
    convert_order: convertOrder,
    complete_shipment: completeShipment,
    mark_exposure: markExposure,
    refresh_credit_usage: refreshUsage,
    start_contracts: startContracts,
    complete_contracts: completeContracts,
    apply_hs_versions: applyHsVersions,
    touch_partner: touchPartner,
    fix_receipt_due: fixReceiptDue,
    write_off_shipment: writeOffShipment,
    create_shipment_version: createShipmentVersion,
    open_shipment_version: openShipmentVersion,
    refresh_shipment_version: refreshShipmentVersion,
    apply_shipment_version: applyShipmentVersion,
    close_shipment_version: closeShipmentVersion,
    reopen_amendment: reopenAmendment,
  },
};
