import type { RuleSet } from '#server/records/rules/rule-registry.ts';
import { freezeMatches } from './agreement-rules.ts';
import { markRussiaControl } from './sensitive-goods.ts';
import { checkPermissionNames, tellSuccessor, resetPassword } from './organisation-rules.ts';
import { activatePartner, sendLoginLink, tellApplicant } from './partner-rules.ts';
import {
  checkDictionaryItems,
  checkFlowCovered,
  checkFlowFields,
  checkNumberPattern,
  checkParameterValue,
} from './setting-rules.ts';

/** The rules of people, settings, base data and masters, by the names that the definitions use. */
export const MASTER_RULES: RuleSet = {
  checks: {
    check_dictionary_items: {
      run: checkDictionaryItems,
      reads: ['dictionary.name', 'dictionary.items.value'],
      why: 'definitions as data',
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
    check_number_pattern: {
      run: checkNumberPattern,
      reads: ['number_rule.resource', 'number_rule.pattern'],
      why: 'definitions as data',
    },
    check_parameter_value: {
      run: checkParameterValue,
      reads: ['system_default.param', 'system_default.kind', 'system_default.value'],
      why: 'definitions as data',
    },
    check_permission_names: {
      run: checkPermissionNames,
      reads: ['permission_rule.resource', 'permission_rule.actions', 'permission_rule.hidden_fields'],
      why: 'definitions as data',
    },
  },
  effects: {
    activate_partner: {
      run: activatePartner,
      reads: ['partner.accounts.mobile'],
      writes: ['partner.accounts.status', 'partner.accounts.password'],
      why: 'first passwords by SMS',
    },
    tell_applicant: {
      run: tellApplicant,
      reads: ['partner.name', 'partner.accounts.mobile', 'partner.reject_reason'],
      why: 'visitors have no account that notices reach: by SMS',
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
    tell_successor: {
      run: tellSuccessor,
      reads: ['*.sales_id', 'project.manager_id'],
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
  },
};
