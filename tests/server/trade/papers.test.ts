import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Fields, must, type RulesExample, startRulesExample } from '../rules/rules-example.ts';
import { papersSteps, type PapersSteps } from './papers-steps.ts';

let rules: RulesExample;
let steps: PapersSteps;

beforeAll(async () => {
  rules = await startRulesExample({
    'sp.aa': 'SP',
    'dm.aa': 'DM',
    'dc.aa': 'DC',
    'tm.aa': 'TM',
    'fn.aa': 'FN',
    'gm.aa': 'GM',
    'rk.aa': 'RK',
    'ad.aa': 'AD',
  });
  steps = papersSteps(rules);
}, 300_000);
afterAll(() => rules.example.close());

const read = (resource: string, id: unknown, who = 'tm.aa'): Promise<Fields> =>
  must(rules.as(who, 'GET', `/data/${resource}/${String(id)}`));
const line = (record: Fields, lines = 'items'): Fields => (record[lines] as readonly Fields[])[0] ?? {};
/** Titles of what people were told of a document, tasks aside. */
const toldOf = async (no: string): Promise<readonly unknown[]> =>
  (
    await rules.example.services.db.query<Fields>(
      `select distinct title from sys_notice where title like '%：' || $1 order by title`,
      [no],
    )
  ).map(({ title }) => title);
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
         where v.source_id = $1::text order by v.created_at, v.voucher_no, l.line_order`,
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
    // What came more than was ordered keeps nobody from changing the rest.
    const { version, items } = await read('purchase_contract', purchase);
    const path = `/data/purchase_contract/${purchase}`;
    await must(rules.as('sp.aa', 'PATCH', path, { version, remark: '多到50件' }));
    const amend = (changes: Fields) =>
      rules.act('sp.aa', 'purchase_contract', purchase, 'amend', {
        opinion: '供应商要求',
        inputs: { changes },
      });
    const terms = { delivery_date: '2026-12-31', quality_terms: '按样品', invoice_terms: '货到开票' };
    const [ordered] = items as readonly Fields[];
    const less = await amend({ ...terms, items: [{ id: ordered?.['id'], quantity: '999' }] });
    expect([less.status, less.problems[0]?.message]).toEqual([400, '数量不能少于已进仓数量']);
    await must(amend(terms));
  });

  it('is of a purchase that is not terminated under its shipments, and none sails without', async () => {
    const { purchase, shipment } = await steps.bought('100', { shipped: '100' });
    const terminate = () =>
      rules.act('tm.aa', 'purchase_contract', purchase, 'terminate', { opinion: '停产' });
    const early = await terminate();
    expect([early.status, early.msg]).toEqual([400, expect.stringContaining('存在未结算明细单，不能终止')]);
    await must(rules.act('tm.aa', 'shipment', shipment, 'cancel', { opinion: '改期' }));
    await must(terminate());
    const sailing = await steps.bought('100', { shipped: '100' });
    const { db } = rules.example.services;
    await db.query(
      `update shipment set status = 'declared', atd = '2026-11-01', bl_no = 'COSU5' where id = $1::uuid`,
      [sailing.shipment],
    );
    await db.query(`update purchase_contract set status = 'terminated' where id = $1::uuid`, [
      sailing.purchase,
    ]);
    const refused = await rules.act('dc.aa', 'shipment', sailing.shipment, 'ship');
    expect([refused.status, refused.msg]).toEqual([
      400,
      expect.stringContaining('采购合同已终止或作废，不能出运'),
    ]);
  });

  it('keeps the purchase line that it moved when its shipment is bought otherwise later', async () => {
    const { purchase, shipment } = await steps.bought('100', { shipped: '60' });
    await enter(purchase, '100');
    const out = await steps.entry({ doc_type: 'out', shipment, quantity: '60' });
    await must(submit(out));
    await must(steps.decide('tm.aa', 'warehouse_entry', out));
    const { db } = rules.example.services;
    const other = await steps.bought('100');
    await db.query(
      `update shipment__items set purchase_line = (select id from purchase_contract__items where parent_id = $2::uuid)
       where parent_id = $1::uuid`,
      [shipment, other.purchase],
    );
    const { version } = await rules.stored('warehouse_entry', out);
    await must(rules.as('dc.aa', 'PATCH', `/data/warehouse_entry/${out}`, { version, remark: '补注' }));
    expect((await stockOf(purchase))[2]).toBe('40.0000');
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
    await steps.paid(purchase);
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

it('a shipment lacks a declaration for the sum of its lines', async () => {
  const { masters } = rules.example;
  const { contract } = await steps.bought('100');
  const [line] = await rules.example.services.db.query<{ id: string }>('select id from export_contract__items where parent_id = $1::uuid', [contract]); // prettier-ignore
  const item = { contract_id: contract, contract_line: line?.id, goods_id: masters.goods, unit: '007' };
  const id = await rules.given('shipment', {
    ...{ business_type: 'agency', partner_id: masters.partner, buyer_id: masters.buyer, currency: 'USD' },
    ...{ export_mode: 'entrusted', status: 'approved' },
    items: [
      { ...item, quantity: '30' },
      { ...item, quantity: '20' },
    ],
  });
  expect((await rules.stored('shipment', id))['uncovered']).toBe('50.0000');
});

describe('a document submission', () => {
  const sailed = { atd: '2025-03-10', bl_no: 'COSU25', invoice_date: '2025-03-01', payment_term: 'LC_SIGHT' };
  const create = async (shipment: string, values: Fields) =>
    rules.as('sp.aa', 'POST', '/data/document_submission', {
      shipment_id: shipment,
      bank_id: await steps.bank(),
      docs: [{ doc_kind: '商业发票', required: false, originals: 3, copies: 3 }],
      ...values,
    });
  const submitted = async (shipment: string, values: Fields) => {
    const id = String((await must(create(shipment, values)))['id']);
    return { id, answer: await rules.act('sp.aa', 'document_submission', id, 'submit') };
  };
  const approved = async (shipment: string, values: Fields): Promise<string> => {
    const { id, answer } = await submitted(shipment, values);
    expect([answer.status, answer.msg]).toEqual([200, expect.any(String)]);
    for (const who of ['dc.aa', 'tm.aa']) await must(steps.decide(who, 'document_submission', id));
    return id;
  };
  const send = async (id: string) => {
    const { version } = await rules.stored('document_submission', id);
    await must(
      rules.as('dc.aa', 'PATCH', `/data/document_submission/${id}`, { version, bank_ref: 'BP25001' }),
    );
    return rules.act('dc.aa', 'document_submission', id, 'send');
  };
  const writeOff = (shipment: string, amount: string) =>
    must(rules.act('rk.aa', 'shipment', shipment, 'write_off', { opinion: '银行扣费', inputs: { amount } }));

  it('draws on the credit up to its amount and tolerance, until its dates, and ends with the money (T-08)', async () => {
    const credit = await steps.credit();
    await expect(
      steps.bought('20000', {
        shipped: '10500.001',
        shipment: { ...sailed, lc_id: credit, status: 'shipped' },
      }),
    ).rejects.toThrow('交单金额超过信用证可用金额');
    const { shipment } = await steps.bought('20000', {
      shipped: '10500',
      shipment: { ...sailed, lc_id: credit, status: 'shipped' },
    });
    const late = await submitted(shipment, { amount: '60000.00', submit_date: '2025-03-29' });
    expect([late.answer.status, late.answer.msg, late.answer.problems[0]?.path]).toEqual([
      400,
      '交单日期超过信用证交单期或有效期',
      'submit_date',
    ]);
    const first = await approved(shipment, { amount: '60000.00', submit_date: '2025-03-28' });
    expect(await read('document_submission', first)).toMatchObject({
      submission_kind: 'lc',
      due_date: '2025-03-28',
    });
    expect((await read('shipment', shipment))['submission_status']).toBe('approved');
    await must(send(first));
    expect(await read('letter_of_credit', credit)).toMatchObject({
      status: 'presented',
      drawn_amount: '60000.00',
      left_amount: '45000.00',
      presentations: [{ amount: '60000.00', present_date: '2025-03-28' }],
    });
    const more = await submitted(shipment, { amount: '45000.01', submit_date: '2025-03-20' });
    expect([more.answer.status, more.answer.msg]).toEqual([400, '交单金额超过发票金额']);
    const second = await approved(shipment, { submit_date: '2025-03-20', amount: '45000.00' });
    expect((await read('shipment', shipment))['submission_status']).toBe('approved');
    await must(send(second));
    await writeOff(shipment, '60000.00');
    const states = async () => [
      await statusOf('document_submission', first),
      await statusOf('document_submission', second),
      await statusOf('letter_of_credit', credit),
    ];
    expect(await states()).toEqual(['settled', 'sent', 'presented']);
    await writeOff(shipment, '45000.00');
    expect(await states()).toEqual(['settled', 'settled', 'paid']);
    const { submission_no } = await rules.stored('document_submission', second);
    expect(await toldOf(String(submission_no))).toEqual(
      expect.arrayContaining([`交单待审：${String(submission_no)}`, `单据已寄出：${String(submission_no)}`]),
    );
    const close = () => rules.act('dc.aa', 'letter_of_credit', credit, 'close');
    expect((await close()).msg).toBe('还有交单在使用该信用证，不能闭卷');
    for (const { id } of [late, more])
      await must(rules.act('sp.aa', 'document_submission', id, 'void', { opinion: '重复' }));
    expect((await close()).msg).toBe('存在未结交单，不能闭卷');
  });

  it.each([
    ['2025-03-15', false],
    ['2025-03-16', true],
  ])('of goods that sail on %s is too late for the credit: %s (T-08, 44C)', async (atd, isLate) => {
    const lc_id = await steps.credit();
    const { shipment } = await steps.bought('100', {
      shipped: '100',
      shipment: { ...sailed, atd, lc_id },
    });
    const { db } = rules.example.services;
    await db.query(`update shipment set status = 'declared' where id = $1::uuid`, [shipment]);
    const answer = await rules.act('dc.aa', 'shipment', shipment, 'ship');
    const told = [answer.msg, ...(answer.problems ?? []).map(({ message }) => message)];
    expect(told.includes('装运日期晚于信用证最迟装运期')).toBe(isLate);
    expect(await statusOf('shipment', shipment)).toBe(isLate ? 'declared' : 'shipped');
  });

  it('needs a credit that lives: goods and papers keep it open, and a closed one takes neither', async () => {
    const { db } = rules.example.services;
    const credit = await steps.credit({ status: 'examined' });
    const { shipment } = await steps.bought('100', {
      shipped: '100',
      shipment: { ...sailed, lc_id: credit },
    });
    const setState = (resource: string, id: string, status: string) =>
      db.query(`update ${resource} set status = $2 where id = $1::uuid`, [id, status]);
    const closing = () => rules.act('dc.aa', 'letter_of_credit', credit, 'close');
    expect((await closing()).msg).toBe('还有明细单在使用该信用证，不能闭卷');
    await setState('letter_of_credit', credit, 'amending');
    const early = await submitted(shipment, { amount: '1000.00', submit_date: '2025-03-20' });
    expect(early.answer.problems.map(({ message }) => message)).toEqual([
      expect.stringMatching(/^信用证LC\d+正在改证，不能交单$/),
    ]);
    await setState('letter_of_credit', credit, 'paid');
    await setState('shipment', shipment, 'shipped');
    expect((await closing()).msg).toBe('还有交单在使用该信用证，不能闭卷');
    await setState('letter_of_credit', credit, 'closed');
    const late = await rules.act('sp.aa', 'document_submission', early.id, 'submit');
    expect(late.msg).toMatch(/^信用证LC\d+已闭卷，不能交单$/);
    await setState('shipment', shipment, 'declared');
    const ship = await rules.act('dc.aa', 'shipment', shipment, 'ship');
    expect([ship.status, ship.msg]).toEqual([
      400,
      expect.stringContaining('已闭卷或已撤销，请改用其他信用证'),
    ]);
  });

  it('is not late on the first working day after a last day without banks (UCP 29)', async () => {
    const credit = await steps.credit({ expiry_date: '2025-03-29' });
    const { shipment } = await steps.bought('100', {
      shipped: '100',
      shipment: { ...sailed, lc_id: credit },
    });
    const late = await submitted(shipment, { amount: '1000.00', submit_date: '2025-04-01' });
    expect(late.answer.msg).toBe('交单日期超过信用证交单期或有效期');
    const monday = await submitted(shipment, { amount: '1000.00', submit_date: '2025-03-31' });
    expect(monday.answer.status).toBe(200);
    expect((await read('document_submission', monday.id))['due_date']).toBe('2025-03-31');
    // At the place of the credit that Monday is a holiday.
    const country_id = rules.example.masters.country;
    await rules.given('calendar_day', { date: '2025-03-31', country_id, kind: 'rest', name: '银行休息' });
    await rules.example.services.definitions.refreshOverrides();
    const abroad = await steps.credit({ expiry_date: '2025-03-29', expiry_country_id: country_id });
    const other = await steps.bought('100', { shipped: '100', shipment: { ...sailed, lc_id: abroad } });
    const tuesday = await submitted(other.shipment, { amount: '1000.00', submit_date: '2025-04-01' });
    expect(tuesday.answer.status).toBe(200);
    expect((await read('document_submission', tuesday.id))['due_date']).toBe('2025-04-01');
  });

  it.each([
    [true, '105', '105.0001'],
    [false, '100', '100.0001'],
  ])(
    'draws on a credit whose five per cent are %s up to %s pieces (UCP 30b)',
    async (isTolerant, most, over) => {
      const { db } = rules.example.services;
      const { contract } = await steps.bought('100');
      await db.query('update export_contract set more_less = 10 where id = $1::uuid', [contract]);
      const [line] = await db.query<{ id: string }>('select id from export_contract__items where parent_id = $1::uuid', [contract]); // prettier-ignore
      const lc_id = await steps.credit({
        contract_id: contract,
        qty_tolerance: isTolerant,
        tolerance_plus: null,
      });
      const ship = (quantity: string) =>
      rules.given('shipment', {
        ...{ business_type: 'agency', partner_id: rules.example.masters.partner, buyer_id: rules.example.masters.buyer, currency: 'USD' },
        ...{ payment_term: 'LC_SIGHT', lc_id, export_mode: 'entrusted', status: 'approved' },
        items: [{ contract_id: contract, contract_line: line?.id, goods_id: rules.example.masters.goods, unit: '007', quantity }],
      }); // prettier-ignore
      await expect(ship(over)).rejects.toThrow('装运数量超过信用证允许数量');
      await ship(most);
    },
  );

  it('of two at once for the same invoice is one', async () => {
    const { shipment } = await steps.bought('100', { shipped: '100', shipment: { bl_no: 'COSU1' } });
    const drafts = await Promise.all(
      ['600.00', '600.00'].map((amount) => must(create(shipment, { amount }))),
    );
    const answers = await Promise.all(
      drafts.map(({ id }) => rules.act('sp.aa', 'document_submission', String(id), 'submit')),
    );
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 400]);
    expect(answers.find(({ status }) => status !== 200)?.msg).toBe('交单金额超过发票金额');
  });

  it('asks for its papers, for the right people and the right state; what is sent back is void at will', async () => {
    const { shipment } = await steps.bought('100', { shipped: '100', shipment: { bl_no: 'COSU1' } });
    const usual = await must(create(shipment, { docs: [] }));
    expect((usual['docs'] as readonly Fields[]).map((doc) => doc['doc_kind'])).toEqual([
      '商业发票',
      '装箱单',
      '提单',
    ]);
    expect(usual).toMatchObject({ amount: '1000.00', submission_kind: 'direct' });
    const bare = await rules.act('sp.aa', 'document_submission', String(usual['id']), 'submit');
    expect(bare.problems.map(({ path }) => path)).toContain('docs.0.file');
    const { id } = await submitted(shipment, { amount: '1000.00' });
    for (const [who, action, status] of [
      ['sp.aa', 'send', 403],
      ['fn.aa', 'submit', 403],
      ['dc.aa', 'send', 409],
      ['dc.aa', 'settle', 403],
      ['sp.aa', 'void', 409],
    ] as const)
      expect([
        who,
        action,
        (await rules.act(who, 'document_submission', id, action, { opinion: '否' })).status,
      ]).toEqual([who, action, status]);
    await must(steps.decide('dc.aa', 'document_submission', id, 'reject'));
    expect((await read('shipment', shipment))['submission_status']).toBe('returned');
    await must(rules.act('sp.aa', 'document_submission', id, 'void', { opinion: '重做' }));
    expect((await read('shipment', shipment))['submission_status']).toBe('draft');
  });
});

describe('a logistics order', () => {
  it('goes from the booking to the arrival and writes the departure where the shipment has none', async () => {
    const { shipment } = await steps.bought('100');
    const made = await must(rules.act('dc.aa', 'shipment', shipment, 'to_logistics'));
    const id = (made['_created'] as readonly { id: string }[])[0]?.id ?? '';
    const act = (action: string, inputs: Fields = {}, who = 'dc.aa') =>
      rules.act(who, 'logistics_order', id, action, { inputs, opinion: '改期' });
    const save = async (values: Fields) => {
      const { version } = await rules.stored('logistics_order', id);
      return rules.as('dc.aa', 'PATCH', `/data/logistics_order/${id}`, { version, ...values });
    };
    expect((await act('book')).problems.map(({ path }) => path)).toEqual(['forwarder_id']);
    await must(save({ forwarder_id: await steps.forwarder(), vessel_voyage: 'JADE VOYAGER/12E' }));
    for (const who of ['fn.aa', 'tm.aa']) expect((await act('book', {}, who)).status).toBe(403);
    await must(act('book'));
    expect((await act('load')).status).toBe(409);
    await must(act('confirm', { so_no: 'SO1' }));
    expect((await act('load')).msg).toBe('请先填写柜号');
    const container = { type: '40HQ', container_no: 'CSQU3054384' };
    expect((await save({ containers: [container] })).status).toBe(400);
    await must(save({ containers: [{ ...container, container_no: 'CSQU3054383' }] }));
    expect((await read('logistics_order', id))['teu']).toBe('2.00');
    for (const action of ['load', 'gate_in']) await must(act(action));
    expect((await act('cancel')).status).toBe(409);
    await must(act('depart', { atd: '2026-11-01', bl_no: 'COSU77' }));
    expect(await read('shipment', shipment)).toMatchObject({
      status: 'approved',
      atd: '2026-11-01',
      bl_no: 'COSU77',
      vessel: 'JADE VOYAGER',
      voyage: '12E',
    });
    const { logistics_no } = await rules.stored('logistics_order', id);
    expect(await toldOf(String(logistics_no))).toEqual([`已配舱：${String(logistics_no)}`]);
    await must(act('arrive', { ata: '2026-11-10' }));
    expect(await statusOf('logistics_order', id)).toBe('arrived');
  });
});

describe('an archive', () => {
  it('is made with the end of a shipment, complete when shut, lent once at a time and kept its years', async () => {
    const { shipment } = await steps.bought('100');
    const booked = await must(rules.act('dc.aa', 'shipment', shipment, 'to_logistics'));
    const order = (booked['_created'] as readonly { id: string }[])[0]?.id ?? '';
    await must(rules.act('tm.aa', 'shipment', shipment, 'cancel', { opinion: '订单取消' }));
    // Space that is booked for goods that do not leave is given back.
    expect(await statusOf('logistics_order', order)).toBe('cancelled');
    const [made] = await rules.example.services.db.query<{ id: string }>(
      'select id from file_archive where shipment_id = $1::uuid',
      [shipment],
    );
    const id = made?.id ?? '';
    const act = (action: string, inputs: Fields = {}, who = 'dc.aa') =>
      rules.act(who, 'file_archive', id, action, { inputs, opinion: '到期' });
    const { files, version, destroy_date } = await read('file_archive', id);
    expect([(files as readonly Fields[]).map((file) => file['file_kind']), destroy_date]).toEqual([
      ['合同'],
      null,
    ]);
    expect((await act('archive', { archived_date: '2026-11-01' })).msg).toBe(
      '必需的文件不齐（合同），不能归档',
    );
    const full = (files as readonly Fields[]).map((file) => ({ id: file['id'], copies: 1 }));
    await must(rules.as('dc.aa', 'PATCH', `/data/file_archive/${id}`, { version, files: full }));
    expect((await act('archive', {}, 'sp.aa')).status).toBe(403);
    await must(act('archive', { archived_date: '2026-11-01' }));
    expect([
      (await read('shipment', shipment))['archived'],
      (await read('file_archive', id))['destroy_date'],
    ]).toEqual([true, '2036-11-01']);
    const loan = { borrower_id: await rules.idOf('fn.aa'), due_date: '2030-01-01' };
    await must(act('borrow', loan));
    expect((await act('borrow', loan)).status).toBe(409);
    await must(act('give_back'));
    expect(line(await read('file_archive', id), 'loans')['return_date']).not.toBeNull();
    expect((await act('destroy', {}, 'gm.aa')).msg).toBe('保管期未满，不能销毁');
  });
});

describe('a file template', () => {
  it('has versions by its code and one default for a document and language', async () => {
    const create = (values: Fields, who = 'tm.aa') =>
      rules.as(who, 'POST', '/data/file_template', {
        code: 'INV',
        name: '商业发票',
        resource: 'shipment',
        lang: 'en',
        body: '<p>INVOICE</p>',
        ...values,
      });
    expect((await must(create({ is_default: true })))['version_no']).toBe(1);
    expect((await must(create({})))['version_no']).toBe(2);
    expect((await create({ is_default: true })).problems[0]?.message).toBe(
      '同一单据、同一语言只能有一个默认模板',
    );
    expect((await create({ body: null })).problems.map(({ path }) => path)).toEqual(['body']);
    expect((await create({}, 'sp.aa')).status).toBe(403);
  });
});

describe('a print', () => {
  const PAGES = '/print/commercial_invoice';
  interface Mark {
    readonly kind: string;
    readonly text?: string;
  }
  const textsOf = (data: Fields): readonly string[] =>
    (data['pages'] as readonly (readonly Mark[])[])
      .flat()
      .flatMap(({ text }) => (text === undefined ? [] : [text]));

  it('is what its template says, on pages and as a PDF', async () => {
    const { shipment } = await steps.bought('1000', { shipped: '400' });
    const stored = await read('shipment', shipment, 'sp.aa');
    const data = await must(rules.as('sp.aa', 'GET', `/data/shipment/${shipment}${PAGES}`));
    const texts = textsOf(data);
    expect(texts).toEqual(
      expect.arrayContaining([
        'COMMERCIAL INVOICE',
        '商业发票',
        String(stored['invoice_no']),
        'TOTAL',
        '400',
        '1 / 1',
      ]),
    );
    expect(texts.join(' ')).toMatch(/SAY US DOLLARS [A-Z ]+ ONLY/);
    expect([data['missing'], data['name']]).toEqual([[], `商业发票 ${String(stored['shipment_no'])}`]);
    const pdf = await fetch(`${rules.example.url}/erp/api/data/shipment/${shipment}${PAGES}/pdf`, {
      headers: { authorization: `Bearer ${await rules.example.signIn('sp.aa', 'SP')}` },
    });
    expect([pdf.status, pdf.headers.get('content-type'), pdf.headers.get('cache-control')]).toEqual([
      200,
      'application/pdf',
      'no-store',
    ]);
    expect(
      Buffer.from(await pdf.arrayBuffer())
        .subarray(0, 5)
        .toString(),
    ).toBe('%PDF-');
  });

  it('is refused to whoever may not print, for what is none, and when its condition does not hold', async () => {
    const { purchase, shipment } = await steps.bought('1000', { shipped: '400' });
    const entry = await steps.entry({ doc_type: 'in', purchase, quantity: '10' });
    const asked = async (who: string, path: string) => (await rules.as(who, 'GET', `/data/${path}`)).status;
    expect(await asked('gm.aa', `payment_request/${shipment}/print/slip`)).toBe(403);
    expect(await asked('sp.aa', `shipment/${purchase}${PAGES}`)).toBe(404);
    expect(await asked('sp.aa', `shipment/${shipment}/print/none`)).toBe(404);
    const out = await rules.as('dc.aa', 'GET', `/data/warehouse_entry/${entry}/print/entry_out`);
    expect([out.status, out.msg]).toEqual([409, expect.stringContaining('不能打印出仓单')]);
    expect(await asked('dc.aa', `warehouse_entry/${entry}/print/entry_in`)).toBe(200);
  });

  it('of a template that is being written is a specimen, which needs no right on its records', async () => {
    const at = '/prints/shipment/commercial_invoice';
    const list = await rules.as('ad.aa', 'GET', '/prints');
    expect(list.data).toContainEqual({
      ...{ resource: 'shipment', resourceTitle: '明细单', id: 'commercial_invoice', title: '商业发票' },
      ...{ template: 'commercial-invoice', isOwn: false },
    });
    const { text } = await must(rules.as('ad.aa', 'GET', `${at}/template`));
    const preview = (who: string, body: Fields) => rules.as(who, 'POST', `${at}/preview`, body);
    const good = await must(preview('ad.aa', { text }));
    expect(textsOf(good['print'] as Fields)).toEqual(
      expect.arrayContaining(['COMMERCIAL INVOICE', '发票号', '样张', 'TOTAL']),
    );
    const bad = await must(preview('ad.aa', { text: String(text).replace('{invoice_no}', '{invoice_nr}') }));
    expect([bad['print'], bad['faults']]).toEqual([
      null,
      [expect.stringMatching(/^第 \d+ 行第 \d+ 列：.*invoice_nr/)],
    ]);
    const other = JSON.stringify({ ...(JSON.parse(String(text)) as object), resource: 'no_such' });
    expect((await must(preview('ad.aa', { text: other })))['print']).toBeNull();
    for (const [method, path, body] of [
      ['GET', '/prints', undefined],
      ['GET', `${at}/template`, undefined],
      ['POST', `${at}/preview`, { text }],
    ] as const)
      expect((await rules.as('sp.aa', method, path, body)).status).toBe(403);
    expect((await rules.as('ad.aa', 'GET', '/prints/shipment/none/template')).status).toBe(404);
  });

  it('stands for every print of the shipped definitions', async () => {
    const { resources } = rules.example.services.definitions.catalog();
    const { prints } = rules.example.services.definitions.setup();
    const named = Object.values(resources).flatMap(({ print }) => print.map(({ template }) => template));
    expect(new Set(named)).toEqual(new Set(Object.keys(prints)));
    expect(named.length).toBeGreaterThan(15);
  });
});
