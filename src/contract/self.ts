import type { CallGroup } from './call.ts';
import { FLAG, NOTHING, PASSWORD_ENVELOPE, TEXT, TEXT_OR_NULL, UUID } from './common.ts';
import type { Shape } from './shape.ts';

// What is missing or empty is told by the form's own check, beside its field.
const ENVELOPE = { ...PASSWORD_ENVELOPE, default: '' } as const;
const FORM_TEXT = { type: 'string', maxLength: 100, default: '' } as const;

const PASSWORD = {
  type: 'object',
  required: ['password', 'newPassword'],
  properties: { password: ENVELOPE, newPassword: ENVELOPE },
  additionalProperties: false,
} as const;

const MOBILE = {
  type: 'object',
  required: ['password', 'mobile', 'sms'],
  properties: { password: ENVELOPE, mobile: FORM_TEXT, sms: FORM_TEXT },
  additionalProperties: false,
} as const;

const CODE_REQUEST = {
  type: 'object',
  required: ['mobile'],
  properties: { mobile: FORM_TEXT },
  additionalProperties: false,
} as const;

/** Without an id every other session ends. */
const ENDED = { type: 'object', properties: { id: UUID }, additionalProperties: false } as const;

const OWN_ACCOUNT = {
  type: 'object',
  required: ['id', 'name', 'personid', 'mobile', 'co_code', 'dept_code', 'kind'],
  properties: {
    id: TEXT,
    name: TEXT,
    personid: TEXT,
    mobile: TEXT_OR_NULL,
    co_code: TEXT,
    dept_code: TEXT_OR_NULL,
    /** A customer's mobile number is his account, and changed by staff. */
    kind: { enum: ['staff', 'partner'] },
    email: TEXT_OR_NULL,
    position: TEXT_OR_NULL,
    entry_date: TEXT_OR_NULL,
    dept_name: TEXT_OR_NULL,
  },
  additionalProperties: false,
} as const;

const SESSION = {
  type: 'object',
  required: ['id', 'is_current', 'created_at', 'last_seen_at', 'address', 'user_agent'],
  properties: {
    id: TEXT,
    is_current: FLAG,
    created_at: TEXT,
    last_seen_at: TEXT,
    address: TEXT,
    user_agent: TEXT,
  },
  additionalProperties: false,
} as const;

export type OwnAccount = Shape<typeof OWN_ACCOUNT>;
export type SessionEntry = Shape<typeof SESSION>;

/** The personal page: own data, password, mobile, sessions. */
export const SELF_CALLS = {
  'GET /self': { title: '个人资料', permission: 'session', data: OWN_ACCOUNT },
  'POST /self/password': {
    title: '修改密码',
    permission: 'session',
    isOpenBeforeNewPassword: true,
    body: PASSWORD,
    data: NOTHING,
  },
  'POST /self/mobile/code': {
    title: '向新手机号码发送验证码',
    permission: 'session',
    body: CODE_REQUEST,
    data: NOTHING,
  },
  'POST /self/mobile': { title: '修改手机号码', permission: 'session', body: MOBILE, data: NOTHING },
  'GET /self/sessions': {
    title: '登录中的会话',
    permission: 'session',
    data: { type: 'array', items: SESSION },
  },
  'DELETE /self/sessions': { title: '结束会话', permission: 'session', query: ENDED, data: NOTHING },
} as const satisfies CallGroup;
