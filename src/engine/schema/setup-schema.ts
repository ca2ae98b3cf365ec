import { ROLE_DUTIES } from '../access/role-duties.ts';
import { DOCUMENT_SETS_SCHEMA } from '../print/document-set-schema.ts';
import { PAGE_KINDS } from './layout-definition.ts';
import { FACES_SCHEMA } from './face-schema.ts';
import { MENU_ICONS } from './menu-icons.ts';
import { DASHBOARDS_SCHEMA } from './dashboard-schema.ts';
import { DRAFT, TEXT } from './schema-words.ts';
import { DICTIONARIES_SCHEMA, ENGLISH_SCHEMA } from './dictionary-schema.ts';

export const MENU_SCHEMA = {
  $schema: DRAFT,
  title: '菜单',
  type: 'array',
  items: { $ref: '#/$defs/group' },
  $defs: {
    group: {
      type: 'object',
      required: ['title', 'items'],
      properties: {
        title: { ...TEXT, description: '菜单名称' },
        icon: { enum: MENU_ICONS, description: '图标' },
        items: {
          type: 'array',
          description: '路由，或下级菜单',
          items: {
            type: ['string', 'object'],
            required: ['title', 'items'],
            properties: { title: TEXT, icon: { enum: MENU_ICONS }, items: { type: 'array' } },
            additionalProperties: false,
          },
        },
      },
      additionalProperties: false,
    },
  },
} as const;

export const ROLES_SCHEMA = {
  $schema: DRAFT,
  title: '角色',
  type: 'array',
  items: {
    type: 'object',
    required: ['code', 'name', 'row_scope', 'can_represent', 'hidden_paths'],
    properties: {
      code: { ...TEXT, description: '角色编码' },
      name: { ...TEXT, description: '角色名称' },
      duty: { enum: Object.keys(ROLE_DUTIES), description: '程序所依的职责，每项恰好一个角色' },
      row_scope: {
        enum: ['own', 'target', 'dept', 'dept_tree', 'company', 'all', 'partner'],
        description: '数据范围',
      },
      can_represent: { type: 'boolean', description: '可代办服务对象' },
      hidden_paths: { type: 'array', items: TEXT, description: '隐藏的菜单' },
    },
    additionalProperties: false,
  },
} as const;

export const APPROVAL_FLOWS_SCHEMA = {
  $schema: DRAFT,
  title: '审核流程',
  type: 'array',
  items: {
    type: 'object',
    required: ['resource', 'levels'],
    properties: {
      name: { ...TEXT, description: '流程名称' },
      resource: { ...TEXT, description: '适用单据' },
      action: { ...TEXT, description: '适用动作，省略为全部' },
      priority: { type: 'integer', description: '优先级，小者先' },
      amount_field: { ...TEXT, description: '金额字段' },
      amount_from: { ...TEXT, description: '金额下限（含，人民币）' },
      amount_to: { ...TEXT, description: '金额上限（不含，人民币）' },
      condition: { type: 'object', description: '附加条件' },
      levels: {
        type: 'array',
        minItems: 1,
        items: {
          type: 'object',
          required: ['title'],
          properties: {
            level_no: { type: 'integer', description: '级次' },
            title: { ...TEXT, description: '级次名称' },
            approver_kind: {
              enum: ['role', 'person', 'dept_manager', 'owner_service'],
              description: '审批人来源，缺省为角色',
            },
            role: {
              type: ['string', 'array'],
              minLength: 1,
              minItems: 1,
              items: TEXT,
              description: '角色编码；多个时任一角色的持有人都可以审核',
            },
            mode: { enum: ['any', 'all'], description: '或签（缺省）、会签' },
            timeout_hours: { type: 'integer', description: '应审时限（小时，只计工作日），超时提醒' },
            skip_if_same: { type: 'boolean', description: '同人跳过，缺省为是' },
            condition: { type: 'object', description: '该级仅在满足时需要' },
          },
        },
      },
    },
  },
} as const;

export const MESSAGE_EVENTS_SCHEMA = {
  $schema: DRAFT,
  title: '通知事件',
  type: 'object',
  propertyNames: { pattern: '^(\\$schema|[A-Z][A-Z0-9_]*)$' },
  additionalProperties: {
    type: ['string', 'object'],
    description: '标题，或通知的全部设置',
    required: ['title'],
    properties: {
      title: { ...TEXT, description: '标题模板' },
      name: { ...TEXT, description: '名称' },
      content: { ...TEXT, description: '内容模板' },
      partnerContent: { ...TEXT, description: '给委托方的内容模板' },
      level: { enum: ['info', 'warn', 'urgent'], description: '消息级别' },
      to: { type: 'array', items: TEXT, description: '接收角色与接收人' },
      channel: { type: 'array', items: { enum: ['live', 'center', 'sms'] }, description: '渠道' },
      advance_days: {
        type: ['integer', 'string'],
        minimum: 0,
        maximum: 365,
        description: '提前天数，或其参数名',
      },
      about: { type: 'array', items: TEXT, description: '由程序发出时涉及的资源' },
      isAddressed: { type: 'boolean', description: '接收人由程序决定' },
    },
    additionalProperties: false,
  },
} as const;

export const PAGES_SCHEMA = {
  $schema: DRAFT,
  title: '手写页面',
  type: 'array',
  items: {
    type: 'object',
    required: ['route', 'kind', 'title'],
    properties: {
      route: { ...TEXT, pattern: '^/[A-Za-z0-9/_:-]*$', description: '路由' },
      kind: { enum: PAGE_KINDS, description: '页面类型' },
      title: { ...TEXT, description: '标题' },
      component: { ...TEXT, description: '组件' },
      guard: { enum: ['menu', 'login', 'public'], description: '进入条件' },
      audience: { enum: ['staff', 'partner', 'both', 'administration'], description: '使用者' },
      resource: { ...TEXT, description: '权限所依的资源' },
      reportId: { type: ['string', 'integer'], description: '报表编号' },
      where: { type: 'object', description: '固定条件' },
    },
    additionalProperties: false,
  },
} as const;

/** Regions nest: province, city, district. */
export const REGIONS_SCHEMA = {
  $schema: DRAFT,
  title: '地区',
  type: ['array', 'object'],
} as const;

export const PARAMETERS_SCHEMA = {
  $schema: DRAFT,
  title: '系统参数',
  type: ['array', 'object'],
} as const;

/** Tables of `lookup`: what is agreed or customary and no resource keeps. */
export const TABLES_SCHEMA = {
  $schema: DRAFT,
  title: '对照表',
  type: 'object',
  properties: { $schema: TEXT },
  propertyNames: { pattern: '^(\\$schema|[a-z][a-z0-9_]*)$' },
  additionalProperties: {
    type: 'object',
    description: "公式用 lookup('表名', 键…) 取值",
    required: ['title', 'keys', 'value', 'rows'],
    properties: {
      title: { ...TEXT, description: '名称' },
      keys: { type: 'array', minItems: 1, maxItems: 5, items: TEXT, description: '各键的含义' },
      value: { enum: ['number', 'text'], description: '值的类型' },
      rows: { $ref: '#/$defs/rows' },
    },
    additionalProperties: false,
  },
  $defs: {
    rows: {
      type: 'object',
      description: '键到值；多个键逐层嵌套，* 为其余',
      minProperties: 1,
      additionalProperties: { anyOf: [TEXT, { type: 'number' }, { $ref: '#/$defs/rows' }] },
    },
  },
} as const;

/** Keys of vouchers (flows 2.7.5) and the accounts that they stand for. */
export const ACCOUNTS_SCHEMA = {
  $schema: DRAFT,
  title: '过账键与会计科目',
  type: 'object',
  properties: { $schema: TEXT },
  propertyNames: { pattern: '^(\\$schema|[A-Z][A-Z0-9_]*)$' },
  additionalProperties: {
    type: 'object',
    required: ['code', 'name', 'side'],
    properties: {
      code: { ...TEXT, pattern: '^[0-9]{4,20}$', description: '科目编码' },
      name: { ...TEXT, minLength: 1, description: '科目名称' },
      side: { enum: ['debit', 'credit'], description: '余额方向' },
      foreign: { type: 'boolean', description: '外币核算' },
      dimensions: { type: 'array', items: TEXT, description: '辅助核算：凭证分录的字段' },
    },
    additionalProperties: false,
  },
} as const;

/** What waits for a resource still to come: the lint of dead ends passes it over. */
export const WAITING_SCHEMA = {
  $schema: DRAFT,
  title: '等待后续资源',
  type: 'array',
  items: {
    type: 'object',
    required: ['resource', 'name', 'for'],
    properties: {
      resource: { ...TEXT, description: '资源' },
      name: {
        ...TEXT,
        pattern: '^(![a-z][a-z0-9_]*|status:[a-z][a-z0-9_]*|[a-z][a-z0-9_]*(\\.[a-z][a-z0-9_]*)?)$',
        description: '系统字段 received_amount、items.x，动作 !settle，状态 status:settled',
      },
      for: { ...TEXT, minLength: 1, description: '等待的资源' },
    },
    additionalProperties: false,
  },
} as const;

/** Meta-schema of every file in `resources/setup`, by the file's name without `.json`. */
export const SETUP_SCHEMAS = {
  dashboards: DASHBOARDS_SCHEMA,
  faces: FACES_SCHEMA,
  menu: MENU_SCHEMA,
  roles: ROLES_SCHEMA,
  dictionaries: DICTIONARIES_SCHEMA,
  'document-sets': DOCUMENT_SETS_SCHEMA,
  english: ENGLISH_SCHEMA,
  'approval-flows': APPROVAL_FLOWS_SCHEMA,
  'message-events': MESSAGE_EVENTS_SCHEMA,
  pages: PAGES_SCHEMA,
  regions: REGIONS_SCHEMA,
  parameters: PARAMETERS_SCHEMA,
  accounts: ACCOUNTS_SCHEMA,
  tables: TABLES_SCHEMA,
  waiting: WAITING_SCHEMA,
} as const;
