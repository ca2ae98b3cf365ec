import type { RuleSet } from '#server/records/rules/rule-registry.ts';
import { checkDuplicateBlacklist, freezeMatches } from './agreement-rules.ts';
import { checkBankEditor, checkOneDefault } from './bank-account-rules.ts';
import {
  checkBannedGoods,
  checkBuyerName,
  checkGoodsElements,
  checkHsChanged,
  checkNotMerged,
  markRussiaControl,
} from './master-checks.ts';
import {
  checkDepartmentTree,
  checkPermissionNames,
  checkGroupPerson,
  handOverRecords,
  resetPassword,
} from './organisation-rules.ts';
import {
  activatePartner,
  checkClaimLimit,
  closePartner,
  sendLoginLink,
  transferPartner,
} from './partner-rules.ts';
import { checkRateLocked } from './rate-rules.ts';
import {
  checkDictionaryItems,
  checkFlowBands,
  checkFlowCovered,
  checkFlowFields,
  checkFlowLevels,
  checkNumberPattern,
  checkParameterValue,
} from './setting-rules.ts';

/** The rules of people, settings, base data and masters, by the names that the definitions use. */
export const MASTER_RULES: RuleSet = {
  checks: {
    check_bank_editor: checkBankEditor,
    check_banned_goods: checkBannedGoods,
    check_buyer_name: checkBuyerName,
    check_claim_limit: checkClaimLimit,
    check_department_tree: checkDepartmentTree,
    check_dictionary_items: checkDictionaryItems,
    check_duplicate_blacklist: checkDuplicateBlacklist,
    check_flow_bands: checkFlowBands,
    check_flow_covered: checkFlowCovered,
    check_flow_fields: checkFlowFields,
    check_flow_levels: checkFlowLevels,
    check_goods_elements: checkGoodsElements,
    check_hs_changed: checkHsChanged,
    check_not_merged: checkNotMerged,
    check_number_pattern: checkNumberPattern,
    check_one_default: checkOneDefault,
    check_parameter_value: checkParameterValue,
    check_permission_names: checkPermissionNames,
    check_group_person: checkGroupPerson,
    check_rate_locked: checkRateLocked,
  },
  effects: {
    activate_partner: activatePartner,
    close_partner: closePartner,
    freeze_matches: freezeMatches,
    hand_over_records: handOverRecords,
    mark_russia_control: markRussiaControl,
    reset_password: resetPassword,
    send_login_link: sendLoginLink,
    transfer_partner: transferPartner,
  },
};
