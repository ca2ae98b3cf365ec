import { expect, test } from 'vitest';
import { lintDefinitions } from '#engine/schema/lint-resource.ts';
import { ACCOUNTS, LEDGER_DEFINITIONS } from './ledger-example.ts';

interface Change {
  readonly resource: string;
  /** `postings.0.amount` */
  readonly path: string;
  /** Undefined takes it away. */
  readonly value: unknown;
}

/** The messages over the example, one thing in it changed. */
function faults(...changes: readonly Change[]): string[] {
  return lintDefinitions([
    ...LEDGER_DEFINITIONS.map((definition) => {
      const copy: unknown = structuredClone(definition);
      for (const { resource, path, value } of changes)
        if (definition.resource === resource) put(copy, path.split('.'), value);
      return { path: `${definition.resource}.json`, text: JSON.stringify(copy) };
    }),
    { path: 'setup/accounts.json', text: JSON.stringify(ACCOUNTS) },
  ]).map(({ path, message }) => `${path}: ${message}`);
}

function put(at: unknown, [key = '', ...rest]: readonly string[], value: unknown): void {
  if (typeof at !== 'object' || at === null) return;
  if (rest.length > 0) return put(Reflect.get(at, key), rest, value);
  if (Array.isArray(at) && value === undefined) at.splice(Number(key), 1);
  else if (value === undefined) Reflect.deleteProperty(at, key);
  else Reflect.set(at, key, value);
}

const own = (resource: string, messages: string[]): string[] =>
  messages
    .filter((message) => message.startsWith(`${resource}.json`))
    .map((message) => message.slice(resource.length + 7));

const VOUCHED_AGAIN = {
  at: 'reversed',
  event: 'DEPOSIT',
  lines: [{ each: 'lines', debit: 'BANK', credit: 'POOL', amount: 'amount' }],
};

test.each<[string, string, string, unknown, string]>([
  ['an unknown account', 'deposit', 'postings.0.account', '@mian', '未知账户 "@mian"'],
  ['a field that is no account', 'payment', 'postings.0.account', 'title', '"title" 不是账户'],
  ['an unknown moment', 'deposit', 'postings.0.at', 'postd', '未知状态 "postd"'],
  ['an amount that is none', 'deposit', 'postings.0.amount', 'note', '公式的结果'],
  ['two of one type on a line', 'deposit', 'postings.1.type', 'IN', '同一行有两笔 "IN"'],
  ['a reversal with an amount', 'deposit', 'postings.5.amount', '1', '冲销不能有 "amount"'],
  [
    'a dead state without a reversal',
    'deposit',
    'postings.5',
    undefined,
    '"reverse" 使已过账的单据进入 "reversed"',
  ],
  ['a head that posts twice', 'deposit', 'postings.3.each', undefined, '表头只能过账一次'],
  ['a head that is vouched twice', 'deposit', 'vouchers.1.lines.0.each', undefined, '表头只能生成一次凭证'],
  [
    'two vouchers of one event on a line',
    'deposit',
    'vouchers.1',
    VOUCHED_AGAIN,
    '同一行有两张 "DEPOSIT" 凭证',
  ],
  ['an unknown key of a voucher', 'deposit', 'vouchers.0.lines.0.debit', 'BANKK', '未知过账键 "BANKK"'],
  [
    'an unknown dimension',
    'deposit',
    'vouchers.0.lines.0.withCredit',
    { onwer_id: 'parent.owner_id' },
    '未知字段 "onwer_id"',
  ],
  ['an unknown state of a hold', 'payment', 'holds.0.in', ['pendng'], '未知状态 "pendng"'],
  ['an account without a ledger', 'purse', 'account.ledger', 'purse_entri', '"purse_entri" 不是台账'],
  ['a key that is not in the key', 'purse', 'account.keys.main', { balance: '1' }, '"balance" 不在 "key" 中'],
  ['a ledger whose account is none', 'purse_entry', 'ledger.account', 'reverse_of', '不引用本台账的账户'],
  [
    'a posting that says its own amount',
    'deposit',
    'postings.2.set',
    { amount: 'amount' },
    '"amount" 由过账写入',
  ],
  ['a word that no ledger of it has', 'deposit', 'everyEntry.sayd', "'x'", '所过的账没有字段 "sayd"'],
  ['an amount said of every entry', 'deposit', 'everyEntry.amount', 'amount', '"amount" 由过账写入'],
  ['what is said of a field that is not there', 'deposit', 'everyEntry.said', 'orign', '未知字段 "orign"'],
  ['a reversal of what is not posted', 'deposit', 'postings.5.reverse', ['NOPE'], '未知过账类型 "NOPE"'],
  ['an amount that is a text', 'purse_entry', 'ledger.amount', 'note', '"note" 应为数字'],
  ['a balance after that is a text', 'purse_entry', 'ledger.after', 'note', '"note" 应为数字'],
  ['a source kept as an amount', 'purse_entry', 'ledger.source.1', 'amount', '"amount" 应为文本'],
  ['a voucher dated by a text', 'deposit', 'vouchers.0.date', 'title', '应为日期，不是文本'],
  ['an input that its action has not', 'deposit', 'postings.3.amount', 'input.amuont', '未知的输入 "amuont"'],
  ['an input of another action', 'deposit', 'postings.0.amount', 'input.amount', '未知的输入 "amount"'],
  [
    'an input that a reversal compares with',
    'deposit',
    'postings.6.when',
    { amount: { eq: { '=': 'input.amont' } } },
    '未知的输入 "amont"',
  ],
  [
    'an input of one of two actions',
    'deposit',
    'postings.6',
    { at: ['drop', 'take_back'], each: 'extra', when: { 'input.amount': { gt: '0' } }, reverse: '*' },
    '未知的输入 "amount"',
  ],
  ['an input that goes into a type', 'deposit', 'postings.3.type', { by: 'input.kind' }, '未知的输入 "kind"'],
  ['an input said of every entry', 'deposit', 'everyEntry.said', 'input.word', '未知的输入 "word"'],
  ['an input in a voucher', 'deposit', 'vouchers.1.lines.0.amount', 'input.sum', '未知的输入 "sum"'],
  [
    'an input as the date of a voucher',
    'deposit',
    'vouchers.0.date',
    'input.paid_on',
    '未知的输入 "paid_on"',
  ],
  ['an input in a hold', 'payment', 'holds.0.when', { 'input.x': { null: true } }, '未知的输入 "x"'],
  ['an input in a limit', 'purse', 'limits.0.when', { 'input.sum': { gt: '0' } }, '未知的输入 "sum"'],
  [
    'what was before in a limit',
    'purse',
    'limits.0.assert',
    { available: { gte: { '=': 'coalesce(before.available, 0) - 10' } } },
    '限制在写入结束时判断，不能用 "before.available"',
  ],
  [
    'what was before in the condition of a limit',
    'purse',
    'limits.0.when',
    { kind: { ne: { $: 'before.kind' } } },
    '限制在写入结束时判断，不能用 "before.kind"',
  ],
  ['a book without its lines', 'slip', 'voucherBook.lines', 'line', '"line" 不是明细'],
])('%s is a load error', (_name, resource, path, value, message) => {
  expect(own(resource, faults({ resource, path, value })).join('\n')).toContain(message);
});

test('what every way into a state is given may be posted, but not after an approval', () => {
  const reason = { reason: { type: 'money', title: '金额', currency: 'CNY' } };
  const pays = { title: '付款', from: ['approved', 'draft'], to: 'paid', inputs: reason };
  const posted = { resource: 'payment', path: 'postings.0.amount', value: '-input.reason' };
  const paying = { resource: 'payment', path: 'lifecycle.actions.pay', value: pays };
  const agreed = {
    ...pays,
    to: 'pending',
    approval: { approved: 'paid', rejected: 'draft', withdrawn: 'draft' },
  };
  expect(own('payment', faults(posted, paying))).toEqual([]);
  expect(own('payment', faults(posted, { ...paying, value: agreed })).join()).toContain(
    '未知的输入 "reason"',
  );
});

test('nothing is held on an account that keeps no holds', () => {
  const messages = faults({ resource: 'purse', path: 'account.held', value: undefined });
  expect(own('payment', messages)).toEqual(['账户没有 "held"，不能冻结']);
});

const UNFIXED = '金额的合计须限定币种（"where" 中的 "currency"）';
const OF_DOLLARS = '合计的是 USD，字段的币种是 CNY';
const BY_NAME = { source_no: 'name' };

test.each<[string, object, string[]]>([
  ['says which one it is of', { by: BY_NAME }, [UNFIXED]],
  ['is not of one that only has to be there', { where: { currency: { null: false } } }, [UNFIXED]],
  ['is not of all but one', { where: { currency: { ne: 'USD' } } }, [UNFIXED]],
  ['is not of two', { where: { currency: { in: ['CNY', 'USD'] } } }, [UNFIXED]],
  [
    'is not of one or else',
    { where: { or: [{ currency: { eq: 'CNY' } }, { note: { eq: '' } }] } },
    [UNFIXED],
  ],
  ['is not of dollars kept as yuan', { where: { currency: { eq: 'USD' } } }, [OF_DOLLARS]],
  ['is not of a list of dollars', { where: { currency: { in: ['USD'] } } }, [OF_DOLLARS]],
  ['is not of dollars by its key', { by: { ...BY_NAME, currency: "'USD'" } }, [OF_DOLLARS]],
  ['is of yuan', { where: { currency: { eq: 'CNY' } } }, []],
  ['is of yuan among others', { where: { and: [{ currency: { in: ['CNY'] } }] } }, []],
  ['is of yuan by its key', { by: { ...BY_NAME, currency: "'CNY'" } }, []],
  ['is of the currency of its record', { where: { currency: { eq: { '=': 'source.name' } } } }, []],
])('a sum of money over a ledger of several currencies %s', (_name, given, expected) => {
  const rollup = { of: 'purse_entry', by: BY_NAME, sum: 'amount', ...given };
  const messages = faults(
    { resource: 'purse_entry', path: 'fields.currency', value: { type: 'text', title: '币种', max: 3 } },
    { resource: 'purse_entry', path: 'fields.amount.currency', value: 'currency' },
    {
      resource: 'owner',
      path: 'fields.total',
      value: { type: 'money', title: '合计', currency: 'CNY', rollup },
    },
  );
  expect(own('owner', messages)).toEqual(expected);
  expect(own('purse', messages)).toEqual([]);
});

test('the example is right', () => {
  for (const resource of ['owner', 'purse', 'purse_entry', 'deposit', 'payment', 'slip'])
    expect(own(resource, faults())).toEqual([]);
});
