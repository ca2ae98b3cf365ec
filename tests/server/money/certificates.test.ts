import { afterAll, beforeAll, expect, it } from 'vitest';
import { addDays, companyToday } from '#engine/values/dates.ts';
import { must, type Fields, type RulesExample, startRulesExample } from '../rules/rules-example.ts';
import { MONEY_PEOPLE, type MoneySteps, moneySteps, refusal } from './money-steps.ts';
import { movementSteps } from './movement-steps.ts';
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

it('an application whose invoice was made red gives way to another one', async () => {
  const { act, as, stored } = rules;
  const of = await movementSteps(rules, money).funded('代理开票乙A', '10000.00');
  await rules.example.services.db.query(`update shipment set status = 'shipped', atd = '2026-11-01' where id = $1::uuid`, [of.shipment]); // prettier-ignore
  const applied = async (): Promise<string> => {
    const made = await must(
      as('sp.aa', 'POST', '/data/agent_invoice_application', {
        ...{ kind: 'fee_invoice', invoice_type: '32', partner_id: of.partner, email: 'a@example.com' },
        ...{ title: '代理开票乙A', tax_no: '91330203MA7XYAA274', items: [{ shipment_id: of.shipment }] },
      }),
    );
    return String(made['id']);
  };
  const submit = (id: string) => act('sp.aa', 'agent_invoice_application', id, 'submit');
  const annul = (id: string) => act('fn.aa', 'agent_invoice_application', id, 'annul', { opinion: '开错' });
  const first = await applied();
  await must(submit(first));
  await money.approve('agent_invoice_application', first, ['fn.aa']);
  const open = [400, '申请的发票尚未作废或红冲'];
  expect(await refusal(annul(first))).toEqual(open);
  const [made] = await rules.example.services.db.query<{ id: string }>('select id from sales_invoice where application_id = $1::uuid', [first]); // prettier-ignore
  const invoice = String(made?.id);
  const { version } = await stored('sales_invoice', invoice);
  await must(as('fn.aa', 'PATCH', `/data/sales_invoice/${invoice}`, { version, invoice_number: '26332000000000000901' })); // prettier-ignore
  await must(act('fn.aa', 'sales_invoice', invoice, 'submit'));
  await money.approve('sales_invoice', invoice, ['fn2.aa']);
  expect(await refusal(annul(first))).toEqual(open);
  await must(act('fn.aa', 'sales_invoice', invoice, 'void', { inputs: { red_letter_no: '3302' } }));
  const second = await applied();
  expect((await refusal(submit(second)))[1]).toBe('该明细单已申请开票');
  await must(annul(first));
  await must(submit(second));
  await money.approve('agent_invoice_application', second, ['fn.aa']);
  expect(await stored('agent_invoice_application', first)).toMatchObject({ status: 'void' });
});
