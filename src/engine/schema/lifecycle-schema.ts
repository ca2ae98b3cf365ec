import { STATE_COLORS } from './lifecycle-definition.ts';

const NAMES = { type: 'array', items: { type: 'string' } } as const;

export const APPROVAL_SCHEMA = {
  type: 'object',
  description: '该动作发起审批',
  required: ['approved', 'rejected', 'withdrawn'],
  properties: {
    approved: { type: 'string', description: '通过后的状态' },
    rejected: { type: 'string', description: '驳回后的状态' },
    withdrawn: { type: 'string', description: '撤回后的状态' },
    effects: { ...NAMES, description: '最后一级通过时在同一事务执行' },
    checks: { ...NAMES, description: '最后一级再次检查' },
    then: { type: 'array', items: { $ref: '#/$defs/follow' }, description: '最后一级通过后随后发生的事' },
    fresh: { type: 'string', description: '冻结的数据已变化时的提示' },
    released: {
      type: 'array',
      items: { anyOf: [{ type: 'string' }, { $ref: '#/$defs/follow' }] },
      description: '驳回或撤回时执行',
    },
    notBy: { ...NAMES, description: '除提交人与录入人外，这些路径所指的人员也不能审核' },
    event: { type: 'string', description: '通过后的通知' },
  },
  additionalProperties: false,
} as const;

export const ACTION_SCHEMA = {
  type: 'object',
  description: '动作',
  required: ['title', 'from', 'to'],
  properties: {
    title: { type: 'string', minLength: 1, description: '按钮文字' },
    partnerTitle: { type: 'string', minLength: 1, description: '委托方看到的按钮文字' },
    from: {
      type: ['string', 'array'],
      items: { type: 'string' },
      minItems: 1,
      description: '可执行的状态，$new 为新增，@组名',
    },
    to: { type: 'string', description: '到达的状态，$same 不变，$previous 回到之前' },
    when: { $ref: '#/$defs/filter', description: '可执行的条件' },
    whenMessage: { type: 'string', description: '条件不满足时的说明' },
    reason: { type: 'boolean', description: '必须填写原因' },
    confirm: { type: 'string', description: '确认提示，可带公式：付给{payee_name}' },
    inputs: {
      type: 'object',
      additionalProperties: { $ref: '#/$defs/field' },
      description: '执行时填写的内容',
    },
    asks: {
      type: 'object',
      additionalProperties: { $ref: '#/$defs/filter' },
      description: '只在条件成立时才填写的内容',
    },
    checks: { ...NAMES, description: '服务器检查' },
    effects: { ...NAMES, description: '服务器后续处理' },
    event: { type: 'string', description: '通知编码' },
    system: { type: 'boolean', description: '只由系统执行' },
    daily: { type: 'boolean', description: '日终任务对符合 when 的单据自动执行，须同时为 system' },
    often: { type: 'boolean', description: '每十分钟任务对符合 when 的单据自动执行，须同时为 system' },
    refused: { type: 'string', description: '定时执行被拒绝时的通知编码，每日一次' },
    batch: { type: 'boolean', description: '可批量执行' },
    complete: { type: 'boolean', description: '执行前检查必填与规则' },
    auto: { type: 'boolean', description: 'when 一成立就自动执行' },
    then: { type: 'array', items: { $ref: '#/$defs/follow' }, description: '随后发生的事' },
    add: {
      type: 'object',
      additionalProperties: {
        type: 'object',
        additionalProperties: { type: ['string', 'number', 'boolean', 'null'] },
      },
      description: '追加明细行',
    },
    pull: {
      type: 'object',
      additionalProperties: { $ref: '#/$defs/filter' },
      description: '选取全部符合的行，代替之前选取的',
    },
    refresh: { type: 'boolean', description: '重新取冻结的数据' },
    fresh: { type: 'string', description: '冻结的数据已变化时的提示' },
    amends: { ...NAMES, description: '变更：执行时可一并修改的字段' },
    proposes: {
      type: 'object',
      additionalProperties: { type: 'string' },
      description: '变更表单中空字段的初值: 取自旁边的字段',
    },
    set: {
      type: 'object',
      additionalProperties: { type: ['string', 'number', 'boolean', 'null'] },
      description: '执行时写入的字段: 公式',
    },
    approval: { $ref: '#/$defs/approval' },
    danger: { type: 'boolean', description: '红色按钮' },
  },
  additionalProperties: false,
} as const;

export const STATE_SCHEMA = {
  type: 'object',
  description: '状态',
  required: ['title'],
  properties: {
    title: { type: 'string', minLength: 1, description: '状态名称' },
    partnerTitle: { type: 'string', minLength: 1, description: '委托方看到的状态名称' },
    was: { type: 'string', pattern: '^[a-z][a-z0-9_]*$', description: '原状态名，升级时随记录与历史改名' },
    edit: {
      type: ['string', 'array', 'object'],
      items: { type: 'string' },
      additionalProperties: { type: ['string', 'array'], items: { type: 'string' } },
      description: '可修改的字段："*"、列表，或按角色',
    },
    editNote: {
      type: 'string',
      minLength: 1,
      description: '表单上方的说明：此状态下为何只能改部分内容、有误怎么办',
    },
    color: { enum: STATE_COLORS, description: '标签颜色' },
  },
  additionalProperties: false,
} as const;

export const LIFECYCLE_SCHEMA = {
  type: 'object',
  description: '生命周期',
  required: ['initial', 'states'],
  properties: {
    initial: { type: 'string', description: '初始状态' },
    states: {
      type: 'object',
      minProperties: 1,
      propertyNames: { pattern: '^[a-z][a-z0-9_]*$' },
      additionalProperties: { $ref: '#/$defs/state' },
      description: '状态，按顺序',
    },
    retired: {
      type: 'object',
      minProperties: 1,
      additionalProperties: { type: 'string' },
      description: '已取消的状态：其记录转入的状态，to 指未列出的其余状态',
    },
    groups: {
      type: 'object',
      propertyNames: { pattern: '^[a-z][a-z0-9_]*$' },
      additionalProperties: { ...NAMES, minItems: 1 },
      description: '状态组：final 已完结，dead 视同不存在',
    },
    actions: {
      type: 'object',
      propertyNames: { pattern: '^[a-z][a-z0-9_]*$' },
      additionalProperties: { $ref: '#/$defs/action' },
      description: '动作',
    },
  },
  additionalProperties: false,
} as const;

export const RULE_SCHEMA = {
  type: 'object',
  description: '条件规则',
  properties: {
    each: { type: 'string', description: '对该明细的每一行' },
    when: { $ref: '#/$defs/filter', description: '满足时生效，省略为总是' },
    require: { ...NAMES, description: '必填的字段' },
    hide: { ...NAMES, description: '隐藏的字段（隐藏即不必填）' },
    clear: { type: 'boolean', description: '隐藏时清空' },
    readOnly: { ...NAMES, description: '只读的字段' },
    assert: { $ref: '#/$defs/filter', description: '必须成立的条件' },
    holds: { type: 'string', description: '必须成立的条件，写作公式' },
    message: { type: 'string', description: '不成立时的提示，花括号内为公式' },
    at: { type: 'string', description: '提示所在的字段' },
    on: {
      type: ['string', 'array'],
      items: { type: 'string' },
      description: '只在这些动作时检查，approved 为最后一级通过',
    },
    level: { enum: ['error', 'warning'], description: '警告不阻止保存' },
  },
  additionalProperties: false,
} as const;

export const ACCESS_SCHEMA = {
  type: 'object',
  description: '角色的权限',
  required: ['role', 'do'],
  properties: {
    role: { type: ['string', 'array'], items: { type: 'string' }, description: '角色编码，"*" 为全体员工' },
    do: {
      ...NAMES,
      minItems: 1,
      description: '操作：list read create update delete export import print approve 与动作，"*" 为全部',
    },
    rows: {
      type: ['string', 'object'],
      description: '数据范围：own target dept dept_tree company all partner，或条件；省略为角色的范围',
    },
    hide: { ...NAMES, description: '看不到的字段' },
    show: { ...NAMES, description: '只能看到这些字段' },
    tell: { ...NAMES, description: '由隐藏字段算出、仍然显示的结果' },
    readOnly: { ...NAMES, description: '不能修改的字段' },
    write: { ...NAMES, description: '只能修改这些字段' },
    lines: {
      type: 'object',
      additionalProperties: { $ref: '#/$defs/filter' },
      description: '看得到的明细行',
    },
  },
  additionalProperties: false,
} as const;
