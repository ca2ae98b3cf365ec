import { beforeAll, describe, expect, it } from 'vitest';
import { evaluate } from '#engine/expression/evaluate.ts';
import { parseExpression } from '#engine/expression/parse-expression.ts';
import { typeExpression } from '#engine/expression/type-expression.ts';
import type { TypeScope } from '#engine/expression/type-scope.ts';
import { NUMBER, typeTitle } from '#engine/expression/value-type.ts';
import { computeRecord } from '#engine/record/compute-record.ts';
import type { FieldDefinition, ResourceDefinition } from '#engine/schema/definition.ts';
import { expandField } from '#engine/schema/expand-resource.ts';
import { registerTradeFunctions } from '#trade/formula-functions.ts';
import { context, resourceOf } from '../engine/schema/example-files.ts';
import { aCatalog } from '../support/definitions.ts';

beforeAll(registerTradeFunctions);

const cny = (formula?: string): FieldDefinition => ({ type: 'money', title: '金额', currency: 'CNY', ...(formula === undefined ? {} : { formula }) }); // prettier-ignore
const date: FieldDefinition = { type: 'date', title: '日期' };
const text: FieldDefinition = { type: 'text', title: '文本' };
const yes: FieldDefinition = { type: 'boolean', title: '是否' };
const percent: FieldDefinition = { type: 'percent', title: '比例', scale: 6 };
const decimal: FieldDefinition = { type: 'decimal', title: '数', scale: 6 };
const to = (target: string): FieldDefinition => ({ type: 'reference', title: '引用', to: target });
const options = (...values: readonly string[]): FieldDefinition => ({ type: 'text', title: '选项', options: Object.fromEntries(values.map((value) => [value, value])) }); // prettier-ignore
const lines = (fields: Readonly<Record<string, FieldDefinition>>): FieldDefinition => ({ type: 'lines', title: '明细', fields }); // prettier-ignore
const master = (resource: string, fields: Readonly<Record<string, FieldDefinition>>): ResourceDefinition => ({ resource, title: resource, kind: 'master', label: 'id', fields }); // prettier-ignore

const catalog = aCatalog(
  master('partner_rate', { fee_basis: options('per_usd', 'pct_cny', 'per_shipment', 'pct_fob'), fee_rate: decimal, max_fee: cny(), rebate_service_rate: percent }),
  master('shipment', { fee_sum: cny(), fob_cny: cny(), fx_party: options('company', 'partner'), invoice_date: date, atd: date, term_days: { type: 'integer', title: '天数' }, items: lines({ contract_id: to('contract') }), written_off_amount: cny() }),
  master('contract', { due_base: options('发票日', '出运日'), project_id: text, more_less: percent, items: lines({ quantity: decimal, shipped_quantity: decimal, supplier_id: text }) }),
  master('scheme', { progressive: yes, tiers: lines({ from_amount: cny(), rate: percent }) }),
  master('statement', { base_amount: cny(), previous_id: to('statement'), scheme_id: to('scheme'), lines: lines({ profit: cny(), factor: decimal, base: cny('round(profit * factor, 2)'), is_reversed: yes }) }),
  master('financing', { amount_cny: cny(), daily_rate: percent, start_date: date, due_date: date, repayments: lines({ principal: cny(), interest: cny(), penalty: cny(), repay_date: date, due_date: date }) }),
  master('split', {
    currency: options('USD', 'CNY', 'EUR'), split_date: date, settle_rate: decimal, bank_charge_cny: cny(), rate_id: to('partner_rate'),
    lines: lines({
      shipment_id: to('shipment'),
      amount: { type: 'money', title: '金额', currency: 'parent.currency' },
      settle_mode: options('spot', 'hold', 'none'),
      repay_financing: yes,
      amount_usd: cny("round(amount * rate(parent.currency, 'usd_cross', parent.split_date), 2)"),
      amount_cny: cny("if(settle_mode == 'spot', round(amount * if(shipment_id.fx_party == 'company', rate(parent.currency, 'book', parent.split_date), parent.settle_rate), 2), null)"),
      fee_cny: cny('spread(parent.bank_charge_cny, amount)'),
      agency_fee: cny('agency_fees(parent.rate_id.fee_basis, parent.rate_id.fee_rate, parent.rate_id.max_fee, parent.lines.shipment_id, coalesce(shipment_id.fee_sum, 0), amount_usd, amount_cny, shipment_id.fob_cny)'),
    }),
  }),
); // prettier-ignore

function scopeOf(name: string, more: { readonly lines?: string; readonly source?: string } = {}): TypeScope {
  const resource = resourceOf(catalog, name);
  return {
    place: { resource, catalog, lines: more.lines },
    dictionaries: {},
    ...(more.source === undefined ? {} : { source: { resource: resourceOf(catalog, more.source), catalog } }),
    inputs: { amount: expandField('amount', cny()) },
    given: { given: NUMBER },
  };
}

const rate = (_: string, kind: string): string => (kind === 'usd_cross' ? '1' : '7.1');

describe('the formulas of the worked examples', () => {
  it.each([
    ['split', 'sum(lines.amount_cny, lines.repay_financing)', '金额'],
    ['shipment', "addDays(if(first(items.contract_id.due_base) == '发票日', invoice_date, atd), coalesce(term_days, 0))", '日期'],
    ['shipment', 'coalesce(written_off_amount, 0) + input.amount', '金额'],
    ['contract', 'max(items.shipped_quantity)', '数字'],
    ['contract', "if(project_id == null, 'partner', 'project')", '文本'],
    ['contract', 'first(items.supplier_id)', '文本'],
    ['statement', 'sum(lines.base) + min(coalesce(previous_id.base_amount, 0), 0)', '金额'],
    ['statement', 'tiers(max(base_amount, 0), scheme_id.tiers.from_amount, scheme_id.tiers.rate, scheme_id.progressive)', '金额'],
    ['statement', 'base_amount - sum(lines.base, lines.is_reversed)', '金额'],
  ] as const)('of %s: %s is %s', (name, formula, title) => {
    const { type, faults } = typeExpression(parseExpression(formula), scopeOf(name));
    expect(faults).toEqual([]);
    expect(typeTitle(type)).toBe(title);
  }); // prettier-ignore

  it.each([
    ['split', 'lines', 'agency_fee'],
    ['split', 'lines', 'amount_usd'],
    ['split', 'lines', 'amount_cny'],
    ['statement', 'lines', 'base'],
  ] as const)('%s.%s.%s has the type of its field', (name, own, column) => {
    const formula = resourceOf(catalog, name).fields[own]?.fields?.[column]?.formula ?? '';
    const { type, faults } = typeExpression(parseExpression(formula), scopeOf(name, { lines: own }));
    expect(faults).toEqual([]);
    expect(typeTitle(type)).toBe('金额');
  });

  it('what a repayment takes of a split is typed and computed (T-06)', () => {
    const formula = 'pay_off(amount_cny, daily_rate, start_date, due_date, source.split_date, 1.5, 0, repayments.repay_date, repayments.principal, repayments.interest, repayments.penalty, repayments.due_date)';
    expect(typeExpression(parseExpression(formula), scopeOf('financing', { source: 'split' })).faults).toEqual([]);
    const financing = resourceOf(catalog, 'financing');
    const source = { resource: resourceOf(catalog, 'split'), catalog, record: { split_date: '2025-04-11' }, context: context() };
    const row = { repay_date: '2025-03-02', principal: '97546.24', interest: '2453.76', penalty: '0.00', due_date: '2025-04-01' };
    const record = { amount_cny: '227200.00', daily_rate: '0.018000', start_date: '2025-01-01', due_date: '2025-04-01', repayments: [row] };
    expect(evaluate(parseExpression(formula), { resource: financing, catalog, record, context: context(), source })).toBe('130703.96');
  }); // prettier-ignore

  it('a split knows its fees, with the cap of each shipment (T-01, T-03)', () => {
    const split = resourceOf(catalog, 'split');
    const record = {
      currency: 'USD', split_date: '2026-03-01', settle_rate: '7.112000', bank_charge_cny: '100.00', rate_id: 'r',
      _paths: { 'rate_id.fee_basis': 'per_usd', 'rate_id.fee_rate': '0.05', 'rate_id.max_fee': '4000.00' },
      lines: [
        { shipment_id: 's', amount: '50000.00', settle_mode: 'spot', _paths: { 'shipment_id.fee_sum': '-1000.00' } },
        { shipment_id: 's', amount: '20000.00', settle_mode: 'hold', _paths: { 'shipment_id.fee_sum': '-1000.00' } },
        { shipment_id: 't', amount: '1000.00', settle_mode: 'spot', _paths: { 'shipment_id.fx_party': 'company' } },
      ],
    }; // prettier-ignore
    const computed = computeRecord(split, record, {
      resource: split,
      catalog,
      record,
      context: context({ rate }),
    });
    expect(computed['lines']).toMatchObject([
      { agency_fee: '2500.00', amount_cny: '355600.00', fee_cny: '70.42' },
      { agency_fee: '500.00', amount_cny: null, fee_cny: '28.17' },
      { agency_fee: '50.00', amount_cny: '7100.00', fee_cny: '1.41' },
    ]);
  });
});
