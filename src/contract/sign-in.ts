import type { CallGroup } from './call.ts';
import { PASSWORD_ENVELOPE, TEXT, TEXT_OR_NULL } from './common.ts';
import { PERSON_BODY } from './limits.ts';
import type { Shape } from './shape.ts';

const ACCOUNT = { type: 'string', maxLength: 100 } as const;
const OPTIONAL_TEXT = { type: ['string', 'number', 'null'], maxLength: 500 } as const;

const ROLE_CHOICE = {
  type: 'object',
  required: ['roleId', 'roleName'],
  properties: { roleId: TEXT, roleName: TEXT },
  additionalProperties: false,
} as const;

const SERVICE_TARGET = {
  type: 'object',
  required: ['id', 'name'],
  properties: { id: TEXT, name: TEXT },
  additionalProperties: false,
} as const;

const CHOICE_KEYS = ['personid', 'id', 'name', 'deptName', 'coName', 'coDeptnameCode', 'roleList'] as const;
const CHOICE_PROPERTIES = {
  personid: TEXT,
  id: TEXT,
  name: TEXT,
  deptName: TEXT,
  coName: TEXT,
  coDeptnameCode: TEXT,
  roleList: { type: 'array', items: ROLE_CHOICE },
} as const;

const PERSON_CHOICE = {
  type: 'object',
  required: [...CHOICE_KEYS, 'salesManList'],
  properties: {
    ...CHOICE_PROPERTIES,
    /** Whom this one may serve, self first; of one of several before the choice. */
    salesManList: { type: 'array', items: SERVICE_TARGET },
  },
  additionalProperties: false,
} as const;

const PERSON = {
  title: 'Person',
  type: 'object',
  required: [
    ...CHOICE_KEYS,
    'authorization',
    'kind',
    'roleIdList',
    'roleId',
    'roleName',
    'saleId',
    'salesManList',
    'salesManName',
    'userList',
    'menuList',
    'coCode',
    'superPermission',
    'qxStatus',
    'mustChangePassword',
  ],
  properties: {
    ...CHOICE_PROPERTIES,
    authorization: TEXT,
    /** An employee, or a customer's account. */
    kind: { enum: ['staff', 'partner'] },
    roleIdList: { type: 'array', items: TEXT },
    roleId: TEXT,
    roleName: TEXT,
    saleId: TEXT_OR_NULL,
    /** Of a customer's account: the customer. */
    partnerId: TEXT_OR_NULL,
    salesManList: { type: 'array', items: SERVICE_TARGET },
    salesManName: TEXT,
    /** Several people or customers whose mobile and password match. */
    userList: { type: 'array', items: PERSON_CHOICE },
    menuList: { type: 'array', items: { title: 'MenuEntry', type: 'object' } },
    coCode: TEXT,
    superPermission: { enum: [0, 1] },
    qxStatus: TEXT,
    /** The server answers nothing else before the person has chosen a password. */
    mustChangePassword: { type: 'boolean' },
  },
  additionalProperties: false,
} as const;

/** The person as the pages know it (design section 4, spec section 3). */
export type Person = Shape<typeof PERSON>;
export type PersonChoice = Shape<typeof PERSON_CHOICE>;
export type RoleChoice = Shape<typeof ROLE_CHOICE>;
export type ServiceTarget = Shape<typeof SERVICE_TARGET>;

/** Nothing is required here: what is missing is said in the words of the form. */
const LOGIN = {
  type: 'object',
  properties: {
    personid: ACCOUNT,
    password: PASSWORD_ENVELOPE,
    id: ACCOUNT,
    erpToken: { type: 'string', maxLength: 200 },
  },
  additionalProperties: false,
} as const;

const MOBILE_LOGIN = {
  type: 'object',
  properties: { psMobile: ACCOUNT, password: PASSWORD_ENVELOPE },
  additionalProperties: false,
} as const;

/** isp, appid, cwStatus and otherCode are taken and decide nothing. */
const PARTNER_LOGIN = {
  type: 'object',
  properties: {
    personid: ACCOUNT,
    password: PASSWORD_ENVELOPE,
    code: OPTIONAL_TEXT,
    isp: OPTIONAL_TEXT,
    appid: OPTIONAL_TEXT,
    cwStatus: OPTIONAL_TEXT,
    otherCode: OPTIONAL_TEXT,
  },
  additionalProperties: false,
} as const;

/** The client sends the whole person back; only ids are read. */
const POSITION = {
  type: 'object',
  properties: {
    id: { type: ['string', 'null'], maxLength: 100 },
    roleId: { type: ['string', 'null'], maxLength: 100 },
    roleIdList: { type: ['array', 'null'], items: { type: 'string', maxLength: 100 }, maxItems: 50 },
    saleId: { type: ['string', 'null'], maxLength: 100 },
  },
  additionalProperties: true,
} as const;

/** Where in this site one wanted to go. */
const BACK = {
  type: 'object',
  properties: { back: { type: 'string', maxLength: 500 } },
  additionalProperties: false,
} as const;

/** What an identity provider sends along; the library judges it. */
const CAME_BACK = {
  type: 'object',
  properties: { code: { type: 'string' }, state: { type: 'string' }, error: { type: 'string' } },
  additionalProperties: true,
} as const;

/** Where the browser goes to end its session at the identity provider too; null where there is none. */
const LEFT = {
  type: 'object',
  required: ['next'],
  properties: { next: { type: ['string', 'null'] } },
  additionalProperties: false,
} as const;

export type PositionForm = Shape<typeof POSITION>;

/** Signing in and out (spec section 7). */
export const SIGN_IN_CALLS = {
  'POST /sys/login': { title: '管理登录', permission: 'public', body: LOGIN, data: PERSON },
  'POST /sys/loginByMobile': { title: '手机登录', permission: 'public', body: MOBILE_LOGIN, data: PERSON },
  'POST /sys/loginByAgcustMobileNo': {
    title: '客户登录',
    permission: 'public',
    body: PARTNER_LOGIN,
    data: PERSON,
  },
  'GET /sys/oidc/begin': {
    title: '统一身份登录：去身份提供方',
    permission: 'public',
    query: BACK,
    gives: 'page',
  },
  'GET /sys/oidc/callback': {
    title: '统一身份登录：从身份提供方回来',
    permission: 'public',
    query: CAME_BACK,
    gives: 'page',
  },
  'POST /sys/oidc/finish': { title: '统一身份登录：登录页取结果', permission: 'public', data: PERSON },
  'POST /sys/setPosition': {
    title: '选择角色、部门与服务对象',
    permission: 'pending',
    isOpenBeforeNewPassword: true,
    limits: { body: PERSON_BODY },
    body: POSITION,
    data: PERSON,
  },
  'POST /sys/logout': { title: '退出登录', permission: 'public', data: LEFT },
  'GET /sys/session': {
    title: '当前登录人',
    permission: 'session',
    isOpenBeforeNewPassword: true,
    data: PERSON,
  },
} as const satisfies CallGroup;
