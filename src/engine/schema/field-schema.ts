import { FIELD_TYPES, NAME_KINDS } from './definition.ts';

const IDENTIFIER = '^[a-z][a-z0-9_]*$';

/** Filters are checked field by field in the lint; the schema only helps an editor. */
export const FILTER_SCHEMA = {
  type: 'object',
  description: '过滤条件：{ "字段": { "运算": 值 } }，多个键为并且；and、or 取列表',
  properties: {
    and: { type: 'array', items: { type: 'object' }, description: '全部满足' },
    or: { type: 'array', items: { type: 'object' }, description: '满足其一' },
  },
  additionalProperties: { type: ['object', 'array'] },
} as const;

/** One comparison, offered by editors inside a filter. */
export const COMPARISON_SCHEMA = {
  type: 'object',
  description: '运算与值',
  properties: {
    eq: { description: '等于' },
    ne: { description: '不等于' },
    lt: { description: '小于' },
    lte: { description: '小于等于' },
    gt: { description: '大于' },
    gte: { description: '大于等于' },
    in: { description: '属于' },
    nin: { description: '不属于' },
    contains: { description: '包含文字' },
    startswith: { description: '以文字开头' },
    between: { description: '介于两值之间（含）' },
    null: { type: 'boolean', description: 'true 为空，false 不为空' },
    has: { description: '多选含有' },
    hasAny: { description: '多选含有其一' },
    under: { description: '在树的这一支之内（本身与所有下级）' },
  },
  additionalProperties: false,
} as const;

export const UNIQUE_SCHEMA = {
  type: 'object',
  description: '唯一约束，作废与删除的记录除外',
  required: ['fields'],
  properties: {
    fields: { type: 'array', minItems: 1, items: { type: 'string' }, description: '合起来不可重复的字段' },
    scope: { enum: ['global', 'company'], description: '范围：全部公司或本公司（默认）' },
    where: { $ref: '#/$defs/filter', description: '只有满足条件的记录参与' },
    nulls: { const: 'same', description: '空值也算相同' },
    ignoreCase: { type: 'boolean', description: '不区分大小写' },
    message: { type: 'string', description: '重复时的提示' },
    at: { type: 'string', description: '提示所在的字段，省略为第一个' },
  },
  additionalProperties: false,
} as const;

export const ROLLUP_SCHEMA = {
  type: 'object',
  description: '对其他单据（或其明细）汇总，由系统维护',
  required: ['of', 'by'],
  properties: {
    of: { type: 'string', description: '来源，如 shipment.items' },
    by: {
      type: ['string', 'object'],
      additionalProperties: { type: 'string' },
      description: '来源中保存本记录（或本行）编号的字段，或来源字段: 本记录字段',
    },
    where: { $ref: '#/$defs/filter', description: '只汇总满足条件的行，parent. 指行的表头' },
    sum: { type: 'string', description: '求和的字段' },
    count: { const: true, description: '计数' },
    max: { type: 'string', description: '取最大值的字段' },
    min: { type: 'string', description: '取最小值的字段' },
    avg: { type: 'string', description: '取平均值的字段' },
  },
  additionalProperties: false,
} as const;

export const FIELD_SCHEMA = {
  type: 'object',
  description: '字段',
  required: ['type', 'title'],
  properties: {
    type: { enum: FIELD_TYPES, description: '字段类型' },
    title: { type: 'string', minLength: 1, maxLength: 40, description: '标签' },
    partnerTitle: { type: 'string', minLength: 1, maxLength: 40, description: '委托方看到的标签' },
    was: { type: 'string', pattern: IDENTIFIER, description: '原字段名，升级时改列名' },
    hint: { type: 'string', description: '输入框下方的说明' },
    required: { type: 'boolean', description: '必填（单据在离开初始状态时检查）' },
    readOnly: { type: 'boolean', description: '界面只读' },
    fixed: { type: 'boolean', description: '新增后不可修改' },
    system: { type: 'boolean', description: '只由系统写入' },
    default: { description: '默认值，可为 { "$": "today" }' },
    multiple: { type: 'boolean', description: '可多选（文本、字典、引用）' },
    max: { type: ['number', 'string'], description: '文本为最大字数，明细为最多行数，数字为最大值' },
    min: { type: ['number', 'string'], description: '文本为最少字数，明细为最少行数，数字为最小值' },
    pattern: { type: 'string', description: '正则表达式' },
    message: { type: 'string', description: '不符合 pattern 时的提示' },
    check: { type: 'string', description: '值检查：credit_code、id_no、mobile、email、cnaps 等' },
    precision: { type: 'integer', minimum: 1, maximum: 38, description: '总位数' },
    scale: { type: 'integer', minimum: 0, maximum: 12, description: '小数位数' },
    currency: { type: 'string', description: '币种字段、parent.currency 或固定币种如 CNY' },
    total: { const: false, description: '明细列：不合计（每日余额、借贷两方的金额）' },
    opens: {
      type: 'object',
      required: ['resource', 'where'],
      properties: {
        resource: { type: 'string', description: '写明资源的列' },
        where: { type: 'string', description: '写明条件的列（json 为 filter）' },
      },
      additionalProperties: false,
      description: '明细列：点开为同行所写资源的列表，按同行所写的条件',
    },
    dictionary: { type: 'string', description: '字典' },
    options: {
      type: 'object',
      minProperties: 1,
      additionalProperties: { type: 'string' },
      description: '少量固定选项：值到标签',
    },
    to: {
      type: ['string', 'object'],
      required: ['by'],
      properties: { by: { type: 'string', description: '保存资源名的字段' } },
      additionalProperties: false,
      description: '引用的资源、资源的明细（export_contract.items），或 { "by": 字段 }',
    },
    where: { $ref: '#/$defs/filter', description: '可选的记录' },
    prefers: { $ref: '#/$defs/filter', description: '可选记录中优先列出的' },
    fill: {
      type: 'object',
      additionalProperties: { type: 'string' },
      description: '选中后带出：本单字段到所选记录的字段',
    },
    formula: { type: 'string', minLength: 1, description: '公式，服务器重算' },
    rollup: { $ref: '#/$defs/rollup' },
    find: { $ref: '#/$defs/find' },
    until: {
      type: ['string', 'array'],
      items: { type: 'string' },
      description: '进入这些状态时取值，之后冻结',
    },
    stored: { const: false, description: '读取时计算，不保存' },
    from: { type: 'array', items: { type: 'string' }, description: '可从这些单据选取明细：资源.生成名' },
    again: { type: 'array', items: { type: 'string' }, description: '这些动作时再次检查 where' },
    internal: {
      const: true,
      description: '只供规则、公式与系统使用：不出现在派生的栏目、可选的列、条件与单据说明中',
    },
    copied: { const: false, description: '只属于这一单（如提单号）：复制与同上次不带' },
    recalls: {
      type: 'array',
      items: { type: 'string' },
      minItems: 1,
      description: '明细的列：显示最近单据中这些字段相同时的值，如 goods_id、parent.buyer_id',
    },
    caption: {
      type: 'array',
      items: { type: 'string' },
      minItems: 1,
      description: '明细：选择其中一行时在旁显示的列，如 amount、parent.value_date',
    },
    mask: { enum: ['id_no', 'mobile', 'account', 'name'], description: '显示时打码' },
    json: { const: 'filter', description: '内容须为过滤条件' },
    names: {
      enum: NAME_KINDS,
      description:
        '内容是定义中的名称，按中文名选择并随改名更新：资源、事件，或其字段、动作、操作、含字段的模板；公司、页面、字典、参数及其可选的值、报表及其列与参数；变更单可变更的内容',
    },
    having: {
      enum: ['approval', 'number', 'amount'],
      description: '只列出有审核、有编号的资源，或金额字段',
    },
    fields: {
      type: 'object',
      minProperties: 1,
      propertyNames: { pattern: IDENTIFIER, maxLength: 40 },
      additionalProperties: { $ref: '#/$defs/field' },
      description: '明细的列',
    },
    unique: { type: 'array', items: { $ref: '#/$defs/unique' }, description: '同一单据的明细内唯一' },
    follows: {
      type: 'object',
      minProperties: 1,
      additionalProperties: { type: 'string' },
      description: '明细：列到公式（得一列值），第一列的每个值一行，随之增减；有值时不能手工增删行',
    },
    partsOf: {
      type: 'string',
      pattern: IDENTIFIER,
      description: '列：建表时由表头原有的文字字段按分号拆成行',
    },
    were: {
      type: 'object',
      minProperties: 1,
      additionalProperties: { type: 'string' },
      description: '字典：原来的值到现在的值，升级时改写',
    },
  },
  additionalProperties: false,
} as const;
