import type { RuleSet } from '#server/records/rules/rule-registry.ts';
import { checkDuplicateBlacklist, freezeMatches } from './agreement-rules.ts';
import { checkBankEditor, checkOneDefault } from './bank-account-rules.ts';
import { checkBannedGoods, checkBuyerName, checkGoodsElements, markRussiaControl } from './master-checks.ts';
import {
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
    check_bank_editor: {
      run: checkBankEditor,
      reads: ['*.account_no'],
      why: 'asks the audit who changed the account last',
    },
    check_banned_goods: {
      run: checkBannedGoods,
      reads: ['goods.hs_code_id', 'banned_hs_code.hs_code', 'banned_hs_code.country_ids'],
      why: 'prefixes of codes',
    },
    check_buyer_name: {
      run: checkBuyerName,
      reads: ['buyer.name_en', 'buyer.country_id', 'buyer.partner_id'],
      why: 'likeness of names',
    },
    check_claim_limit: {
      run: checkClaimLimit,
      reads: ['partner.sales_id'],
      why: 'counts what the audit says of the day',
    },
    check_dictionary_items: {
      run: checkDictionaryItems,
      reads: ['dictionary.name', 'dictionary.items.value'],
      why: 'definitions as data',
    },
    check_duplicate_blacklist: {
      run: checkDuplicateBlacklist,
      reads: ['blacklist.name', 'blacklist.ident_no', 'blacklist.bank_account', 'blacklist.kind'],
      why: 'one of three fields agrees',
    },
    check_flow_bands: {
      run: checkFlowBands,
      reads: ['approval_flow.amount_from', 'approval_flow.amount_to', 'approval_flow.condition'],
      why: 'bands of equal conditions, which are definitions as data',
    },
    check_flow_covered: {
      run: checkFlowCovered,
      reads: ['approval_flow.resource'],
      why: 'what ships covers too: definitions as data',
    },
    check_flow_fields: {
      run: checkFlowFields,
      reads: [
        'approval_flow.resource',
        'approval_flow.amount_field',
        'approval_flow.condition',
        'approval_flow.levels.condition',
      ],
      why: 'definitions as data',
    },
    check_flow_levels: {
      run: checkFlowLevels,
      reads: ['approval_flow.levels.level_no'],
      why: 'becomes a rule',
    },
    check_goods_elements: {
      run: checkGoodsElements,
      reads: ['goods.hs_code_id', 'hs_code.elements', 'goods.elements_value'],
      why: 'splits the list of elements',
    },
    check_number_pattern: {
      run: checkNumberPattern,
      reads: ['number_rule.resource', 'number_rule.pattern'],
      why: 'definitions as data',
    },
    check_one_default: { run: checkOneDefault, reads: ['*.banks', '*.contacts'], why: 'becomes rules' },
    check_parameter_value: {
      run: checkParameterValue,
      reads: ['system_default.kind', 'system_default.value'],
      why: 'the form of a value goes by another field',
    },
    check_permission_names: {
      run: checkPermissionNames,
      reads: ['permission_rule.resource', 'permission_rule.actions', 'permission_rule.hidden_fields'],
      why: 'definitions as data',
    },
    check_group_person: {
      run: checkGroupPerson,
      reads: ['person.super_permission'],
      why: 'compares with the rights of who writes',
    },
  },
  effects: {
    activate_partner: {
      run: activatePartner,
      reads: ['partner.accounts.mobile'],
      writes: ['partner.accounts.status', 'partner.accounts.password'],
      why: 'first passwords by SMS',
    },
    close_partner: {
      run: closePartner,
      reads: [],
      writes: ['partner.accounts.status'],
      why: 'ends sessions',
    },
    freeze_matches: {
      run: freezeMatches,
      reads: ['blacklist.name', 'blacklist.name_en', 'blacklist.ident_no', 'blacklist.bank_account'],
      writes: [
        'partner.status:frozen',
        'buyer.status:disabled',
        'supplier.status:disabled',
        'forwarder.status:disabled',
      ],
      why: 'likeness of names',
    },
    hand_over_records: {
      run: handOverRecords,
      reads: ['*.sales_id'],
      writes: ['*.sales_id'],
      why: 'one notice says how many records were handed over',
    },
    mark_russia_control: {
      run: markRussiaControl,
      reads: [
        'goods.hs_code_id',
        'goods.name',
        'russia_sensitive_goods.hs_prefix',
        'russia_sensitive_goods.keyword',
      ],
      writes: ['goods.russia_control'],
      why: 'prefixes of codes and words in names of goods',
    },
    reset_password: {
      run: resetPassword,
      reads: ['person.mobile'],
      writes: ['person.password'],
      why: 'a random password by SMS',
    },
    send_login_link: {
      run: sendLoginLink,
      reads: ['partner.accounts.mobile'],
      why: 'a one-time link by SMS',
    },
    transfer_partner: {
      run: transferPartner,
      reads: ['*.partner_id', 'person.dept_id'],
      writes: [
        'partner.sales_id',
        'partner.dept_code',
        'partner.open_pool',
        'partner.claimed_on',
        '*.sales_id',
        '*.dept_code',
      ],
      why: 'the department goes along with the person',
    },
  },
};
