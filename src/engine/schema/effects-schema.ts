import {
  LEDGER_SCHEMA,
  ACCOUNT_SCHEMA,
  POSTING_SCHEMA,
  HOLD_SCHEMA,
  VOUCHER_SCHEMA,
  VOUCHER_BOOK_SCHEMA,
} from './money-schema.ts';
import { COLUMN, NAMES, FILTER, VALUES, LEVEL, EACH } from './schema-parts.ts';

const OTHERS = {
  to: { type: 'string', description: '本单据的引用路径，如 items.contract_id，或本单据的明细' },
  of: { type: 'string', description: '引用本单据的资源或其明细，"*" 为全部单据' },
  by: {
    type: ['string', 'object'],
    additionalProperties: { type: 'string' },
    description: '对方存有本记录编号的字段，或对方字段: 本单据字段',
  },
  where: { ...FILTER, description: '对方须满足，source.x 为本单据' },
  order: { ...NAMES, description: '顺序，前加 - 为降序' },
} as const;

export const LIMIT_SCHEMA = {
  type: 'object',
  description: '限额：数字变动后须成立，只拒绝变得更坏的',
  required: ['assert', 'message'],
  properties: {
    each: EACH,
    when: FILTER,
    assert: FILTER,
    claim: {
      type: 'boolean',
      description:
        '数字是单据的占用：只拒绝占用的增加，并在单据最后一级通过时重新检查；上限变小不拒绝，每晚也不检查',
    },
    message: { type: 'string', minLength: 1, description: '超出时的提示' },
    level: LEVEL,
  },
  additionalProperties: false,
} as const;

export const BLOCKER_SCHEMA = {
  type: 'object',
  description: '存在这些记录时不能执行动作',
  required: ['actions', 'message'],
  properties: {
    actions: { ...NAMES, minItems: 1, description: '动作，approved 为最后一级通过，delete 为删除' },
    ...OTHERS,
    when: FILTER,
    at: { type: 'string', description: '提示所在的字段或动作的输入' },
    message: { type: 'string', minLength: 1, description: '说明' },
    level: LEVEL,
  },
  additionalProperties: false,
} as const;

const SAME = {
  type: ['string', 'array'],
  items: { type: 'string' },
  description: '同名照抄的字段，"*" 为全部',
} as const;
const EXCEPT = { ...NAMES, description: '不照抄的字段' } as const;

const MADE_FINDS = {
  type: 'object',
  description: '要查找的引用字段：取符合的第一条；only 为仅有一条符合时才取，else 为没有时的其他值',
  additionalProperties: {
    type: 'object',
    required: ['where'],
    properties: { where: FILTER, order: NAMES, only: { type: 'boolean' }, else: VALUES },
    additionalProperties: false,
  },
} as const;

export const MAKE_SCHEMA = {
  type: 'object',
  description: '由本单据生成的单据',
  required: ['to'],
  properties: {
    to: { type: 'string', description: '生成的资源，或资源.明细' },
    title: { type: 'string', minLength: 1, description: '名称' },
    as: { enum: ['form', 'draft'], description: '打开填好的表单，或保存为草稿' },
    do: { type: 'string', description: '生成后执行的动作' },
    same: SAME,
    except: EXCEPT,
    map: VALUES,
    find: MADE_FINDS,
    each: { type: 'string', description: '每一行生成一份' },
    when: FILTER,
    per: { type: 'string', description: '按该列的每个值生成一份' },
    lines: {
      type: 'object',
      additionalProperties: {
        type: 'object',
        properties: {
          of: {
            type: 'string',
            description: '取自本单据的明细，省略为同名，$record 为由单据本身（each 时为该行）取一行',
          },
          where: FILTER,
          same: SAME,
          except: EXCEPT,
          map: VALUES,
          find: MADE_FINDS,
        },
        additionalProperties: false,
      },
      description: '生成的明细',
    },
    empty: { type: 'string', description: '没有可生成的行时的提示' },
    once: { type: 'boolean', description: '一份单据只生成一份' },
    into: { ...FILTER, description: '有这样的单据时并入' },
    max: { type: 'integer', minimum: 1, description: '每份最多的行数' },
  },
  additionalProperties: false,
} as const;

export const FOLLOW_SCHEMA = {
  type: 'object',
  description: '随后发生的事，按顺序',
  properties: {
    ...OTHERS,
    when: FILTER,
    each: EACH,
    changed: { ...NAMES, description: '这些字段变化时' },
    make: { type: 'string', description: '生成单据' },
    remake: { type: 'string', description: '重新带入已生成的单据' },
    do: { type: 'string', description: '执行动作' },
    inputs: VALUES,
    set: VALUES,
    add: { type: 'object', additionalProperties: VALUES, description: '追加明细行' },
    effect: { type: 'string', description: '服务器处理' },
    spread: { type: 'string', description: '依次分摊的总额' },
    take: { type: 'string', description: '每份最多承担的金额' },
    rest: { type: 'string', minLength: 1, description: '总额分摊不完时的拒绝提示' },
  },
  additionalProperties: false,
} as const;

export const EXCLUDE_SCHEMA = {
  type: 'object',
  description: '同键的记录期间不得重叠',
  required: ['fields', 'ranges', 'message'],
  properties: {
    fields: { ...NAMES, description: '键' },
    ranges: {
      type: 'array',
      minItems: 1,
      items: { ...NAMES, minItems: 2, maxItems: 2 },
      description: '起止字段',
    },
    where: FILTER,
    message: { type: 'string', minLength: 1 },
  },
  additionalProperties: false,
} as const;

export const TREE_SCHEMA = {
  type: 'object',
  description: '树',
  required: ['parent'],
  properties: {
    parent: { type: 'string', description: '上级字段' },
    path: { type: 'string', description: '保存全路径的字段' },
    depth: { type: 'string', description: '保存层级的字段' },
    max: { type: 'integer', minimum: 1, maximum: 20, description: '最多层级' },
  },
  additionalProperties: false,
} as const;

export const AMENDMENT_SCHEMA = {
  type: 'object',
  description: '变更单：批准后写入所变更的单据',
  required: ['of', 'by', 'changes', 'open', 'close', 'fields'],
  properties: {
    of: { type: 'string', description: '变更的资源' },
    by: { type: 'string', description: '指向它的字段' },
    changes: { type: 'string', description: '变更内容明细' },
    open: { type: 'string', description: '开始变更时它执行的动作' },
    close: { type: 'string', description: '结束变更时它执行的动作' },
    fields: { ...NAMES, description: '可变更的字段' },
    lines: {
      type: 'object',
      additionalProperties: { type: 'array', items: { enum: ['change', 'add', 'remove'] } },
      description: '可变更的明细',
    },
    stage: { type: 'string', description: '保存开始变更时状态的字段' },
    onlyLess: {
      type: 'object',
      additionalProperties: NAMES,
      description: '开始变更时的状态，及此后只能减少的字段',
    },
    snapshots: { ...NAMES, minItems: 2, maxItems: 2, description: '保存变更前、变更后内容的字段' },
  },
  additionalProperties: false,
} as const;

export const FIND_SCHEMA = {
  type: 'object',
  description: '自动取第一条符合的记录',
  required: ['where'],
  properties: { where: FILTER, order: NAMES },
  additionalProperties: false,
} as const;

const SECOND_PERSON_SCHEMA = {
  type: 'object',
  description: '须第二人复核的变更：先成为另一资源的单据，最后一级审核通过后生效',
  required: ['in', 'fields'],
  properties: {
    in: { ...COLUMN, description: '变更单的资源' },
    fields: { ...NAMES, description: '变更须复核的字段' },
    until: { ...NAMES, description: '终止日期字段：已到期的改回未到期须复核' },
    actions: { ...NAMES, description: '须复核的动作，可为 delete' },
    created: {
      type: 'object',
      required: ['state', 'action'],
      properties: {
        state: { ...COLUMN, description: '新记录复核前的状态' },
        action: { ...COLUMN, description: '复核后执行的动作' },
      },
      additionalProperties: false,
      description: '新增的记录也须复核',
    },
  },
  additionalProperties: false,
} as const;

/** The constructs as `$defs` of the resource schema. */
export const EFFECT_DEFS = {
  limit: LIMIT_SCHEMA,
  blocker: BLOCKER_SCHEMA,
  make: MAKE_SCHEMA,
  follow: FOLLOW_SCHEMA,
  exclude: EXCLUDE_SCHEMA,
  tree: TREE_SCHEMA,
  amendment: AMENDMENT_SCHEMA,
  secondPerson: SECOND_PERSON_SCHEMA,
  find: FIND_SCHEMA,
  ledger: LEDGER_SCHEMA,
  account: ACCOUNT_SCHEMA,
  posting: POSTING_SCHEMA,
  hold: HOLD_SCHEMA,
  voucher: VOUCHER_SCHEMA,
  voucherBook: VOUCHER_BOOK_SCHEMA,
} as const;

const list = (name: keyof typeof EFFECT_DEFS) =>
  ({ type: 'array', items: { $ref: `#/$defs/${name}` } }) as const;

/** The keys that a resource file may have for them. */
export const EFFECT_PROPERTIES = {
  limits: { ...list('limit'), description: '限额' },
  makes: { type: 'object', additionalProperties: { $ref: '#/$defs/make' }, description: '生成的单据' },
  then: {
    type: 'object',
    properties: {
      create: list('follow'),
      update: list('follow'),
      save: list('follow'),
      delete: list('follow'),
    },
    additionalProperties: false,
    description: '保存后随后发生的事',
  },
  blockers: { ...list('blocker'), description: '阻止动作的记录' },
  exclude: { ...list('exclude'), description: '期间不得重叠' },
  tree: { $ref: '#/$defs/tree' },
  amendment: { $ref: '#/$defs/amendment' },
  secondPerson: { $ref: '#/$defs/secondPerson' },
  ledger: { $ref: '#/$defs/ledger' },
  account: { $ref: '#/$defs/account' },
  postings: { ...list('posting'), description: '过账' },
  everyEntry: { ...VALUES, description: '各笔流水另记的内容' },
  holds: { ...list('hold'), description: '冻结' },
  vouchers: { ...list('voucher'), description: '凭证' },
  voucherBook: { $ref: '#/$defs/voucherBook' },
} as const;
