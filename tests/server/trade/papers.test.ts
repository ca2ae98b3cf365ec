import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Fields, must, type RulesExample, startRulesExample } from '../rules/rules-example.ts';
import { papersSteps, type PapersSteps } from './papers-steps.ts';

let rules: RulesExample;
let steps: PapersSteps;

beforeAll(async () => {
  rules = await startRulesExample({
    'sp.aa': 'SP',
    'dc.aa': 'DC',
    'tm.aa': 'TM',
    'fn.aa': 'FN',
    'gm.aa': 'GM',
  });
  steps = papersSteps(rules);
}, 300_000);
afterAll(() => rules.example.close());

const read = (resource: string, id: unknown, who = 'tm.aa'): Promise<Fields> =>
  must(rules.as(who, 'GET', `/data/${resource}/${String(id)}`));
const line = (record: Fields, lines = 'items'): Fields => (record[lines] as readonly Fields[])[0] ?? {};
const statusOf = async (resource: string, id: string): Promise<unknown> =>
  (await rules.stored(resource, id))['status'];

describe('a warehouse entry', () => {
  /** Entered and approved by trade management. */
  const enter = async (purchase: string, quantity: string): Promise<string> => {
    const id = await steps.entry({ doc_type: 'in', purchase, quantity });
    await must(rules.act('dc.aa', 'warehouse_entry', id, 'submit'));
    await must(steps.decide('tm.aa', 'warehouse_entry', id));
    return id;
  };
  const submit = (id: string) => rules.act('dc.aa', 'warehouse_entry', id, 'submit');
  const voids = (id: string, who = 'tm.aa') =>
    rules.act(who, 'warehouse_entry', id, 'void', { opinion: '重开' });
  const stockOf = async (purchase: string): Promise<readonly unknown[]> => {
    const contract = await read('purchase_contract', purchase);
    const { entered_quantity, stock } = line(contract);
    return [contract['status'], entered_quantity, stock];
  };
  const vouchersOf = async (id: string): Promise<readonly unknown[]> =>
    (
      await rules.example.services.db.query<Fields>(
        `select v.event_code as event, l.debit, l.credit from finance_voucher v join finance_voucher__entries l on l.parent_id = v.id
         where v.source_id = $1::uuid order by v.created_at, v.voucher_no, l.line_order`,
        [id],
      )
    ).map(({ event, debit, credit }) => [event, debit, credit]);

  it('fills the stock of a purchase line, which issues and returns draw on, with their vouchers', async () => {
    const { purchase, shipment } = await steps.bought('1000', { shipped: '400' });
    const made = await must(rules.act('sp.aa', 'purchase_contract', purchase, 'to_entry'));
    const [form] = made['_created'] as readonly { id: string }[];
    const id = form?.id ?? '';
    expect(await read('warehouse_entry', id)).toMatchObject({
      doc_type: 'in',
      entry_no: expect.stringMatching(/^AAJC2026/) as string,
      items: [{ quantity: '1000.0000', unit_price: '11.300000', amount: '11300.00', net_amount: '10000.00' }],
    });
    expect((await submit(id)).problems.map(({ path }) => path).toSorted()).toEqual([
      'inspector',
      'items.0.packages',
    ]);
    await steps.complete(id);
    await must(submit(id));
    expect(await stockOf(purchase)).toEqual(['executing', '0.0000', '0.0000']);
    await must(steps.decide('tm.aa', 'warehouse_entry', id));
    expect(await stockOf(purchase)).toEqual(['executing', '1000.0000', '1000.0000']);
    const out = await steps.entry({ doc_type: 'out', shipment, quantity: '400' });
    await must(submit(out));
    expect(await stockOf(purchase)).toEqual(['executing', '1000.0000', '600.0000']);
    await must(steps.decide('tm.aa', 'warehouse_entry', out));
    expect(await statusOf('warehouse_entry', out)).toBe('issued');
    const back = await steps.entry({ doc_type: 'return', purchase, quantity: '100' });
    await must(submit(back));
    await must(steps.decide('tm.aa', 'warehouse_entry', back));
    expect(await stockOf(purchase)).toEqual(['executing', '900.0000', '500.0000']);
    expect([await vouchersOf(id), await vouchersOf(out), await vouchersOf(back)]).toEqual([
      [
        ['STOCK_IN', '10000.00', null],
        ['STOCK_IN', null, '10000.00'],
      ],
      [],
      [
        ['STOCK_RETURN', '1000.00', null],
        ['STOCK_RETURN', null, '1000.00'],
      ],
    ]);
    expect((await voids(id)).msg).toContain('出仓数量超过库存数量');
    await must(voids(back));
    expect(await stockOf(purchase)).toEqual(['executing', '1000.0000', '600.0000']);
    expect(await vouchersOf(back)).toHaveLength(4);
    const cancel = await rules.act('tm.aa', 'shipment', shipment, 'cancel', { opinion: '改期' });
    expect(cancel.msg).toContain('明细单已有后续业务，不能取消');
  });

  it('takes what was ordered and the tolerance, and no more', async () => {
    const { purchase } = await steps.bought('1000');
    await enter(purchase, '1000');
    const over = await steps.entry({ doc_type: 'in', purchase, quantity: '50.0001' });
    const refused = await submit(over);
    expect([refused.status, refused.msg, refused.problems[0]?.path]).toEqual([
      400,
      '进仓数量超过采购数量(含溢短装)',
      'items.0.quantity',
    ]);
    await enter(purchase, '50');
  });

  it('lets one of two have the last of the stock', async () => {
    const { purchase, shipment } = await steps.bought('100', { shipped: '100' });
    await enter(purchase, '100');
    const out = await steps.entry({ doc_type: 'out', shipment, quantity: '60' });
    const back = await steps.entry({ doc_type: 'return', purchase, quantity: '60' });
    const answers = await Promise.all([submit(out), submit(back)]);
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 400]);
    expect(answers.find(({ status }) => status !== 200)?.msg).toBe('出仓数量超过库存数量');
  });

  it('stays while invoices or payments rest on it, and completes the purchase with them', async () => {
    const { purchase } = await steps.bought('100');
    const id = await enter(purchase, '100');
    await steps.invoiced(purchase, '1000.00');
    const refused = await voids(id);
    expect([refused.status, refused.msg]).toEqual([400, '已回票、已报关或已付款，不能作废']);
    expect(await statusOf('purchase_contract', purchase)).toBe('executing');
    await steps.paid(purchase, '1130.00');
    expect(await statusOf('purchase_contract', purchase)).toBe('completed');
  });

  it('is refused in a wrong state, by a wrong role and for a contract that is not signed', async () => {
    const { purchase } = await steps.bought('100', { status: 'approved' });
    const early = await steps.tryEntry({ doc_type: 'in', purchase, quantity: '1' });
    expect([early.status, early.problems[0]?.message]).toEqual([400, '采购合同须已签约且未完成']);
    const signed = await steps.bought('100');
    const id = await steps.entry({ doc_type: 'in', purchase: signed.purchase, quantity: '1' });
    for (const [who, action, status] of [
      ['fn.aa', 'submit', 403],
      ['dc.aa', 'void', 403],
      ['dc.aa', 'issue', 403],
    ] as const)
      expect([
        who,
        action,
        (await rules.act(who, 'warehouse_entry', id, action, { opinion: '否' })).status,
      ]).toEqual([who, action, status]);
    await must(submit(id));
    expect((await voids(id)).status).toBe(409);
    const forced = await rules.act('sp.aa', 'purchase_contract', signed.purchase, 'force_complete', {
      opinion: '尾数',
    });
    expect(forced.status).toBe(403);
  });
});
