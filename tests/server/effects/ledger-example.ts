import type { ResourceDefinition } from '#engine/schema/definition.ts';
import { FIXTURES } from '../data/fixtures.ts';
import { aWorld, type World } from '../data/world.ts';

const OPEN = [{ role: '*', do: ['*'], rows: 'company' }] as const;

/** An owner of accounts. */
const OWNER: ResourceDefinition = {
  resource: 'owner',
  title: '户主',
  kind: 'master',
  mixins: [],
  label: 'name',
  fields: { name: { type: 'text', title: '名称', max: 30, required: true } },
  access: OPEN,
};

const PURSE: ResourceDefinition = {
  resource: 'purse',
  title: '账户',
  kind: 'master',
  mixins: [],
  label: 'kind',
  fields: {
    owner_id: { type: 'reference', title: '户主', to: 'owner', required: true },
    project: { type: 'text', title: '项目', max: 20 },
    kind: { type: 'text', title: '种类', max: 20, required: true },
    balance: { type: 'money', title: '余额', currency: 'CNY', system: true, default: '0.00' },
    held: { type: 'money', title: '冻结', currency: 'CNY', system: true, default: '0.00' },
    available: { type: 'money', title: '可用', currency: 'CNY', system: true, default: '0.00' },
    fees: {
      type: 'money',
      title: '费用合计',
      currency: 'CNY',
      rollup: { of: 'purse_entry', by: 'purse_id', where: { net_type: { eq: 'FEE' } }, sum: 'amount' },
    },
    live_count: {
      type: 'integer',
      title: '有效笔数',
      rollup: { of: 'purse_entry', by: 'purse_id', where: { live: { eq: true } }, count: true },
    },
  },
  account: {
    ledger: 'purse_entry',
    balance: 'balance',
    held: 'held',
    available: 'available',
    key: ['owner_id', 'project', 'kind'],
    overdrawn: 'POOL_NEGATIVE',
    keys: { main: { kind: "'main'" }, deposit: { kind: "'deposit'" } },
  },
  limits: [{ assert: { available: { gte: '0' } }, message: '可用余额不足' }],
  access: OPEN,
};

const ENTRY: ResourceDefinition = {
  resource: 'purse_entry',
  title: '流水',
  kind: 'ledger',
  label: 'entry_type',
  fields: {
    purse_id: { type: 'reference', title: '账户', to: 'purse', required: true },
    entry_type: { type: 'text', title: '类型', max: 20, required: true },
    net_type: { type: 'text', title: '归入', max: 20 },
    amount: { type: 'money', title: '金额', currency: 'CNY', required: true },
    balance_after: { type: 'money', title: '余额', currency: 'CNY' },
    business_date: { type: 'date', title: '日期', required: true },
    note: { type: 'text', title: '摘要', max: 60 },
    said: { type: 'text', title: '说明', max: 60 },
    source_resource: { type: 'text', title: '来源', max: 40 },
    source_id: { type: 'text', title: '来源单据', max: 40 },
    source_line: { type: 'text', title: '来源行', max: 40 },
    source_no: { type: 'text', title: '来源单号', max: 60 },
    reverse_of: { type: 'reference', title: '冲销', to: 'purse_entry' },
  },
  ledger: {
    account: 'purse_id',
    amount: 'amount',
    after: 'balance_after',
    type: 'entry_type',
    net: 'net_type',
    date: 'business_date',
    reverses: 'reverse_of',
    label: 'source_no',
    same: ['note'],
    source: ['source_resource', 'source_id', 'source_line'],
  },
  access: OPEN,
};

/** Money that comes in: three postings a line, a voucher, reversed as a whole or a line at a time. */
const DEPOSIT: ResourceDefinition = {
  resource: 'deposit',
  title: '进账单',
  kind: 'document',
  mixins: [],
  label: 'title',
  fields: {
    title: { type: 'text', title: '标题', max: 30, required: true },
    owner_id: { type: 'reference', title: '户主', to: 'owner', required: true },
    project: { type: 'text', title: '项目', max: 20 },
    paid_on: { type: 'date', title: '日期', default: { $: 'today' } },
    origin: { type: 'text', title: '来源', max: 20 },
    /** Called like the input of `top_up`, which is of a line. */
    amount: { type: 'money', title: '约定金额', currency: 'CNY' },
    lines: {
      type: 'lines',
      title: '明细',
      max: 500,
      fields: {
        amount: { type: 'money', title: '金额', currency: 'CNY', required: true },
        fee: { type: 'money', title: '费用', currency: 'CNY' },
        note: { type: 'text', title: '摘要', max: 60 },
        undo: { type: 'boolean', title: '撤回' },
      },
    },
    extra: {
      type: 'lines',
      title: '补充',
      fields: {
        amount: { type: 'money', title: '金额', currency: 'CNY' },
        mark: { type: 'text', title: '记号', max: 9, default: '补' },
      },
    },
  },
  postings: [
    { at: ['posted'], type: 'IN', each: 'lines', account: '@main', amount: 'amount', date: 'parent.paid_on' },
    { at: ['posted'], type: 'FEE', each: 'lines', account: '@main', amount: '-fee', force: true },
    {
      at: ['posted'],
      name: 'to_deposit',
      type: { by: 'note', rent: 'RENT', '*': 'OTHER' },
      each: 'lines',
      when: { note: { null: false } },
      account: '@purse.deposit',
      amount: 'amount * 0.1',
      set: { note: "'押金'", said: 'note' },
    },
    { at: 'top_up', type: 'EXTRA', each: 'extra', account: '@main', amount: 'amount' },
    { at: 'take_back', each: 'lines', when: { undo: { eq: true } }, reverse: '*' },
    { at: ['reversed'], reverse: '*' },
    { at: 'drop', each: 'extra', when: { amount: { eq: { '=': 'input.amount' } } }, reverse: '*' },
  ],
  everyEntry: { said: "text('来自 ', origin)" },
  vouchers: [
    {
      at: 'posted',
      event: 'DEPOSIT',
      date: 'paid_on',
      lines: [
        {
          each: 'lines',
          debit: 'BANK',
          credit: 'POOL',
          amount: 'amount',
          withCredit: { owner_id: 'parent.owner_id' },
        },
        { each: 'lines', debit: 'POOL', credit: { by: 'note', rent: 'RENT_FEE', '*': 'FEE' }, amount: 'fee' },
      ],
    },
    {
      at: 'top_up',
      event: 'EXTRA',
      lines: [{ each: 'extra', debit: 'BANK', credit: 'POOL', amount: 'amount' }],
    },
  ],
  lifecycle: {
    initial: 'draft',
    states: {
      draft: { title: '草稿', edit: '*' },
      posted: { title: '已过账', edit: '*' },
      reversed: { title: '已冲销' },
      void: { title: '作废' },
    },
    groups: { dead: ['reversed', 'void'], final: ['reversed', 'void'] },
    actions: {
      post: { title: '过账', from: ['draft'], to: 'posted' },
      top_up: {
        title: '补充',
        from: ['posted'],
        to: '$same',
        inputs: { amount: { type: 'money', title: '金额', currency: 'CNY', required: true } },
        add: { extra: { amount: 'input.amount' } },
      },
      drop: {
        title: '撤回补充',
        from: ['posted'],
        to: '$same',
        inputs: { amount: { type: 'money', title: '金额', currency: 'CNY', required: true } },
        set: { amount: 'amount' },
      },
      take_back: { title: '撤回明细', from: ['posted'], to: '$same' },
      reverse: { title: '冲销', from: ['posted'], to: 'reversed' },
      void: { title: '作废', from: ['draft'], to: 'void' },
    },
  },
  access: OPEN,
};

/** Money that goes out: held from the submission on, paid from a purse that it names. */
const PAYMENT: ResourceDefinition = {
  resource: 'payment',
  title: '付款单',
  kind: 'document',
  mixins: [],
  label: 'title',
  fields: {
    title: { type: 'text', title: '标题', max: 30, required: true },
    purse_id: { type: 'reference', title: '账户', to: 'purse', required: true },
    amount: { type: 'money', title: '金额', currency: 'CNY', required: true },
    is_forced: { type: 'boolean', title: '强制' },
    share: { type: 'money', title: '份额', currency: 'CNY' },
    note: { type: 'text', title: '摘要', max: 60 },
    remark: { type: 'text', title: '备注', max: 60 },
  },
  holds: [{ in: '@in_progress', again: ['approved'], account: 'purse_id', amount: 'amount' }],
  postings: [
    { at: 'paid', type: 'PAY', account: 'purse_id', amount: '-amount', force: { is_forced: { eq: true } } },
    {
      at: 'paid',
      type: 'SHARE',
      when: { share: { null: false } },
      account: 'purse_id',
      amount: '-min(share, purse_id.balance)',
    },
    { at: 'reversed', reverse: '*' },
  ],
  lifecycle: {
    initial: 'draft',
    states: {
      draft: { title: '草稿', edit: '*' },
      pending: { title: '待批', edit: ['amount'] },
      approved: { title: '已批' },
      paid: { title: '已付', edit: ['note', 'remark'] },
      reversed: { title: '已冲销' },
    },
    groups: { in_progress: ['pending', 'approved'], dead: ['reversed'], final: ['reversed'] },
    actions: {
      submit: { title: '提交', from: ['draft'], to: 'pending', complete: true },
      agree: { title: '批准', from: ['pending'], to: 'approved' },
      recall: { title: '撤回', from: ['pending', 'approved'], to: 'draft' },
      pay: { title: '付款', from: ['approved', 'draft'], to: 'paid' },
      reverse: { title: '冲销', from: ['paid'], to: 'reversed' },
    },
  },
  access: OPEN,
};

const CHART: ResourceDefinition = {
  resource: 'chart',
  title: '科目',
  kind: 'config',
  label: 'name',
  fields: {
    code: { type: 'text', title: '编码', max: 20, required: true },
    name: { type: 'text', title: '名称', max: 60, required: true },
    posting_key: { type: 'text', title: '过账键', max: 20 },
  },
  access: OPEN,
};

const MONTH: ResourceDefinition = {
  resource: 'month',
  title: '期间',
  kind: 'document',
  mixins: [],
  label: 'month',
  fields: {
    month: { type: 'text', title: '月份', max: 6, required: true },
    start_date: { type: 'date', title: '起' },
    end_date: { type: 'date', title: '止' },
  },
  unique: [{ fields: ['month'] }],
  lifecycle: {
    initial: 'open',
    states: { open: { title: '未结', edit: '*' }, closed: { title: '已结' } },
    actions: { close: { title: '结账', from: ['open'], to: 'closed' } },
  },
  access: OPEN,
};

const VOUCHER: ResourceDefinition = {
  resource: 'slip',
  title: '凭证',
  kind: 'document',
  mixins: [],
  label: 'slip_no',
  number: { field: 'slip_no', pattern: '{co}PZ{yyyy}{mm}{seq:5}', at: 'post' },
  fields: {
    slip_no: { type: 'text', title: '编号', max: 30 },
    slip_date: { type: 'date', title: '日期', required: true },
    event: { type: 'text', title: '事件', max: 20, required: true },
    source_resource: { type: 'text', title: '来源', max: 40 },
    source_id: { type: 'text', title: '来源单据', max: 40 },
    month_id: { type: 'reference', title: '期间', to: 'month' },
    reverse_of: { type: 'reference', title: '红冲', to: 'slip' },
    debit_total: { type: 'money', title: '借方', currency: 'CNY', formula: 'sum(lines.debit)' },
    credit_total: { type: 'money', title: '贷方', currency: 'CNY', formula: 'sum(lines.credit)' },
    lines: {
      type: 'lines',
      title: '分录',
      fields: {
        posting_key: { type: 'text', title: '过账键', max: 20 },
        code: { type: 'text', title: '科目', max: 20, required: true },
        name: { type: 'text', title: '名称', max: 60 },
        owner_id: { type: 'reference', title: '户主', to: 'owner' },
        debit: { type: 'money', title: '借', currency: 'CNY' },
        credit: { type: 'money', title: '贷', currency: 'CNY' },
      },
    },
  },
  voucherBook: {
    date: 'slip_date',
    event: 'event',
    source: ['source_resource', 'source_id'],
    reverses: 'reverse_of',
    lines: 'lines',
    columns: { key: 'posting_key', code: 'code', name: 'name', debit: 'debit', credit: 'credit' },
    accounts: { of: 'chart', key: 'posting_key', code: 'code', name: 'name' },
    period: { field: 'month_id', month: 'month', from: 'start_date', to: 'end_date', closed: ['closed'] },
  },
  lifecycle: {
    initial: 'made',
    states: { made: { title: '已生成', edit: [] } },
    groups: { final: ['made'] },
  },
  access: OPEN,
};

export const LEDGER_DEFINITIONS: readonly ResourceDefinition[] = [
  ...FIXTURES.filter(({ resource }) =>
    [
      'person',
      'department',
      'role',
      'currency',
      'number_rule',
      'permission_rule',
      'approval_flow',
      'approval_task',
    ].includes(resource),
  ),
  OWNER,
  PURSE,
  ENTRY,
  DEPOSIT,
  PAYMENT,
  CHART,
  MONTH,
  VOUCHER,
];

export const ACCOUNTS = {
  BANK: { code: '100201', name: '银行存款', side: 'debit' },
  POOL: { code: '224102', name: '资金池', side: 'credit' },
  FEE: { code: '605101', name: '代理费', side: 'credit' },
  RENT_FEE: { code: '605109', name: '其他', side: 'credit' },
} as const;

/** A world with ledgers. */
export function aLedgerWorld(): Promise<World> {
  return aWorld({
    definitions: LEDGER_DEFINITIONS,
    accounts: ACCOUNTS,
    events: { POOL_NEGATIVE: { title: '余额为负', to: ['GM'] } },
  });
}
