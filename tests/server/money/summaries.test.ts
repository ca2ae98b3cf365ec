import { afterAll, beforeAll, expect, it } from 'vitest';
import { must, type RulesExample, startRulesExample } from '../rules/rules-example.ts';
import { MONEY_PEOPLE, type MoneySteps, moneySteps } from './money-steps.ts';

let rules: RulesExample;
let money: MoneySteps;

beforeAll(async () => {
  rules = await startRulesExample(MONEY_PEOPLE);
  money = await moneySteps(rules);
}, 600_000);
afterAll(() => rules.example.close());

/** A long story on a busy machine. */
const STORY = { timeout: 180_000 };

/** Type and summary of the entries that a document made in a ledger. */
async function summaries(ledger: string, id: string): Promise<readonly (readonly [string, string])[]> {
  const rows = await rules.example.services.db.query<{ entry_type: string; summary: string }>(
    `select entry_type, summary from ${ledger} where source_id = $1 order by id`,
    [id],
  );
  return rows.map(({ entry_type, summary }) => [entry_type, summary]);
}

it(
  'a statement line says who it was, what for and for which document; a mirror that it is one',
  STORY,
  async () => {
    const { stored, act, as } = rules;
    const of = await money.trader('宁波摘要甲方');
    const contract = await money.contract(of, { export_mode: 'buyout' });
    const purchase = await money.purchase(of, contract);
    const bought = { quantity: '2000', purchase_contract_id: purchase };
    const shipment = await money.shipment(of, contract, bought, { export_mode: 'buyout' });
    const receipt = await money.receipt({ gross_amount: '20000.00', payer_name: of.buyerName });
    const [receiptNo, shipmentNo, purchaseNo] = [
      String((await stored('receipt', receipt))['receipt_no']),
      String((await stored('shipment', shipment))['shipment_no']),
      String((await stored('purchase_contract', purchase))['purchase_no']),
    ];
    expect(await summaries('bank_entry', receipt)).toEqual([['receipt', `${of.buyerName} ${receiptNo}`]]);
    const split = await money.split(receipt, await money.claim(receipt, of, '20000.00'), {
      settle_rate: '7.100000',
      lines: [{ nature: 'goods', shipment_id: shipment, amount: '20000.00', settle_mode: 'spot' }],
    });
    expect(await summaries('fund_ledger_entry', split)).toEqual([
      ['RCV_SETTLE', `${of.buyerName} USD 20,000.00 × 7.1 ${shipmentNo}`],
    ]);
    // The claim and the entries of the voucher are numbered, and say what they are accounted for.
    const { db } = rules.example.services;
    const claims = await db.query(
      'select c.line_no, c.claimed_at = r.claimed_at as is_first from receipt__claims c join receipt r on r.id = c.parent_id where r.id = $1::uuid',
      [receipt],
    );
    expect(claims).toEqual([{ line_no: '1', is_first: true }]);
    const entries = await db.query<{ seq: string; aux: string }>(
      `select e.seq, e.aux from finance_voucher__entries e join finance_voucher v on v.id = e.parent_id
     where v.source_id = $1 order by e.line_order`,
      [split],
    );
    expect(entries.map(({ seq }) => Number(seq))).toEqual(entries.map((_, place) => place + 1));
    expect(entries.map(({ aux }) => aux)).toEqual(entries.map(() => `${of.buyerName} ${shipmentNo}`));
    const supplier = String((await stored('supplier', of.supplier))['name']);
    const payment = await money.payment(of, {
      pay_type: 'advance',
      purpose: '定金',
      goods_lines: [{ purchase_contract_id: purchase, amount: '10000.00' }],
    });
    await must(act('sp.aa', 'payment_request', payment, 'submit'));
    await money.pay(payment, ['dm.aa', 'tm.aa', 'fn.aa']);
    expect(await summaries('fund_ledger_entry', payment)).toEqual([
      ['PAY_ADVANCE', `${supplier} 定金 ${purchaseNo}`],
    ]);
    const payNo = String((await stored('payment_request', payment))['pay_no']);
    expect(await summaries('bank_entry', payment)).toEqual([['payment', `${supplier} 定金 ${payNo}`]]);
    const list = await must(
      as('tr.aa', 'POST', '/data/fund_ledger_entry/query', { filters: { counterparty: { eq: supplier } } }),
    );
    expect(list['records']).toMatchObject([{ summary: `${supplier} 定金 ${purchaseNo}` }]);
    await must(act('fn.aa', 'payment_request', payment, 'bounce', { opinion: '银行退回' }));
    expect((await summaries('bank_entry', payment)).at(-1)).toEqual([
      'REVERSE',
      `冲正 ${supplier} 定金 ${payNo}`,
    ]);
  },
);
