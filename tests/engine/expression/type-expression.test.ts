import { describe, expect, it } from 'vitest';
import { parseExpression } from '#engine/expression/parse-expression.ts';
import { typeExpression } from '#engine/expression/type-expression.ts';
import type { TypeScope } from '#engine/expression/type-scope.ts';
import { BOOLEAN, NUMBER, typeTitle } from '#engine/expression/value-type.ts';
import { expandField } from '#engine/schema/expand-resource.ts';
import { aCatalog, aContract, aCustomer } from '../../support/definitions.ts';
import { resourceOf } from '../schema/example-files.ts';

const catalog = {
  ...aCatalog(
    aContract(
      {},
      {
        currency: { type: 'dictionary', title: '币种', dictionary: 'currency' },
        price: { type: 'money', title: '货值', currency: 'currency' },
        freight_currency: { type: 'dictionary', title: '运费币种', dictionary: 'currency' },
        freight: { type: 'money', title: '运费', currency: 'freight_currency' },
        vat_rate: { type: 'percent', title: '税率' },
        is_urgent: { type: 'boolean', title: '加急' },
        ship_date: { type: 'date', title: '船期' },
        mode: { type: 'text', title: '方式', options: { sea: '海运', air: '空运' } },
        charges: {
          type: 'lines',
          title: '费用',
          fields: {
            kind: { type: 'text', title: '类型', options: { port: '港杂', truck: '拖车' } },
            amount: { type: 'money', title: '金额', currency: 'parent.currency' },
            is_billed: { type: 'boolean', title: '已开票' },
            payer_id: { type: 'reference', title: '付款人', to: 'customer' },
          },
        },
      },
    ),
    aCustomer({
      fields: {
        name: { type: 'text', title: '名称' },
        kind: { type: 'text', title: '性质', options: { trader: '贸易商', factory: '工厂' } },
        tiers: {
          type: 'lines',
          title: '阶梯',
          fields: { from_amount: { type: 'money', title: '下限', currency: 'CNY' } },
        },
      },
    }),
  ),
  dictionaries: {
    currency: {
      name: 'currency',
      label: '币种',
      builtin: true,
      items: ['CNY', 'USD', 'JPY'].map((value) => ({ value, label: value })),
    },
  },
};
const contract = resourceOf(catalog, 'contract');
const head: TypeScope = {
  place: { resource: contract, catalog },
  dictionaries: catalog.dictionaries,
  names: {
    params: new Map([
      ['QTY_TOLERANCE', NUMBER],
      ['CHECK_DEPOSIT', BOOLEAN],
    ]),
    tables: {
      year_days: { title: '计息年天数', keys: ['币种'], value: 'number', rows: { '*': 360 } },
    },
  },
};
const line: TypeScope = { ...head, place: { resource: contract, catalog, lines: 'charges' } };

function typeOf(formula: string, scope = head): string {
  const { type, faults } = typeExpression(parseExpression(formula), scope);
  expect(faults).toEqual([]);
  return typeTitle(type);
}

function faultOf(formula: string, scope = head): string {
  const { faults } = typeExpression(parseExpression(formula), scope);
  return faults.map(({ at, message }) => `${at} ${message}`).join('\n');
}

describe('typeExpression', () => {
  it.each([
    ['price * (1 + vat_rate)', '金额'],
    ['count - 1', '整数'],
    ['sum(charges.amount)', '金额'],
    ["sum(charges.amount, charges.kind == 'port' && !charges.is_billed)", '金额'],
    ['max(charges.amount, 0)', '金额'],
    ["first(charges.payer_id.kind, charges.kind == 'port')", '选项'],
    ['charges.payer_id.name', '一列文本'],
    ['buyer_id.tiers.from_amount', '一列金额'],
    ['count(charges)', '整数'],
    ["if(is_urgent, 'sea', mode)", '选项'],
    ['addWorkdays(coalesce(ship_date, today), 10)', '日期'],
    ["text('共', count, '件，', price)", '文本'],
    ["param('QTY_TOLERANCE') * price", '金额'],
    ["param('CHECK_DEPOSIT') && is_urgent", '是否'],
    ["lookup('year_days', currency)", '数字'],
    ['before.price == null || price > before.price', '是否'],
    ['company.name', '文本'],
    ['user.partner_id == buyer_id', '是否'],
  ])('%s is %s', (formula, title) => {
    expect(typeOf(formula)).toBe(title);
  });

  it.each([
    ['amount + above.amount', '金额'],
    ['spread(parent.freight, amount)', '金额'],
    ['parent.charges.payer_id', '一列引用'],
    ['before.amount - amount', '金额'],
    ['parent.price - sum(parent.charges.amount)', '金额'],
  ])('in a line %s is %s', (formula, title) => {
    expect(typeOf(formula, line)).toBe(title);
  });

  it.each([
    ['price + prise', '8 未知字段 "prise"，是否想写 "price"？'],
    ['sum(charges.amonut)', '4 未知字段 "charges.amonut"，是否想写 "charges.amount"？'],
    ['buyer_id.nam.x', '0 未知字段 "buyer_id.nam.x"，是否想写 "buyer_id.name.x"？'],
    ['price.x', '0 "price" 不是引用，后面不能再取字段'],
    ['1 + contract_no', '4 文本不能用 + 计算，连接文本请用 text(…)'],
    ['ship_date + 3', '0 日期不能用 + 计算，请用 addDays、addMonths 或 days'],
    ['price - freight', '8 两种币种的金额不能相加减，请先用 rate 折算'],
    ['sum(price)', '4 函数 sum 应作用于一列值（如明细的字段），不是金额'],
    ['sum(charges.kind)', '4 函数 sum 应作用于数字，不是选项'],
    ['sum(charges.amount, items.pieces > 1)', '20 不同明细的列（charges、items）不能一起逐行计算'],
    ['days(ship_date, price)', '16 函数 days 的第2个参数应为日期，不是金额'],
    ['if(price, 1, 2)', '3 条件应为是否，不是金额'],
    ['if(is_urgent, ship_date, price)', '25 两种结果应为同类，不能一个是日期，一个是金额'],
    ["mode == 'see'", '8 \'see\' 不是“方式”的选项，是否想写 "sea"？'],
    ["status == 'draff'", '10 \'draff\' 不是“状态”的选项，是否想写 "draft"？'],
    ["sum(charges.amount, charges.kind == 'prt')", '36 \'prt\' 不是“类型”的选项，是否想写 "port"？'],
    ["buyer_id == 'x'", "12 引用不能与文本 'x' 比较，请取引用记录的字段"],
    ['mode == buyer_id.kind', '8 “方式”与“性质”没有相同的选项，不能比较'],
    ['ship_date > created_at', '12 日期不能与时间比较'],
    ["ship_date > '2026/11/20'", "12 '2026/11/20' 不是日期，应如 '2026-11-20'"],
    ["param('QTY_TOLERENCE')", '6 未知参数 "QTY_TOLERENCE"，是否想写 "QTY_TOLERANCE"？'],
    ["lookup('year_day', currency)", '7 未知的表 "year_day"，是否想写 "year_days"？'],
    ["lookup('year_days', currency, mode)", '7 表“计息年天数”需要1个键（币种），给了2个'],
    ['input.amount', '0 此处没有动作的输入，不能用 "input."'],
    ['source.amount', '0 此处没有来源单据，不能用 "source."'],
    ['above.price', '0 "above." 只能用在明细中'],
    ['user.nam', '0 未知的人员属性 "user.nam"，是否想写 "name"？'],
    ['spread(price, 1)', '0 函数 spread 逐行计算，只能用在明细的公式中'],
  ])('refuses %s', (formula, fault) => {
    expect(faultOf(formula)).toBe(fault);
  });

  it('knows what the construct adds: source, inputs and given names', () => {
    const scope: TypeScope = {
      ...head,
      source: { resource: resourceOf(catalog, 'customer'), catalog },
      inputs: { amount: expandField('amount', { type: 'money', title: '金额', currency: 'CNY' }) },
      given: { given: NUMBER },
    };
    expect(typeOf('source.name', scope)).toBe('文本');
    expect(typeOf('input.amount + given', scope)).toBe('金额');
    expect(faultOf('input.amont', scope)).toBe('0 未知的输入 "amont"，是否想写 "amount"？');
  });

  it('tells one fault once, whatever is computed from it', () => {
    expect(faultOf('round(prise * 2, 2) + sum(charges.amount)')).toBe(
      '6 未知字段 "prise"，是否想写 "price"？',
    );
  });
});
