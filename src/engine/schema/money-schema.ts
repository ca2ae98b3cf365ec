import { NAMES, FILTER, VALUES, STATES, BY_VALUE, EACH, COLUMN } from './schema-parts.ts';

export const LEDGER_SCHEMA = {
  type: 'object',
  description: '台账：过账写入的字段',
  required: ['account', 'amount', 'after', 'type', 'net', 'date', 'reverses', 'same', 'source'],
  properties: {
    account: { type: 'string', description: '账户' },
    amount: { type: 'string', description: '金额' },
    after: { type: 'string', description: '过账后余额' },
    type: { type: 'string', description: '类型' },
    net: { type: 'string', description: '冲销后归入的类型' },
    date: { type: 'string', description: '业务日期' },
    reverses: { type: 'string', description: '冲销的分录' },
    same: { ...NAMES, description: '取自来源同名字段' },
    source: { ...NAMES, minItems: 3, maxItems: 3, description: '来源资源、单据、行' },
    currency: { type: 'string', description: '币种' },
    label: { type: 'string', description: '来源单号' },
    event: { type: 'string', description: '过账的动作' },
    summary: { type: 'string', description: '摘要' },
  },
  additionalProperties: false,
} as const;

export const ACCOUNT_SCHEMA = {
  type: 'object',
  description: '账户',
  required: ['ledger', 'balance', 'key'],
  properties: {
    ledger: { type: 'string', description: '台账资源' },
    balance: { type: 'string', description: '余额' },
    held: { type: 'string', description: '冻结' },
    available: { type: 'string', description: '可用' },
    key: { ...NAMES, minItems: 1, description: '确定账户的字段' },
    overdrawn: { type: 'string', description: '可用低于零时的通知' },
    keys: { type: 'object', additionalProperties: VALUES, description: '具名的键' },
  },
  additionalProperties: false,
} as const;

export const POSTING_SCHEMA = {
  type: 'object',
  description: '过账',
  required: ['at'],
  properties: {
    at: { ...STATES, description: '进入的状态或动作' },
    name: { type: 'string', description: '名称，同类两笔时区分' },
    each: EACH,
    when: FILTER,
    type: { ...BY_VALUE, description: '类型，或按字段取' },
    account: { type: 'string', description: '引用字段，或 @具名键' },
    amount: { type: 'string', description: '金额公式' },
    date: { type: 'string', description: '日期公式，省略为当天' },
    set: VALUES,
    force: { type: ['boolean', 'object'], description: '不受账户限额约束' },
    reverse: {
      type: ['string', 'array'],
      items: { type: 'string' },
      description: '冲销本单据的分录："*" 或类型',
    },
  },
  additionalProperties: false,
} as const;

export const HOLD_SCHEMA = {
  type: 'object',
  description: '冻结',
  required: ['in', 'account', 'amount'],
  properties: {
    in: { ...STATES, description: '冻结的状态' },
    again: { ...NAMES, description: '进入时再次检查' },
    each: EACH,
    when: FILTER,
    account: { type: 'string', description: '引用字段，或 @具名键' },
    amount: { type: 'string', description: '金额公式' },
  },
  additionalProperties: false,
} as const;

export const VOUCHER_SCHEMA = {
  type: 'object',
  description: '凭证',
  required: ['at', 'event', 'lines'],
  properties: {
    at: { ...STATES, description: '进入的状态或动作' },
    event: { type: 'string', description: '业务事件' },
    date: { type: 'string', description: '日期公式' },
    when: FILTER,
    lines: {
      type: 'array',
      minItems: 1,
      items: {
        type: 'object',
        required: ['debit', 'credit', 'amount'],
        properties: {
          each: EACH,
          when: FILTER,
          debit: { ...BY_VALUE, description: '借方科目' },
          credit: { ...BY_VALUE, description: '贷方科目' },
          amount: { type: 'string', description: '金额公式，负数借贷互换' },
          fc: {
            type: 'object',
            required: ['currency', 'amount'],
            properties: {
              currency: { type: 'string' },
              amount: { type: 'string' },
              rate: { type: 'string' },
            },
            additionalProperties: false,
            description: '外币',
          },
          with: { ...VALUES, description: '两方分录的辅助核算' },
          withDebit: { ...VALUES, description: '只属于借方的辅助核算' },
          withCredit: { ...VALUES, description: '只属于贷方的辅助核算' },
        },
        additionalProperties: false,
      },
    },
  },
  additionalProperties: false,
} as const;

export const VOUCHER_BOOK_SCHEMA = {
  type: 'object',
  description: '凭证簿：生成的凭证写入的字段',
  required: ['date', 'event', 'source', 'reverses', 'lines', 'columns'],
  properties: {
    date: { ...COLUMN, description: '凭证日期' },
    event: { ...COLUMN, description: '业务事件' },
    source: { ...NAMES, minItems: 2, maxItems: 2, description: '来源资源、单据' },
    reverses: { ...COLUMN, description: '红冲的凭证' },
    label: { ...COLUMN, description: '摘要' },
    made: { type: 'string', description: '业务生成的凭证的状态' },
    lines: { ...COLUMN, description: '分录明细' },
    columns: {
      type: 'object',
      required: ['code', 'debit', 'credit'],
      properties: {
        key: { ...COLUMN, description: '过账键' },
        code: { ...COLUMN, description: '科目编码' },
        name: { ...COLUMN, description: '科目名称' },
        debit: { ...COLUMN, description: '借方' },
        credit: { ...COLUMN, description: '贷方' },
        currency: { ...COLUMN, description: '币种' },
        foreign: { ...COLUMN, description: '原币金额' },
        rate: { ...COLUMN, description: '汇率' },
      },
      additionalProperties: false,
    },
    accounts: {
      type: 'object',
      required: ['of', 'key', 'code', 'name'],
      properties: { of: COLUMN, key: COLUMN, code: COLUMN, name: COLUMN },
      additionalProperties: false,
      description: '科目资源及其过账键、编码、名称',
    },
    period: {
      type: 'object',
      required: ['field', 'month', 'from', 'to', 'closed'],
      properties: { field: COLUMN, month: COLUMN, from: COLUMN, to: COLUMN, closed: STATES },
      additionalProperties: false,
      description: '会计期间：引用字段，期间的月份、起止日期，已结账的状态',
    },
  },
  additionalProperties: false,
} as const;
