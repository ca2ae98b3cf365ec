import type { CallGroup } from './call.ts';
import { NOTHING, TEXT } from './common.ts';

// What is missing or empty is told by the form's own check, beside its field.
const FORM_TEXT = { type: ['string', 'null'], maxLength: 500 } as const;

const SMS_REQUEST = {
  type: 'object',
  properties: { iphone: FORM_TEXT },
  additionalProperties: false,
} as const;

/** coName is shown read-only and sent back; the company goes by its code. */
const REGISTRATION = {
  type: 'object',
  properties: {
    custname: FORM_TEXT,
    corpType: { type: ['string', 'integer', 'null'], maxLength: 10 },
    comNo: FORM_TEXT,
    psNo: FORM_TEXT,
    coDeptnameCode: FORM_TEXT,
    coName: FORM_TEXT,
    linkMan: FORM_TEXT,
    mobile: FORM_TEXT,
    sms: FORM_TEXT,
    /** The rejected application that this one takes up again. */
    again: FORM_TEXT,
  },
  additionalProperties: false,
} as const;

const SERVICE_COMPANY = {
  type: 'object',
  required: ['label', 'value'],
  properties: { label: TEXT, value: TEXT },
  additionalProperties: false,
} as const;

/** Self-registration of customers (spec sections 2.4 and 7). */
export const REGISTRATION_CALLS = {
  'POST /sys/erpServiceRegion': {
    title: '服务公司',
    permission: 'public',
    data: { type: 'array', items: SERVICE_COMPANY },
  },
  'POST /sys/erpSendSmsCode': {
    title: '发送注册验证码',
    permission: 'public',
    body: SMS_REQUEST,
    data: NOTHING,
  },
  'POST /sys/erpRegisterAgcust': {
    title: '客户注册',
    permission: 'public',
    keyedBy: ['mobile', 'sms'],
    body: REGISTRATION,
    data: NOTHING,
  },
} as const satisfies CallGroup;
