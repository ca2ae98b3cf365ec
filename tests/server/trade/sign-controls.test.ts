import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Fields, type RulesExample, startRulesExample } from '../rules/rules-example.ts';
import { aContract } from './trade-example.ts';

let rules: RulesExample;
beforeAll(async () => {
  rules = await startRulesExample({ 'sp.aa': 'SP', 'tm.aa': 'TM' });
  await rules.given('currency', { code: 'CNY', name: '人民币', symbol: '¥', decimals: 2, status: 'active' });
}, 600_000);
afterAll(() => rules.example.close());

const parties = { foreign_risk_party: 'partner', goods_risk_party: 'partner', fx_party: 'partner' };

async function draft(key: string, values: Fields): Promise<string> {
  const made = await rules.as('sp.aa', 'POST', `/data/${key}`, values);
  expect([made.status, made.problems]).toEqual([200, []]);
  return String(made.data['id']);
}

async function submitted(key: string, id: string): Promise<readonly unknown[]> {
  const { status, problems } = await rules.act('sp.aa', key, id, 'submit');
  const errors = problems.filter((problem) => !('level' in problem) || problem.level !== 'warning');
  return [status, errors.map(({ path, message }) => [path, message])];
}

async function setParameter(name: string, value: string): Promise<void> {
  const { services } = rules.example;
  await services.db.query(`update system_default set value = $2 where param = $1`, [name, value]);
  await services.definitions.refreshOverrides();
}

async function levelsOf(key: string, id: string): Promise<readonly string[]> {
  const state = await rules.as('tm.aa', 'GET', `/approval/record/${key}/${id}`);
  return (state.data['steps'] as unknown as readonly { title: string }[]).map(({ title }) => title);
}

it('no contract is submitted before the deposit of its agreement is paid, unless the company only warns', async () => {
  const { masters } = rules.example;
  const agreement = await rules.given('cooperation_agreement', {
    partner_id: masters.partner,
    agreement_type: 'agency',
    export_mode: 'entrusted',
    start_date: '2026-01-01',
    end_date: '2028-12-31',
    deposit_required: '20000.00',
    receipt_days: 180,
    ...parties,
    sales_id: masters.sales,
    dept_code: 'AA',
    status: 'effective',
  });
  const short = (amount: string) =>
    rules.example.services.db.query('update cooperation_agreement set deposit_short = $2 where id = $1', [
      agreement,
      amount,
    ]);
  const contract = () => draft('export_contract', aContract(rules.example, { quantity: '100' }));
  expect((await rules.stored('cooperation_agreement', agreement))['deposit_short']).toBe('20000.00');
  await short('0.01');
  const first = await contract();
  const refusal = [400, [['partner_id', '协议保证金未缴足，不能签约']]];
  expect(await submitted('export_contract', first)).toEqual(refusal);
  await setParameter('DEPOSIT_FREE_AMOUNT', '10000000');
  expect(await submitted('export_contract', first)).toEqual([200, []]);
  await setParameter('DEPOSIT_FREE_AMOUNT', '0');
  const second = await contract();
  expect(await submitted('export_contract', second)).toEqual(refusal);
  await setParameter('DEPOSIT_CHECK', '0');
  expect(await submitted('export_contract', second)).toEqual([200, []]);
  await setParameter('DEPOSIT_CHECK', '1');
  await short('0.00');
  expect(await submitted('export_contract', await contract())).toEqual([200, []]);
});

it.each([
  ['at the company’s risk', { ...parties, ...risk('company') }, ['客服或贸管审核']],
  [
    'at the partner’s risk',
    { ...parties, deviation_reason: '客户指定' },
    ['贸管审核', '风控审核', '总经理审核'],
  ],
])('a bought-out trade %s is agreed by its levels', async (_, changes, levels) => {
  const id = await agreementDraft(changes);
  expect(await submitted('cooperation_agreement', id)).toEqual([200, []]);
  expect(await levelsOf('cooperation_agreement', id)).toEqual(levels);
});

it('a company may bar bought-out trade at the partner’s risk', async () => {
  await setParameter('BUYOUT_RISK', '1');
  const id = await agreementDraft({ ...parties, deviation_reason: '客户指定' });
  expect(await submitted('cooperation_agreement', id)).toEqual([
    400,
    [['foreign_risk_party', '公司不接受由委托方承担风险的买断出口']],
  ]);
});

function risk(party: string): Fields {
  return { foreign_risk_party: party, goods_risk_party: party, fx_party: party };
}

async function agreementDraft(changes: Fields): Promise<string> {
  const partner = await rules.aPartner({ status: 'active' });
  const rate = await rules.given('partner_rate', {
    partner_id: partner,
    export_mode: 'buyout',
    fee_basis: 'per_usd',
    fee_rate: '0.05',
    vat_included: true,
    valid_from: '2024-01-01',
    status: 'active',
  });
  return draft('cooperation_agreement', {
    partner_id: partner,
    agreement_type: 'agency',
    export_mode: 'buyout',
    start_date: '2026-11-01',
    end_date: '2028-10-31',
    rate_id: rate,
    receipt_days: 180,
    ...changes,
  });
}
