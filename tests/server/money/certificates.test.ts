import { afterAll, beforeAll, expect, it } from 'vitest';
import { addDays, companyToday } from '#engine/values/dates.ts';
import { must, type Fields, type RulesExample, startRulesExample } from '../rules/rules-example.ts';
import { MONEY_PEOPLE, type MoneySteps, moneySteps } from './money-steps.ts';
import { refundSteps } from './refund-steps.ts';

let rules: RulesExample;
let money: MoneySteps;

beforeAll(async () => {
  rules = await startRulesExample({ ...MONEY_PEOPLE, 'dc.aa': 'DC' });
  money = await moneySteps(rules);
}, 600_000);
afterAll(() => rules.example.close());

const TODAY = companyToday(new Date());

it('report 36 tells by when the certificate of an entrusted export is due, until it is there', async () => {
  const of = await money.trader('代理证明甲A');
  const contract = await money.contract(of);
  const shipment = await money.shipment(
    of,
    contract,
    { quantity: '100' },
    { atd: '2026-02-10', bl_no: 'COSU1' },
  );
  const { declaration } = await refundSteps(rules, money).released(
    { net: '1000.00', exportDate: '2026-02-10' },
    { shipment },
  );
  await must(rules.act('dc.aa', 'customs_declaration', declaration, 'close'));
  const application = await must(
    rules.as('sp.aa', 'POST', '/data/agent_invoice_application', {
      ...{ kind: 'export_cert', partner_id: of.partner, email: 'a@example.com' },
      ...{ title: '代理证明甲A', tax_no: '91330203MA7XYAA274', items: [{ shipment_id: shipment }] },
    }),
  );
  expect(application['cert_due']).toBe('2027-04-15');
  const row = async (): Promise<Fields | undefined> => {
    const params = { as_of: TODAY, ahead: '400', partner: [of.partner] };
    const result = await must(rules.as('fn.aa', 'POST', '/report/36/run', { params }));
    const rows = result['rows'] as readonly Fields[];
    return rows.find((line) => JSON.stringify(line).includes(String(application['app_no'])));
  };
  expect(JSON.stringify(await row())).toContain('2027-04-15');
  await rules.example.services.db.query(
    `update agent_invoice_application set cert_no = 'ZM1', cert_date = $2 where id = $1::uuid`,
    [application['id'], addDays(TODAY, -1)],
  );
  expect(await row()).toBeUndefined();
});
