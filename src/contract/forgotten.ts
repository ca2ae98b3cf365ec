import type { CallGroup } from './call.ts';
import { NOTHING, PASSWORD_ENVELOPE, TEXT } from './common.ts';
import type { Shape } from './shape.ts';

// What is missing or empty is told by the form's own check, beside its field.
const ACCOUNT = { type: 'string', maxLength: 100, default: '' } as const;
const ENVELOPE = { ...PASSWORD_ENVELOPE, default: '' } as const;

/** Employees say who they are, since colleagues may share a number; customers go by their number alone. */
const WHO = { kind: { enum: ['staff', 'partner'] }, personid: ACCOUNT, mobile: ACCOUNT } as const;

const CODE_REQUEST = {
  type: 'object',
  required: ['kind'],
  properties: WHO,
  additionalProperties: false,
} as const;

const NEW_PASSWORD = {
  type: 'object',
  required: ['kind'],
  properties: { ...WHO, sms: ACCOUNT, newPassword: ENVELOPE },
  additionalProperties: false,
} as const;

const STATE_REQUEST = {
  type: 'object',
  properties: { mobile: ACCOUNT, sms: ACCOUNT },
  additionalProperties: false,
} as const;

/** A rejected registration as it was typed, to be corrected and sent again under its `again`. */
const REJECTED_REGISTRATION = {
  type: 'object',
  required: ['again', 'custname', 'corpType', 'comNo', 'psNo', 'coDeptnameCode', 'linkMan', 'mobile'],
  properties: {
    again: TEXT,
    custname: TEXT,
    corpType: TEXT,
    comNo: TEXT,
    psNo: TEXT,
    coDeptnameCode: TEXT,
    linkMan: TEXT,
    mobile: TEXT,
  },
  additionalProperties: false,
} as const;

/** A registration under a number, and what has become of it in the customer's words. */
const REGISTRATION_STATE = {
  type: 'object',
  required: ['name', 'state', 'at'],
  properties: {
    name: TEXT,
    state: TEXT,
    at: TEXT,
    /** Why it was rejected, and what may be corrected and sent again. */
    reason: TEXT,
    rejected: REJECTED_REGISTRATION,
  },
  additionalProperties: false,
} as const;

export type ForgottenForm = Shape<typeof NEW_PASSWORD>;
export type RegistrationState = Shape<typeof REGISTRATION_STATE>;
export type RejectedRegistration = Shape<typeof REJECTED_REGISTRATION>;

/** What somebody who cannot come in may do: choose a new password, or ask what became of a registration. */
export const FORGOTTEN_CALLS = {
  'POST /sys/forgotten/code': {
    title: '忘记密码：发送验证码',
    permission: 'public',
    body: CODE_REQUEST,
    data: NOTHING,
  },
  'POST /sys/forgotten/password': {
    title: '忘记密码：设置新密码',
    permission: 'public',
    keyedBy: ['mobile', 'sms'],
    body: NEW_PASSWORD,
    data: NOTHING,
  },
  'POST /sys/registration-state/code': {
    title: '注册进度：发送验证码',
    permission: 'public',
    body: STATE_REQUEST,
    data: NOTHING,
  },
  'POST /sys/registration-state': {
    title: '注册进度',
    permission: 'public',
    body: STATE_REQUEST,
    data: { type: 'array', items: REGISTRATION_STATE },
  },
} as const satisfies CallGroup;
