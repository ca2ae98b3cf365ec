import { ROLE_DUTIES } from '../access/role-duties.ts';
import { FACE_KINDS } from './face-definition.ts';
import { MENU_ICONS } from './menu-icons.ts';

const TEXT = { type: 'string', minLength: 1 } as const;
const NAMES = { type: 'array', items: TEXT } as const;
const ROUTE = { ...TEXT, pattern: '^/[A-Za-z0-9/_-]*$', description: '路由' } as const;

const RECORDS = {
  title: { ...TEXT, description: '名称' },
  resource: { ...TEXT, description: '资源' },
  do: { ...TEXT, description: '有此操作权限才显示' },
  where: { type: 'object', description: '条件' },
  sort: { ...NAMES, description: '排序，前加 - 为降序' },
  size: { type: 'integer', minimum: 1, maximum: 50, description: '最多几条' },
  name: { ...TEXT, description: '作为名称的字段，省略为资源的名称字段' },
  state: { ...TEXT, description: '作为状态的字段，省略为状态' },
  fields: { ...NAMES, description: '旁边的文字与日期' },
  amounts: { ...NAMES, description: '金额，第一个为主' },
  steps: {
    type: 'array',
    description: '按先后的日期，有日期即已完成',
    items: {
      type: 'object',
      required: ['title', 'field'],
      properties: { title: TEXT, field: TEXT },
      additionalProperties: false,
    },
  },
  prints: { ...NAMES, description: '可打开、转发的打印' },
} as const;

const BELOW = {
  type: 'object',
  description: '每条之下的记录',
  required: ['resource', 'by'],
  properties: { ...RECORDS, by: { ...TEXT, description: '其中指向上级的字段' } },
  additionalProperties: false,
} as const;

/** Something that may be begun, for whoever may do it. */
export const START = {
  type: 'object',
  required: ['title', 'resource', 'do', 'route'],
  properties: {
    title: { ...TEXT, description: '名称' },
    resource: { ...TEXT, description: '资源' },
    do: { ...TEXT, description: '有此操作权限才显示' },
    route: ROUTE,
  },
  additionalProperties: false,
} as const;

const BLOCK = {
  type: 'object',
  required: ['kind', 'title'],
  properties: {
    kind: { enum: FACE_KINDS, description: '种类：待办、可发起、资金、进程、记录' },
    title: { ...TEXT, description: '标题' },
    empty: { ...TEXT, description: '没有内容时的说明，省略则不显示这一块' },
    records: {
      type: 'array',
      description: '显示的记录',
      items: {
        type: 'object',
        required: ['resource'],
        properties: { ...RECORDS, entries: BELOW },
        additionalProperties: false,
      },
    },
    starts: {
      type: 'array',
      description: '可发起的业务',
      items: START,
    },
  },
  additionalProperties: false,
} as const;

/** `setup/faces.json`: by the duty of a role, what its holders see in place of the staff's menu and home page. */
export const FACES_SCHEMA = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title: '外部人员的菜单与首页',
  type: 'object',
  properties: { $schema: TEXT },
  propertyNames: { enum: ['$schema', ...Object.keys(ROLE_DUTIES)] },
  additionalProperties: {
    type: 'object',
    required: ['menu', 'home'],
    properties: {
      menu: {
        type: 'array',
        description: '菜单',
        items: {
          type: 'object',
          required: ['title', 'items'],
          properties: { title: TEXT, icon: { enum: MENU_ICONS }, items: { type: 'array', items: ROUTE } },
          additionalProperties: false,
        },
      },
      home: { type: 'array', items: BLOCK, description: '首页各块' },
    },
    additionalProperties: false,
  },
} as const;
