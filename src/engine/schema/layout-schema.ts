import { PAGE_KINDS } from './layout-definition.ts';

const NAMES = { type: 'array', items: { type: 'string' } } as const;
const COLUMNS = { type: 'array', items: { $ref: '#/$defs/column' } } as const;

export const COLUMN_SCHEMA = {
  type: ['string', 'object'],
  description: '列：字段名，或带合计、宽度',
  required: ['field'],
  properties: {
    field: { type: 'string', description: '字段' },
    total: {
      type: ['boolean', 'object'],
      description: '合计（金额按币种），作废的不计；"where" 另限哪些记录计入',
      required: ['where'],
      properties: { where: { $ref: '#/$defs/filter' } },
      additionalProperties: false,
    },
    width: { type: 'integer', minimum: 20, description: '宽度（像素）' },
    title: { type: 'string', description: '列名' },
  },
  additionalProperties: false,
} as const;

export const LIST_SCHEMA = {
  type: 'object',
  description: '列表页',
  properties: {
    columns: { ...COLUMNS, description: '列' },
    filters: { ...NAMES, description: '筛选' },
    sort: { ...NAMES, description: '排序，前加 - 为降序' },
    group: { type: 'string', description: '分组字段' },
    parts: { type: 'string', description: '各值各占一个页签的字典字段' },
    empty: { type: 'string', minLength: 1, description: '列表为空时的说明' },
  },
  additionalProperties: false,
} as const;

/** Lines that people wrote to one another, the oldest first; who reads has the own ones at the right. */
const CONVERSATION_SCHEMA = {
  type: 'object',
  description: '往来消息：以对话显示明细',
  required: ['text', 'at', 'partner', 'answers'],
  properties: {
    text: { type: 'string', description: '明细中的内容字段' },
    at: { type: 'string', description: '明细中的时间字段' },
    partner: { type: 'string', description: '明细中的是否字段：外部人员所写' },
    by: { type: 'string', description: '明细中的作者字段' },
    files: { type: 'string', description: '明细中的附件字段' },
    opening: { type: 'string', description: '本单上外部人员的第一条内容' },
    answers: { ...NAMES, minItems: 1, description: '在对话下方直接填写的动作，取可用的第一个' },
  },
  additionalProperties: false,
} as const;

/** Fields or lines: the lint checks that a section has exactly one of them. */
export const SECTION_SCHEMA = {
  type: 'object',
  description: '分区：字段或一个明细',
  required: ['title'],
  properties: {
    title: { type: 'string', description: '标题' },
    columns: { type: ['integer', 'array'], items: { type: 'string' }, description: '每行字段数；明细为列' },
    fields: { ...NAMES, description: '字段' },
    lines: { type: 'string', description: '明细' },
    conversation: CONVERSATION_SCHEMA,
  },
  additionalProperties: false,
} as const;

export const DETAILS_SCHEMA = {
  type: 'object',
  description: '详情页',
  properties: {
    sections: { type: 'array', items: { $ref: '#/$defs/section' }, description: '分区，省略同编辑页' },
    facts: {
      type: 'array',
      items: {
        type: 'object',
        required: ['title', 'fields'],
        properties: {
          title: { type: 'string', description: '标题' },
          fields: { ...NAMES, description: '字段' },
        },
        additionalProperties: false,
      },
      description: '编辑页没有的字段，按类分区；未列出的归入“其他信息”',
    },
    figures: { ...NAMES, description: '顶部的关键数字' },
    partner: {
      type: 'object',
      description: '委托方看到的详情页：只有这些分区',
      required: ['sections'],
      properties: {
        sections: { type: 'array', minItems: 1, items: { $ref: '#/$defs/section' }, description: '分区' },
        figures: { ...NAMES, description: '顶部的关键数字，省略同上' },
      },
      additionalProperties: false,
    },
    related: {
      type: 'array',
      description: '下方的关联单据',
      items: {
        type: 'object',
        required: ['resource', 'by'],
        properties: {
          resource: { type: 'string', description: '资源' },
          by: { type: 'string', description: '其中指向本记录的字段' },
          title: { type: 'string', description: '标题' },
          columns: { ...NAMES, description: '列' },
        },
        additionalProperties: false,
      },
    },
    panels: {
      type: 'array',
      items: { enum: ['timeline', 'attachments', 'comments', 'history'] },
      description: '面板',
    },
    links: {
      type: 'array',
      description: '带本记录的值去往其他页面',
      items: {
        type: 'object',
        required: ['title', 'to'],
        properties: {
          title: { type: 'string', description: '按钮文字' },
          to: { type: 'string', pattern: '^/[A-Za-z0-9/_-]*$', description: '路由' },
          with: {
            type: 'object',
            additionalProperties: { type: 'string' },
            description: '查询参数：参数名到字段',
          },
        },
        additionalProperties: false,
      },
    },
  },
  additionalProperties: false,
} as const;

export const PRINT_SCHEMA = {
  type: 'object',
  description: '打印',
  required: ['id', 'title', 'template'],
  properties: {
    id: { type: 'string', description: '编号' },
    title: { type: 'string', description: '按钮文字' },
    template: { type: 'string', description: '模板' },
    when: { $ref: '#/$defs/filter', description: '可打印的条件' },
  },
  additionalProperties: false,
} as const;

export const PAGE_SCHEMA = {
  type: 'object',
  description: '页面',
  required: ['route', 'kind'],
  properties: {
    route: { type: 'string', pattern: '^/[A-Za-z0-9/_-]*$', description: '路由' },
    kind: { enum: PAGE_KINDS, description: '页面类型' },
    title: { type: 'string', description: '标题' },
    partnerTitle: { type: 'string', minLength: 1, description: '委托方看到的标题' },
    where: { $ref: '#/$defs/filter', description: '固定条件，eq 部分在新增时写入' },
    columns: { ...COLUMNS, description: '列' },
    filters: { ...NAMES, description: '筛选' },
    group: { type: 'string', description: '分组字段' },
    tree: { type: 'string', description: '引用树形资源的字段：列表左侧显示该树，按分支筛选' },
    list: { type: 'string', description: '列表路由' },
    edit: { type: 'string', description: '编辑路由' },
    details: { type: 'string', description: '详情路由' },
    print: { type: 'string', description: '打印路由' },
    audience: { enum: ['staff', 'partner', 'both'], description: '菜单的使用者' },
    guard: { enum: ['menu', 'login', 'public'], description: '进入条件：菜单内、已登录、公开' },
    component: { type: 'string', description: '手写页面的组件' },
    create: { type: 'boolean', description: 'false 不提供新增' },
    rowAction: { type: 'string', description: '列表每行首先显示的动作：读者不能编辑该行时，代替“查看”' },
    tabs: { ...NAMES, description: '设置页上并列的其他资源' },
    chart: {
      type: 'object',
      description: '列表上方的图：金额按一个字段合计',
      required: ['kind', 'by', 'amounts'],
      properties: {
        kind: { enum: ['bar', 'stackedBar', 'line'], description: '图形' },
        by: { type: 'string', description: '横轴字段，取最近的若干个值' },
        amounts: { ...NAMES, description: '合计的金额或数量，每个一组' },
        per: { type: 'string', description: '再按这个字典分开，如收入与支出' },
      },
      additionalProperties: false,
    },
    overview: {
      type: 'object',
      description: '列表上方的概览：期限、金额、齐备情况',
      required: ['dates', 'steps'],
      properties: {
        where: { $ref: '#/$defs/filter', description: '仍待办理的记录' },
        dates: { ...NAMES, description: '期限字段，第一个为准' },
        done: { type: 'string', description: '期限内须办的事已办的标志（为真或有值），办妥后不再计期限' },
        amount: { type: 'string', description: '涉及金额' },
        month: { type: 'string', description: '金额按哪个日期分月，缺省为第一个期限' },
        steps: {
          type: 'object',
          additionalProperties: { type: 'string' },
          description: '须齐备的事项：名称到字段（为真、有值或大于0即齐备）',
        },
      },
      additionalProperties: false,
    },
  },
  additionalProperties: false,
} as const;
