import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { companyToday } from '#engine/values/dates.ts';
import { sealEnvelope } from '#server/auth/transport-cipher.ts';
import { DEMO_AES_KEY, DEMO_PASSWORD } from '#server/kernel/config.ts';
import { hashPassword } from '#server/kernel/passwords.ts';
import { type Fields, must, type RulesExample, startRulesExample } from '../rules/rules-example.ts';
import { customsNo, readyDeclaration, release, type ShipmentSteps, shipmentSteps } from './shipment-steps.ts';

let rules: RulesExample;
let steps: ShipmentSteps;
let contract: string;
let partner: string;

const MOBILE = '13700000077';

beforeAll(async () => {
  rules = await startRulesExample({
    'sp.aa': 'SP',
    'dm.aa': 'DM',
    'tm.aa': 'TM',
    'dc.aa': 'DC',
    'fn.aa': 'FN',
    'rk.aa': 'RK',
    'gm.aa': 'GM',
  });
  steps = shipmentSteps(rules);
  const { db } = rules.example.services;
  await db.query(`update hs_code set elements = '品名;品牌类型;用途' where code = '8481804090'`, []);
  const password = await hashPassword(DEMO_PASSWORD);
  partner = await rules.aPartner();
  await db.query(
    `insert into partner__accounts (id, parent_id, co_code, line_order, mobile, name, password, status)
     values (gen_random_uuid(), $1::uuid, 'AA', 1, $2, '经办', $3, 'active')`,
    [partner, MOBILE, password],
  );
  contract = await steps.contract(partner, { payment_term: 'TT_ADV', term_days: 0 });
  await db.query(
    `update goods set element_names = '品名|品牌类型|用途', element_values = '铜阀门|无品牌|工业用' where partner_id = $1::uuid`,
    [partner],
  );
}, 300_000);
afterAll(() => rules.example.close());

/** A shipment that trade management has approved. */
async function approved(quantity: string): Promise<string> {
  const id = await steps.submitted(contract, quantity);
  await must(steps.decide('tm.aa', 'shipment', id));
  return id;
}

const of = (resource: string, shipment: string): Promise<readonly Fields[]> =>
  rules.example.services.db.query(
    `select * from ${resource} where shipment_id = $1::uuid order by created_at, id`,
    [shipment],
  );
const statesOf = async (resource: string, shipment: string): Promise<readonly unknown[]> =>
  (await of(resource, shipment)).map(({ status }) => status);
const statusOf = async (shipment: string): Promise<unknown> =>
  (await rules.stored('shipment', shipment))['status'];
const read = (who: string, resource: string, id: unknown): Promise<Fields> =>
  must(rules.as(who, 'GET', `/data/${resource}/${String(id)}`));
const declare = (id: string, action: string, inputs: Fields = {}, who = 'dc.aa') =>
  rules.act(who, 'customs_declaration', id, action, { inputs, opinion: '核对无误' });

/** A version of a shipment with one change, handed in. */
async function changed(shipment: string, change: Fields): Promise<string> {
  const inputs = { reason_kind: '数量短装' };
  const amended = await must(rules.act('sp.aa', 'shipment', shipment, 'amend', { opinion: '短装', inputs }));
  const id = (amended['_created'] as readonly { id: string }[])[0]?.id ?? '';
  const { version } = await rules.stored('shipment_version', id);
  const body = { version, reason: '工厂短装', changes: [change] };
  await must(rules.as('sp.aa', 'PATCH', `/data/shipment_version/${id}`, body));
  await must(rules.act('sp.aa', 'shipment_version', id, 'submit'));
  return id;
}

/** Trade management approves what stands in a document now. */
async function approveNow(resource: string, id: string): Promise<void> {
  const { task } = await must(rules.as('tm.aa', 'GET', `/approval/record/${resource}/${id}`));
  const { version } = await rules.stored(resource, id);
  const approve = `/approval/${String((task as Fields)['id'])}/approve`;
  await must(rules.as('tm.aa', 'POST', approve, { version, opinion: '同意' }));
}

async function sailed(shipment: string): Promise<void> {
  const { version } = await rules.stored('shipment', shipment);
  const left = { version, atd: '2026-10-02', bl_no: 'COSU9' };
  await must(rules.as('dc.aa', 'PATCH', `/data/shipment/${shipment}`, left));
  await must(rules.act('dc.aa', 'shipment', shipment, 'ship'));
}

async function quantityOf(id: string, quantity: string): Promise<void> {
  const { version, items } = await read('dc.aa', 'customs_declaration', id);
  const [line] = items as readonly Fields[];
  const amount = (Number(quantity) * 10).toFixed(2);
  await must(
    rules.as('dc.aa', 'PATCH', `/data/customs_declaration/${id}`, {
      version,
      items: [{ id: line?.['id'], quantity, amount }],
    }),
  );
}

async function pricedAt(id: string, unit_price: string, amount: string): Promise<void> {
  const { version, items } = await read('dc.aa', 'customs_declaration', id);
  const [line] = items as readonly Fields[];
  const priced = [{ id: line?.['id'], unit_price, amount }];
  await must(rules.as('dc.aa', 'PATCH', `/data/customs_declaration/${id}`, { version, items: priced }));
}

/** Asks for another price of a contract. */
async function repriced(id: string, unit_price: string): Promise<void> {
  const [line] = await rules.example.services.db.query<{ id: string }>(
    'select id from export_contract__items where parent_id = $1::uuid',
    [id],
  );
  const inputs = { changes: { items: [{ id: line?.id, unit_price }] } };
  await must(rules.act('sp.aa', 'export_contract', id, 'amend', { opinion: '客户还价', inputs }));
}

async function priceOf(shipment: string): Promise<unknown> {
  const [line] = (await read('dc.aa', 'shipment', shipment))['items'] as readonly Fields[];
  return line?.['unit_price'];
}

describe('the approval of a shipment', () => {
  it('makes one invoice and one declaration with what the shipment says, and only once', async () => {
    const shipment = await approved('600');
    const again = await steps.decide('tm.aa', 'shipment', shipment);
    expect(again.status).not.toBe(200);
    const [invoices, declarations] = [
      await of('export_invoice', shipment),
      await of('customs_declaration', shipment),
    ];
    expect([invoices.length, declarations.length]).toEqual([1, 1]);
    const source = await read('dc.aa', 'shipment', shipment);
    expect(await read('dc.aa', 'export_invoice', invoices[0]?.['id'])).toMatchObject({
      status: 'draft',
      invoice_no: source['invoice_no'],
      amount: '6000.00',
      amount_words: 'SAY US DOLLARS SIX THOUSAND ONLY',
      book_cny: '42600.00',
      contract_nos: (await rules.stored('export_contract', contract))['contract_no'],
      to_party: 'OSTSEE HANDEL GMBH\nHafenstr. 2, Hamburg',
      total_packages: 100,
      sales_id: source['sales_id'],
      items: [{ name_en: 'BRASS VALVE', quantity: '600.0000', amount: '6000.00', hs_code: '8481804090' }],
    });
    expect(await read('dc.aa', 'customs_declaration', declarations[0]?.['id'])).toMatchObject({
      status: 'draft',
      trade_term: '3',
      currency: 'USD',
      consignee: 'OSTSEE HANDEL GMBH',
      producer: (await rules.stored('partner', partner))['name'],
      packages: 100,
      net_weight: '100.0000',
      fob_usd: '6000.00',
      items: [{ item_no: 1, quantity: '600.0000', amount: '6000.00', name_spec: '铜阀门|无品牌|工业用' }],
      elements: [
        { item_no: 1, seq: 1, element: '品名', value: '铜阀门' },
        { item_no: 1, seq: 2, element: '品牌类型', value: '无品牌' },
        { item_no: 1, seq: 3, element: '用途', value: '工业用' },
      ],
    });
    const more = await rules.act('dc.aa', 'shipment', shipment, 'to_declaration');
    expect([more.status, more.msg]).toEqual([400, '明细单的商品已全部制作报关单']);
  });
});

describe('a declaration', () => {
  it('that is released lets the shipment sail, is closed afterwards, and may then not be withdrawn', async () => {
    const shipment = await approved('10');
    const id = await release(rules, shipment);
    expect(await statusOf(shipment)).toBe('declared');
    const early = await declare(id, 'close');
    expect([early.status, early.msg]).toEqual([409, '明细单出运后才能结关']);
    const sail = async (atd: string) => {
      const { version } = await rules.stored('shipment', shipment);
      await must(rules.as('dc.aa', 'PATCH', `/data/shipment/${shipment}`, { version, atd, bl_no: 'COSU9' }));
      return rules.act('dc.aa', 'shipment', shipment, 'ship');
    };
    expect((await sail('2026-09-01')).msg).toBe('实际开船日不能早于报关申报日期');
    await must(sail('2026-10-02'));
    const late = await declare(id, 'revoke', {}, 'tm.aa');
    expect([late.status, late.msg]).toEqual([
      400,
      expect.stringContaining('报关单已出运或已申报退税，不能撤单'),
    ]);
    await must(declare(id, 'close'));
    expect([await statusOf(shipment), (await rules.stored('customs_declaration', id))['status']]).toEqual([
      'shipped',
      'closed',
    ]);
  });

  it('that is withdrawn takes the shipment back', async () => {
    const shipment = await approved('10');
    const id = await release(rules, shipment);
    await must(declare(id, 'revoke', {}, 'tm.aa'));
    expect(await statusOf(shipment)).toBe('approved');
    await must(rules.act('dc.aa', 'shipment', shipment, 'to_declaration'));
    await release(rules, shipment);
    expect(await statusOf(shipment)).toBe('declared');
  });

  it('of a part leaves the shipment waiting for the rest; together they are never more than is shipped', async () => {
    const shipment = await approved('100');
    const first = await readyDeclaration(rules, shipment);
    await quantityOf(first, '60');
    await release(rules, shipment);
    expect(await statusOf(shipment)).toBe('approved');
    await must(rules.act('dc.aa', 'shipment', shipment, 'to_declaration'));
    const second = await readyDeclaration(rules, shipment);
    await quantityOf(second, '41');
    const over = await declare(second, 'send');
    expect([over.status, over.msg, over.problems[0]?.path]).toEqual([
      400,
      '报关数量与明细单数量不符',
      'items.0.quantity',
    ]);
    await quantityOf(second, '40');
    await release(rules, shipment);
    expect(await statusOf(shipment)).toBe('declared');
  });

  it('is sent by one of two who declare the same goods at once', async () => {
    const shipment = await approved('100');
    const first = await readyDeclaration(rules, shipment);
    const { items, elements: _elements, ...head } = await read('dc.aa', 'customs_declaration', first);
    const [{ shipment_line, quantity, unit, unit_price, amount, legal_quantity1, source_place_id, hs_code }] = items as readonly [Fields]; // prettier-ignore
    const names = ['shipment_id', 'exit_customs_id', 'consignee', 'transport_name', 'bl_no', 'producer', 'contract_no', 'trade_country_id', 'dest_country_id', 'dest_port_id', 'exit_port_id', 'package_kind', 'broker_id', 'declare_date']; // prettier-ignore
    const second = await must(
      rules.as('dc.aa', 'POST', '/data/customs_declaration', {
        ...Object.fromEntries(names.map((name) => [name, head[name]])),
        items: [
          { shipment_line, quantity, unit, unit_price, amount, legal_quantity1, source_place_id, hs_code },
        ],
      }),
    );
    const answers = await Promise.all([first, String(second['id'])].map((id) => declare(id, 'send')));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.find(({ status }) => status !== 200)?.msg).toBe('报关数量与明细单数量不符');
  });

  it('that customs send back lives on as a copy', async () => {
    const shipment = await approved('10');
    const id = await readyDeclaration(rules, shipment);
    await must(declare(id, 'send'));
    await must(declare(id, 'reject'));
    expect(await statesOf('customs_declaration', shipment)).toEqual(['rejected', 'draft']);
    const [, copy] = await of('customs_declaration', shipment);
    const again = await read('dc.aa', 'customs_declaration', copy?.['id']);
    expect(again['elements']).toHaveLength(3);
    // The day on which the first one was declared is not that of the second.
    expect(again['declare_date']).toBe(companyToday(rules.example.services.clock()));
  });

  it('is refused where something is missing, by whose right it is not, and from no state but its own', async () => {
    const id = await readyDeclaration(rules, await approved('1'));
    for (const [changes, path] of [
      [{ exit_customs_id: null }, 'exit_customs_id'],
      [{ trade_term: '1' }, 'freight'],
      [{ trade_term: '3', misc_fee: '5' }, 'misc_mark'],
      [{ misc_fee: null, supervision_mode: '9710' }, 'platform'],
    ] as const) {
      const { version } = await rules.stored('customs_declaration', id);
      await must(rules.as('dc.aa', 'PATCH', `/data/customs_declaration/${id}`, { version, ...changes }));
      expect((await declare(id, 'send')).problems.map((problem) => problem.path)).toContain(path);
    }
    const { version } = await rules.stored('customs_declaration', id);
    await must(
      rules.as('dc.aa', 'PATCH', `/data/customs_declaration/${id}`, { version, supervision_mode: '0110' }),
    );
    for (const [who, action, status] of [
      ['sp.aa', 'send', 403],
      ['fn.aa', 'send', 403],
      ['tm.aa', 'release', 403],
      ['dc.aa', 'discard', 403],
      ['dc.aa', 'inspect', 409],
      ['tm.aa', 'revoke', 409],
    ] as const)
      expect([who, action, (await declare(id, action, {}, who)).status]).toEqual([who, action, status]);
  });
});

describe('a change of a declared shipment', () => {
  it('waits for the change of the declaration, and the invoice follows', async () => {
    const shipment = await approved('100');
    const id = await release(rules, shipment);
    const early = await declare(id, 'amend');
    expect([early.status, early.msg]).toEqual([409, '明细单没有已提交或已生效的变更，不能改单']);
    const amended = await must(
      rules.act('sp.aa', 'shipment', shipment, 'amend', {
        opinion: '短装',
        inputs: { reason_kind: '数量短装' },
      }),
    );
    const version = (amended['_created'] as readonly { id: string }[])[0]?.id ?? '';
    const less = await rules.as('sp.aa', 'PATCH', `/data/shipment_version/${version}`, {
      version: (await rules.stored('shipment_version', version))['version'],
      reason: '工厂短装',
      changes: [{ field: 'items.packages', line_no: 1, new_value: '90' }],
    });
    await must(Promise.resolve(less));
    await must(rules.act('sp.aa', 'shipment_version', version, 'submit'));
    expect((await steps.decide('tm.aa', 'shipment_version', version)).msg).toBe(
      '已申报的内容有变更，请先完成海关改单',
    );
    await must(declare(id, 'amend'));
    // The approver looks again: the change of the declaration stands in the version now.
    expect((await rules.stored('shipment_version', version))['customs_amended']).toBe(true);
    await approveNow('shipment_version', version);
    expect(await statusOf(shipment)).toBe('declared');
    const [invoice] = await of('export_invoice', shipment);
    expect(invoice).toMatchObject({ total_packages: '90', status: 'draft' });
  });

  it('to less than was declared comes first: what was declared is typed lower afterwards, and never higher again', async () => {
    const shipment = await approved('100');
    const id = await release(rules, shipment);
    const version = await changed(shipment, { field: 'items.quantity', line_no: 1, new_value: '90' });
    await must(declare(id, 'amend'));
    await approveNow('shipment_version', version);
    expect((await read('dc.aa', 'shipment', shipment))['items']).toMatchObject([
      { quantity: '90.0000', sent_quantity: '100.0000' },
    ]);
    await sailed(shipment);
    const early = await declare(id, 'close');
    expect([early.status, early.msg, early.problems[0]?.path]).toEqual([
      400,
      '报关数量与明细单数量不符',
      'items.0.quantity',
    ]);
    await quantityOf(id, '90');
    const { version: stored, items } = await read('dc.aa', 'customs_declaration', id);
    const [line] = items as readonly Fields[];
    const more = await rules.as('dc.aa', 'PATCH', `/data/customs_declaration/${id}`, {
      version: stored,
      items: [{ id: line?.['id'], quantity: '91', amount: '910.00' }],
    });
    expect([more.status, more.msg]).toEqual([400, '报关数量与明细单数量不符']);
    await must(declare(id, 'close'));
  });
});

describe('a price that nobody has agreed to', () => {
  it('enters no shipment: its approval waits for the change of the contract', async () => {
    const shipment = await steps.submitted(contract, '10');
    await repriced(contract, '8');
    const early = await steps.decide('tm.aa', 'shipment', shipment);
    expect([early.status, early.problems[0]?.path, early.problems[0]?.message]).toEqual([
      400,
      'items.0.contract_id',
      '合同须已审核且未结束，国外客户、委托方与币种须与明细单一致',
    ]);
    await must(rules.as('sp.aa', 'POST', `/approval/record/export_contract/${contract}/withdraw`, {}));
    await must(steps.decide('tm.aa', 'shipment', shipment));
    expect((await read('dc.aa', 'shipment', shipment))['items']).toMatchObject([{ unit_price: '10.000000' }]);
  });

  it('keeps a declaration from being withdrawn, which would bring it into the shipment', async () => {
    const shipment = await approved('10');
    const id = await release(rules, shipment);
    await repriced(contract, '8');
    const early = await declare(id, 'revoke', {}, 'tm.aa');
    expect([early.status, early.msg]).toEqual([400, '外销合同的变更尚未审核通过，不能撤单']);
    await must(rules.as('sp.aa', 'POST', `/approval/record/export_contract/${contract}/withdraw`, {}));
    await must(declare(id, 'revoke', {}, 'tm.aa'));
    expect(await priceOf(shipment)).toBe('10.000000');
  });
});

describe('another price of the contract', () => {
  it('is that of no declaration of before, and of no goods that customs have at the old one', async () => {
    const own = await steps.contract(partner, { payment_term: 'TT_ADV', term_days: 0 });
    const submitted = async (): Promise<string> => {
      const id = await steps.submitted(own, '10');
      await must(steps.decide('tm.aa', 'shipment', id));
      return id;
    };
    const [drawn, sent, parted] = [await submitted(), await submitted(), await submitted()];
    await must(declare(await readyDeclaration(rules, sent), 'send'));
    await quantityOf(await readyDeclaration(rules, parted), '6');
    const part = await release(rules, parted);
    await repriced(own, '9.8');
    for (const who of ['dm.aa', 'tm.aa', 'rk.aa', 'gm.aa'])
      await must(steps.decide(who, 'export_contract', own));
    const marked = (shipment: string): Promise<string> =>
      changed(shipment, { field: 'marks', new_value: 'OSTSEE 2' });

    await must(steps.decide('tm.aa', 'shipment_version', await marked(drawn)));
    expect(await priceOf(drawn)).toBe('9.800000');
    const draft = await readyDeclaration(rules, drawn);
    const old = await declare(draft, 'send');
    const told = '成交方式与明细单相同，单价应为明细单的9.8';
    expect([old.status, old.problems[0]?.path, old.msg]).toEqual([400, 'items.0.unit_price', told]);
    await pricedAt(draft, '9.8', '98.00');
    await must(declare(draft, 'send'));

    const refused = '外销合同的单价已变更，与已申报的单价不一致，请先撤单、退单，或放行后改单';
    const versions = [await marked(sent), await marked(parted)];
    for (const version of versions)
      expect((await steps.decide('tm.aa', 'shipment_version', version)).msg).toBe(refused);
    // Customs have the new price too.
    await must(declare(part, 'amend'));
    await pricedAt(part, '9.8', '58.80');
    await approveNow('shipment_version', versions[1] ?? '');
    expect([await priceOf(sent), await priceOf(parted)]).toEqual(['10.000000', '9.800000']);
  });
});

describe('another HS code of goods', () => {
  it('is that of what is declared from then on; what was declared before keeps its code and rate', async () => {
    const { db } = rules.example.services;
    const [goods] = await db.query<{ id: string; hs_code_id: string }>(
      `select id, hs_code_id from goods where partner_id = $1::uuid`,
      [partner],
    );
    const known = await rules.stored('hs_code', goods?.hs_code_id ?? '');
    const same = ['name', 'unit1', 'vat_rate', 'elements', 'valid_from', 'status'];
    const other = await rules.given('hs_code', {
      ...Object.fromEntries(same.map((name) => [name, known[name]])),
      code: '8481809090',
      refund_rate: '9',
    });
    const useCode = (id: unknown) =>
      db.query('update goods set hs_code_id = $1::uuid where id = $2::uuid', [id, goods?.id]);
    const ofLine = async (shipment: string) => {
      const [line] = (await read('dc.aa', 'shipment', shipment))['items'] as readonly Fields[];
      return [line?.['hs_code'], line?.['refund_rate']];
    };
    const [first, second] = [await approved('10'), await approved('10')];
    const [third, fourth] = [await approved('10'), await approved('10')];
    await release(rules, first);
    const declaration = await release(rules, second);
    await useCode(other);
    try {
      // Approved before the change and declared after it: what customs released it under is what counts.
      const late = await readyDeclaration(rules, third);
      const { version, items } = await read('dc.aa', 'customs_declaration', late);
      const [item] = items as readonly Fields[];
      const codes = [{ id: item?.['id'], hs_code: '8481809090' }];
      await must(rules.as('dc.aa', 'PATCH', `/data/customs_declaration/${late}`, { version, items: codes }));
      for (const shipment of [third, fourth]) {
        await release(rules, shipment);
        await sailed(shipment);
      }
      expect(await ofLine(third)).toEqual(['8481809090', '9.0000']);
      expect(await ofLine(fourth)).toEqual(['8481804090', known['refund_rate']]);
      await sailed(first);
      expect(await ofLine(first)).toEqual(['8481804090', known['refund_rate']]);
      await must(declare(declaration, 'revoke', {}, 'tm.aa'));
      expect(await ofLine(second)).toEqual(['8481809090', '9.0000']);
    } finally {
      await useCode(goods?.hs_code_id);
    }
  });
});

describe('the elements of a declaration', () => {
  it('are those of its goods, each by its name, and none of an item that is no more', async () => {
    const id = await readyDeclaration(rules, await approved('1'));
    const save = async (values: Fields): Promise<Fields> => {
      const { version } = await rules.stored('customs_declaration', id);
      return must(rules.as('dc.aa', 'PATCH', `/data/customs_declaration/${id}`, { version, ...values }));
    };
    const told = async (): Promise<readonly (readonly string[])[]> =>
      (await declare(id, 'send')).problems
        .filter(({ path }) => path !== 'declare_date')
        .map(({ path, message }) => [path, message]);
    const { elements, items } = await read('dc.aa', 'customs_declaration', id);
    const [, brand] = elements as readonly Fields[];
    const [item] = items as readonly Fields[];
    await save({ elements: [{ id: brand?.['id'], _delete: true }] });
    expect(await told()).toEqual([['items.0.item_no', '第1项缺少申报要素，请逐项填写：品牌类型']]);
    await save({ elements: [{ item_no: 1, seq: 2, element: '品牌类型', value: '无品牌' }] });
    // Another item takes its number: those of before are nobody's.
    await save({ items: [{ id: item?.['id'], item_no: 2 }] });
    const left = '申报要素的项号1没有对应的商品项，请删除或改正';
    expect((await told()).filter(([, message]) => message === left)).toHaveLength(3);
    await save({ items: [{ id: item?.['id'], item_no: 1 }] });
    const { elements: both } = await read('dc.aa', 'customs_declaration', id);
    const twice = (both as readonly Fields[]).filter(({ item_no }) => item_no === 2);
    await save({ elements: twice.map((row) => ({ id: row['id'], _delete: true })) });
    // What was taken from other goods than the item has now.
    const other = rules.example.masters.goods;
    await rules.example.services.db.query(
      `update customs_declaration__elements set goods_id = $2::uuid where parent_id = $1::uuid and element = '用途'`,
      [id, other],
    );
    expect(await told()).toEqual([
      ['elements.1.item_no', '第1项的申报要素是另一商品的，请删除后保存，系统重新带出'],
    ]);
    const { elements: stale } = await read('dc.aa', 'customs_declaration', id);
    const fresh = await save({
      elements: (stale as readonly Fields[]).map((row) => ({ id: row['id'], _delete: true })),
    });
    expect(fresh['elements']).toMatchObject([
      { element: '品名' },
      { element: '品牌类型' },
      { element: '用途' },
    ]);
    await must(declare(id, 'send'));
  });
});

describe('a code of eight digits', () => {
  it('is completed once for its goods: the next declaration brings what customs had of it', async () => {
    const { db } = rules.example.services;
    const [goods] = await db.query<{ id: string; hs_code_id: string }>(
      `select id, hs_code_id from goods where partner_id = $1::uuid`,
      [partner],
    );
    const known = await rules.stored('hs_code', goods?.hs_code_id ?? '');
    const same = ['name', 'unit1', 'vat_rate', 'refund_rate', 'elements', 'valid_from', 'status'];
    const short = await rules.given('hs_code', {
      ...Object.fromEntries(same.map((name) => [name, known[name]])),
      code: '84818031',
    });
    const useCode = (id: unknown) =>
      db.query('update goods set hs_code_id = $1::uuid where id = $2::uuid', [id, goods?.id]);
    await useCode(short);
    try {
      const first = await approved('10');
      const draft = await readyDeclaration(rules, first);
      const refused = await declare(draft, 'send');
      expect([refused.status, refused.msg]).toEqual([400, '商品编号应为10位数字']);
      const { version, items } = await read('dc.aa', 'customs_declaration', draft);
      const [line] = items as readonly Fields[];
      expect(line?.['hs_code']).toBe('84818031');
      const completed = [{ id: line?.['id'], hs_code: '8481803190' }];
      await must(
        rules.as('dc.aa', 'PATCH', `/data/customs_declaration/${draft}`, { version, items: completed }),
      );
      // Nobody is to declare by what stands in a draft.
      const codeOf = async (shipment: string): Promise<unknown> =>
        (await read('dc.aa', 'shipment', shipment))['items'];
      expect(await codeOf(await approved('10'))).toMatchObject([
        { hs_code: '84818031', customs_code: '84818031' },
      ]);
      await must(declare(draft, 'send'));
      const second = await approved('10');
      expect(await codeOf(second)).toMatchObject([{ hs_code: '84818031', customs_code: '8481803190' }]);
      const [next] = await of('customs_declaration', second);
      const made = await read('dc.aa', 'customs_declaration', next?.['id']);
      expect(made['items']).toMatchObject([{ hs_code: '8481803190' }]);
    } finally {
      await useCode(goods?.hs_code_id);
    }
  });
});

describe('an invoice', () => {
  it('is confirmed by the clerk, opened again while nothing is declared, and void with its shipment', async () => {
    const shipment = await approved('10');
    const [invoice] = await of('export_invoice', shipment);
    const id = String(invoice?.['id']);
    const move = (who: string, action: string) =>
      rules.act(who, 'export_invoice', id, action, { opinion: '核对' });
    expect((await move('sp.aa', 'confirm')).status).toBe(403);
    await must(move('dc.aa', 'confirm'));
    expect((await move('dc.aa', 'confirm')).status).toBe(409);
    await must(move('dc.aa', 'reopen'));
    await must(rules.act('tm.aa', 'shipment', shipment, 'cancel', { opinion: '改期' }));
    expect([
      await statesOf('export_invoice', shipment),
      await statesOf('customs_declaration', shipment),
    ]).toEqual([['void'], ['withdrawn']]);
  });

  it('keeps its shipment from being cancelled once customs have the declaration', async () => {
    const shipment = await approved('10');
    const id = await readyDeclaration(rules, shipment);
    await must(declare(id, 'send'));
    await must(declare(id, 'accept', { customs_no: customsNo() }));
    const refused = await rules.act('tm.aa', 'shipment', shipment, 'cancel', { opinion: '改期' });
    expect([refused.status, refused.msg]).toEqual([
      400,
      expect.stringContaining('明细单已有后续业务，不能取消'),
    ]);
  });
});

describe('a partner', () => {
  it('sees his invoice and declaration once they are drafts no longer, and nothing of our books', async () => {
    const shipment = await approved('10');
    const login = await rules.example.call('', 'POST', '/sys/loginByAgcustMobileNo', {
      personid: MOBILE,
      password: sealEnvelope(DEMO_PASSWORD, DEMO_AES_KEY),
      isp: '1',
    });
    const token = String((login.data as Fields)['authorization']);
    const [[invoice], [declaration]] = [
      await of('export_invoice', shipment),
      await of('customs_declaration', shipment),
    ];
    const bill = String(invoice?.['id']);
    const theirs = `/data/customs_declaration/${String(declaration?.['id'])}`;
    for (const draft of [`/data/export_invoice/${bill}`, theirs])
      expect((await rules.example.call(token, 'GET', draft)).status).toBe(404);
    await release(rules, shipment);
    const paper = `/data/export_invoice/${bill}/print/invoice`;
    expect((await rules.as('dc.aa', 'GET', paper)).msg).toContain('不能打印外销发票');
    await must(rules.act('dc.aa', 'export_invoice', bill, 'confirm'));
    for (const reader of ['sp.aa', 'dc.aa'])
      expect(textOf(await must(rules.as(reader, 'GET', paper)))).toContain('SAY US DOLLARS ONE HUNDRED ONLY');
    expect(textOf(await must(rules.example.call(token, 'GET', paper)))).toContain('COMMERCIAL INVOICE');
    const seen = await must(rules.example.call(token, 'GET', `/data/export_invoice/${bill}`));
    expect(seen).toMatchObject({ amount: '100.00' });
    expect(['book_rate', 'book_cny', 'fob_cny', 'freight_cny'].filter((name) => name in seen)).toEqual([]);
    expect((await must(rules.example.call(token, 'GET', theirs)))['fob_usd']).toBe('100.00');
    expect((await rules.example.call(token, 'POST', `${theirs}/actions/send`, { version: 1 })).status).toBe(
      403,
    );
  });
});

describe('who is told', () => {
  it('documentation hears of the approval, owner and customer of the release', async () => {
    const told = await rules.example.services.db.query<{ event: string; kinds: number }>(
      `select n.event, count(distinct (p.id is null))::int as kinds from sys_notice n left join person p on p.id = n.person_id
       where n.event in ('SHIPMENT_APPROVED', 'CUSTOMS_RELEASED') group by 1 order by 1`,
      [],
    );
    expect(told).toEqual([
      { event: 'CUSTOMS_RELEASED', kinds: 2 },
      { event: 'SHIPMENT_APPROVED', kinds: 1 },
    ]);
  });
});

/** What stands on the pages of a print. */
function textOf({ pages }: Fields): string {
  return JSON.stringify(pages);
}
