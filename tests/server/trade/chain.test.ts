import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemCaller } from '#server/records/call/system-caller.ts';
import { insertRecord } from '#server/records/write/system-write.ts';
import { aContract, type Answer, startTradeExample, type TradeExample } from './trade-example.ts';

let example: TradeExample;
const tokens: Record<string, string> = {};

beforeAll(async () => {
  example = await startTradeExample();
  for (const [name, role] of [
    ['sp.aa', 'SP'],
    ['dm.aa', 'DM'],
    ['dm2.aa', 'DM'],
    ['tm.aa', 'TM'],
    ['sp.ae', 'SP'],
  ] as const)
    tokens[name] = await example.signIn(name, role);
}, 600_000);
afterAll(() => example.close());

type Fields = Record<string, unknown>;
const as = (who: string, method: string, path: string, body?: unknown): Promise<Answer> =>
  example.call(tokens[who] ?? '', method, path, body);

/** Does it, or says what was refused. */
async function must(answer: Promise<Answer>): Promise<Fields> {
  const done = await answer;
  expect([done.status, done.msg, done.problems]).toEqual([200, expect.any(String), []]);
  return done.data;
}

async function approve(resource: string, id: string, people: readonly string[]): Promise<void> {
  for (const person of people) {
    const state = await must(as(person, 'GET', `/approval/record/${resource}/${id}`));
    const task = state['task'] as { id: string; version: number } | null;
    expect([person, task]).toEqual([person, expect.anything()]);
    await must(
      as(person, 'POST', `/approval/${String(task?.id)}/approve`, {
        version: task?.version,
        opinion: '同意',
      }),
    );
  }
}

async function approvedContract(quantity: string): Promise<Fields> {
  const draft = await must(as('sp.aa', 'POST', '/data/export_contract', aContract(example, { quantity })));
  const id = String(draft['id']);
  await must(
    as('sp.aa', 'POST', `/data/export_contract/${id}/actions/submit`, { version: draft['version'] }),
  );
  await approve('export_contract', id, ['dm.aa', 'tm.aa']);
  return must(as('sp.aa', 'GET', `/data/export_contract/${id}`));
}

async function shipmentOf({ id }: Fields, quantity: string): Promise<Fields> {
  const contract = await must(as('sp.aa', 'GET', `/data/export_contract/${String(id)}`));
  const after = await must(
    as('sp.aa', 'POST', `/data/export_contract/${String(contract['id'])}/actions/to_shipment`, {
      version: contract['version'],
    }),
  );
  const created = after['_created'] as readonly { id: string }[];
  const made = await must(as('sp.aa', 'GET', `/data/shipment/${String(created[0]?.id)}`));
  const [line] = made['items'] as readonly Fields[];
  return must(
    as('sp.aa', 'PATCH', `/data/shipment/${String(made['id'])}`, {
      version: made['version'],
      container_type: '20GP',
      items: [{ id: line?.['id'], quantity, package_kind: '22', legal_quantity1: '500' }],
    }),
  );
}

const submitShipment = (shipment: Fields): Promise<Answer> =>
  as('sp.aa', 'POST', `/data/shipment/${String(shipment['id'])}/actions/submit`, {
    version: shipment['version'],
  });

async function line(contract: Fields): Promise<Fields> {
  const now = await must(as('sp.aa', 'GET', `/data/export_contract/${String(contract['id'])}`));
  return { ...(now['items'] as readonly Fields[])[0], status: now['status'] };
}

/** What a write was answered with is what is read after it, to the last line. */
async function isAsRead(key: string, answer: Promise<Answer>): Promise<Fields> {
  const { _created: _made, ...shown } = await must(answer);
  expect(await must(as('sp.aa', 'GET', `/data/${key}/${String(shown['id'])}`))).toEqual(shown);
  return shown;
}

describe('a document that may move by itself', () => {
  it('is answered as it is read: new, changed and handed in', async () => {
    const key = 'export_contract';
    const body: Fields = {
      ...aContract(example, { quantity: '7', unit_price: '3.3333' }),
      remark: '  两行\n备注 ',
    };
    const draft = await isAsRead(key, as('sp.aa', 'POST', `/data/${key}`, body));
    const path = `/data/${key}/${String(draft['id'])}`;
    const [first] = draft['items'] as readonly Fields[];
    const more = (body['items'] as readonly Fields[]).map((line) => ({ ...line, line_no: 2 }));
    const items = [{ id: first?.['id'], quantity: '9' }, ...more];
    const changed = await isAsRead(key, as('sp.aa', 'PATCH', path, { version: draft['version'], items }));
    expect(changed['items']).toHaveLength(2);
    const fewer = await isAsRead(
      key,
      as('sp.aa', 'PATCH', path, {
        version: changed['version'],
        items: [{ id: first?.['id'], _delete: true }],
      }),
    );
    expect(fewer['items']).toHaveLength(1);
    const { version } = fewer;
    const waiting = await isAsRead(key, as('sp.aa', 'POST', `${path}/actions/submit`, { version }));
    expect(waiting['status']).toBe('pending');
  });

  it('keeps its figures when others draw on it', async () => {
    const contract = await approvedContract('100');
    const shipment = await shipmentOf(contract, '40');
    await must(as('sp.aa', 'GET', `/data/shipment/${String(shipment['id'])}`));
    expect(await must(as('sp.aa', 'GET', `/data/shipment/${String(shipment['id'])}`))).toEqual(shipment);
  });
});

describe('a contract', () => {
  it('gets its number, totals, dollars and words from the server', async () => {
    const saved = await must(
      as(
        'sp.aa',
        'POST',
        '/data/export_contract',
        aContract(example, { quantity: '10000', unit_price: '10' }),
      ),
    );
    expect(saved).toMatchObject({
      contract_no: expect.stringMatching(/^AAWX2026\d{5}$/),
      version: 1,
      total_amount: '100000.00',
      amount_usd: '100000.00',
      amount_words: 'SAY US DOLLARS ONE HUNDRED THOUSAND ONLY',
      status: 'draft',
    });
  });

  it('is approved by two others, in order, and never by who wrote it', async () => {
    const draft = await must(
      as('sp.aa', 'POST', '/data/export_contract', aContract(example, { quantity: '10' })),
    );
    const id = String(draft['id']);
    await must(
      as('sp.aa', 'POST', `/data/export_contract/${id}/actions/submit`, { version: draft['version'] }),
    );
    const own = await must(as('sp.aa', 'GET', `/approval/record/export_contract/${id}`));
    expect(own['task']).toBeNull();
    await approve('export_contract', id, ['dm.aa', 'tm.aa']);
    const done = await must(as('sp.aa', 'GET', `/data/export_contract/${id}`));
    expect(done['status']).toBe('approved');
  });

  it('without an agreement in force on its date is refused beside the partner', async () => {
    const draft = await must(
      as('sp.aa', 'POST', '/data/export_contract', {
        ...aContract(example, { quantity: '10' }),
        sign_date: '2023-05-01',
      }),
    );
    const refused = await as('sp.aa', 'POST', `/data/export_contract/${String(draft['id'])}/actions/submit`, {
      version: draft['version'],
    });
    expect(refused.status).toBeGreaterThanOrEqual(400);
    expect(refused.problems).toContainEqual(
      expect.objectContaining({ path: 'partner_id', message: expect.stringContaining('合作协议') }),
    );
  });

  it('goes by the agreement of its day, also once the next one is in force', async () => {
    const { db } = example.services;
    const { partner, buyer, goods, sales, country } = example.masters;
    const contract = await approvedContract('10');
    const [own] = await db.query<Fields>('select * from cooperation_agreement where partner_id = $1::uuid', [
      partner,
    ]);
    const write = (key: string, values: Fields): Promise<Fields> =>
      db.transaction((tx) => insertRecord({ tx, services: example.services, caller: systemCaller(example.services, 'AA') }, key, values)); // prettier-ignore
    await db.query(`update cooperation_agreement set status = 'renewed', end_date = '2026-11-10' where id = $1`, [own?.['id']]); // prettier-ignore
    const risks = { foreign_risk_party: 'partner', goods_risk_party: 'partner', fx_party: 'partner' };
    const next = await write('cooperation_agreement', {
      ...{ partner_id: partner, agreement_type: 'agency', export_mode: 'entrusted', ...risks },
      ...{ rate_id: own?.['rate_id'], receipt_days: 180, sales_id: sales, dept_code: 'AA' },
      ...{ start_date: '2026-11-11', end_date: '2028-11-10', status: 'effective' },
    });
    const order = await write('export_order', {
      ...{ business_type: 'agency', partner_id: partner, buyer_id: buyer, sales_id: sales, dept_code: 'AA' },
      ...{ order_date: '2026-11-05', delivery_date: '2027-03-31', currency: 'USD', incoterm: 'FOB' },
      ...{ incoterm_place: 'NINGBO', payment_term: 'TT_ADV', dest_country_id: country, status: 'confirmed' },
      items: [{ goods_id: goods, unit: '007', quantity: '10', unit_price: '10' }],
    });
    const convert = `/data/export_order/${String(order['id'])}/actions/convert`;
    await must(as('sp.aa', 'POST', convert, { version: order['version'] }));
    const path = `/data/export_contract/${String(contract['id'])}`;
    const changes = { latest_shipment: '2027-04-30' };
    const { version } = await must(as('sp.aa', 'GET', path));
    const asked = { version, opinion: '客户要求', inputs: { changes } };
    expect(await must(as('sp.aa', 'POST', `${path}/actions/amend`, asked))).toMatchObject({
      status: 'pending',
    });
    await approve('export_contract', String(contract['id']), ['dm.aa', 'tm.aa']);
    const done = await must(as('tm.aa', 'GET', path));
    expect(done).toMatchObject({ ...changes, status: 'approved', agreement_id: own?.['id'] });
    await db.query(`update cooperation_agreement set is_deleted = true where id = $1`, [next['id']]);
    await db.query(`update cooperation_agreement set status = 'effective', end_date = '2030-12-31' where id = $1`, [own?.['id']]); // prettier-ignore
  });

  it('is not there for another company', async () => {
    const draft = await must(
      as('sp.aa', 'POST', '/data/export_contract', aContract(example, { quantity: '10' })),
    );
    const foreign = await as('sp.ae', 'GET', `/data/export_contract/${String(draft['id'])}`);
    expect(foreign.status).toBe(404);
    const list = await must(as('sp.ae', 'POST', '/data/export_contract/query', {}));
    expect(list['total']).toBe(0);
  });
});

describe('shipped quantities (T-02: 10,000 with 5 %)', () => {
  it('take 6,000 and 4,500, refuse one more, and come back when a shipment is cancelled', async () => {
    const contract = await approvedContract('10000');
    const first = await shipmentOf(contract, '6000');
    await must(submitShipment(first));
    await approve('shipment', String(first['id']), ['tm.aa']);
    expect(await line(contract)).toMatchObject({
      shipped_quantity: '6000.0000',
      open_quantity: '4000.0000',
      status: 'executing',
    });

    const second = await shipmentOf(contract, '4501');
    const refused = await submitShipment(second);
    expect([refused.status >= 400, refused.msg, refused.problems[0]?.path]).toEqual([
      true,
      '出运数量超过合同数量(含溢短装)',
      'items.0.quantity',
    ]);
    const [over] = second['items'] as readonly Fields[];
    const right = await must(
      as('sp.aa', 'PATCH', `/data/shipment/${String(second['id'])}`, {
        version: second['version'],
        items: [{ id: over?.['id'], quantity: '4500' }],
      }),
    );
    await must(submitShipment(right));
    await approve('shipment', String(right['id']), ['tm.aa']);
    expect(await line(contract)).toMatchObject({
      shipped_quantity: '10500.0000',
      open_quantity: '-500.0000',
    });

    const standing = await must(as('tm.aa', 'GET', `/data/shipment/${String(first['id'])}`));
    await must(
      as('tm.aa', 'POST', `/data/shipment/${String(first['id'])}/actions/cancel`, {
        version: standing['version'],
        opinion: '客户取消',
      }),
    );
    expect(await line(contract)).toMatchObject({ shipped_quantity: '4500.0000', open_quantity: '5500.0000' });
  });

  it('above what was ordered keep nobody from changing the rest of a contract, and are not ordered away', async () => {
    const contract = await approvedContract('1000');
    const shipment = await shipmentOf(contract, '1020');
    await must(submitShipment(shipment));
    await approve('shipment', String(shipment['id']), ['tm.aa']);
    const path = `/data/export_contract/${String(contract['id'])}`;
    const amend = async (changes: Fields): Promise<Answer> => {
      const { version } = await must(as('sp.aa', 'GET', path));
      return as('sp.aa', 'POST', `${path}/actions/amend`, {
        version,
        opinion: '客户要求',
        inputs: { changes },
      });
    };
    const { id } = (contract['items'] as readonly Fields[])[0] ?? {};
    const less = await amend({ items: [{ id, quantity: '999' }] });
    expect([less.status, less.problems[0]?.message]).toEqual([400, '数量不能少于已出运数量']);
    await must(amend({ buyer_po: 'PO-2' }));
  });

  it('let exactly one of two racing shipments win', async () => {
    const contract = await approvedContract('1000');
    const shipments = [await shipmentOf(contract, '1000'), await shipmentOf(contract, '1000')];
    for (const shipment of shipments) await must(submitShipment(shipment));
    const tasks = await Promise.all(
      shipments.map((shipment) =>
        must(as('tm.aa', 'GET', `/approval/record/shipment/${String(shipment['id'])}`)),
      ),
    );
    const answers = await Promise.all(
      tasks.map((state) => {
        const task = state['task'] as { id: string; version: number };
        return as('tm.aa', 'POST', `/approval/${task.id}/approve`, { version: task.version });
      }),
    );
    expect(answers.map((answer) => answer.status === 200).toSorted((a, b) => Number(a) - Number(b))).toEqual([
      false,
      true,
    ]);
    expect(answers.find((answer) => answer.status !== 200)?.msg).toBe('出运数量超过合同数量(含溢短装)');
    expect(await line(contract)).toMatchObject({ shipped_quantity: '1000.0000', open_quantity: '0.0000' });
  });
});

describe('an approved shipment', () => {
  it('changes only through a version: 变更中 until it is approved, then the new values stand', async () => {
    const contract = await approvedContract('1000');
    const draft = await shipmentOf(contract, '400');
    await must(submitShipment(draft));
    const id = String(draft['id']);
    await approve('shipment', id, ['tm.aa']);
    const approved = await must(as('sp.aa', 'GET', `/data/shipment/${id}`));
    const amended = await must(
      as('sp.aa', 'POST', `/data/shipment/${id}/actions/amend`, {
        version: approved['version'],
        opinion: '客户加单',
        inputs: { reason_kind: '客户要求' },
      }),
    );
    expect(amended['status']).toBe('amending');
    const versionId = String((amended['_created'] as readonly { id: string }[])[0]?.id);
    const version = await must(as('sp.aa', 'GET', `/data/shipment_version/${versionId}`));
    const change = (quantity: string, vers: unknown) =>
      as('sp.aa', 'PATCH', `/data/shipment_version/${versionId}`, {
        version: vers,
        reason: '客户加单',
        changes: [{ field: 'items.quantity', line_no: 1, new_value: quantity }],
      });
    const over = await change('1051', version['version']);
    expect([over.status >= 400, over.msg]).toEqual([true, '出运数量超过合同数量(含溢短装)']);
    const filled = await must(change('500', version['version']));
    expect((filled['changes'] as readonly Fields[])[0]).toMatchObject({
      old_value: '400.0000',
      _labels: { field: '商品明细：数量', old_value: '400', new_value: '500' },
    });
    await must(
      as('sp.aa', 'POST', `/data/shipment_version/${versionId}/actions/submit`, {
        version: filled['version'],
      }),
    );
    const inbox = await must(as('tm.aa', 'POST', '/approval/tasks/query', { tab: 'mine', pageSize: 200 }));
    const task = (inbox['records'] as readonly Fields[]).find((row) => row['record_id'] === versionId);
    // Whose shipment it is and what is changed of it, not 首次提交.
    expect(task).toMatchObject({ party: expect.any(String), changed: ['商品明细'] });
    await approve('shipment_version', versionId, ['tm.aa']);
    const done = await must(as('sp.aa', 'GET', `/data/shipment/${id}`));
    expect([
      done['status'],
      (done['items'] as readonly Fields[])[0]?.['quantity'],
      done['total_amount'],
    ]).toEqual(['approved', '500.0000', '5000.00']);
    expect(await line(contract)).toMatchObject({ shipped_quantity: '500.0000' });
  });

  it('is changed in words: a field by its title, a choice by what people call it', async () => {
    const shipment = await shipmentOf(await approvedContract('1000'), '400');
    await must(submitShipment(shipment));
    const id = String(shipment['id']);
    await approve('shipment', id, ['tm.aa']);
    const approved = await must(as('sp.aa', 'GET', `/data/shipment/${id}`));
    const amended = await must(
      as('sp.aa', 'POST', `/data/shipment/${id}/actions/amend`, {
        version: approved['version'],
        opinion: '改港',
        inputs: { reason_kind: '客户要求' },
      }),
    );
    const versionId = String((amended['_created'] as readonly { id: string }[])[0]?.id);
    const path = `/data/shipment_version/${versionId}`;
    const offered = await must(
      as('sp.aa', 'POST', '/lookup/shipment_version/changes.field', { keyword: '目的港' }),
    );
    expect(offered['records']).toMatchObject([{ id: 'port_dest_id', label: '目的港' }]);
    const modes = await must(as('sp.aa', 'POST', '/lookup/shipment/transport_mode', { pageSize: 50 }));
    const mode = (modes['records'] as readonly Fields[]).find(
      (one) => one['id'] !== approved['transport_mode'],
    );
    const labels = approved['_labels'] as Fields;
    const fill = async (port: unknown) =>
      as('sp.aa', 'PATCH', path, {
        version: (await must(as('sp.aa', 'GET', path)))['version'],
        reason: '改港',
        changes: [
          { field: 'port_dest_id', new_value: port },
          { field: 'transport_mode', new_value: mode?.['label'] },
        ],
      });
    expect((await fill('没有的港口')).status).toBe(400);
    const filled = await must(fill(labels['port_dest_id']));
    expect(filled['changes']).toMatchObject([
      { old_value: labels['port_dest_id'], _labels: { field: '目的港' } },
      { old_value: labels['transport_mode'], new_value: mode?.['label'] },
    ]);
    await must(as('sp.aa', 'POST', `${path}/actions/submit`, { version: filled['version'] }));
    await approve('shipment_version', versionId, ['tm.aa']);
    expect(await must(as('sp.aa', 'GET', `/data/shipment/${id}`))).toMatchObject({
      port_dest_id: approved['port_dest_id'],
      transport_mode: mode?.['id'],
    });
  });

  it('a paid shipment is not changed to less than was paid', async () => {
    const shipment = await shipmentOf(await approvedContract('1000'), '400');
    await must(submitShipment(shipment));
    const id = String(shipment['id']);
    await approve('shipment', id, ['tm.aa']);
    await example.services.db.query(
      'update shipment set written_off_amount = total_amount where id = $1::uuid',
      [id],
    );
    const approved = await must(as('sp.aa', 'GET', `/data/shipment/${id}`));
    const amended = await must(
      as('sp.aa', 'POST', `/data/shipment/${id}/actions/amend`, {
        version: approved['version'],
        opinion: '客户要求',
        inputs: { reason_kind: '客户要求' },
      }),
    );
    const versionId = String((amended['_created'] as readonly { id: string }[])[0]?.id);
    const { version } = await must(as('sp.aa', 'GET', `/data/shipment_version/${versionId}`));
    const filled = await must(
      as('sp.aa', 'PATCH', `/data/shipment_version/${versionId}`, {
        version,
        reason: '客户要求',
        changes: [{ field: 'items.quantity', line_no: 1, new_value: '300' }],
      }),
    );
    const submit = `/data/shipment_version/${versionId}/actions/submit`;
    const less = await as('sp.aa', 'POST', submit, { version: filled['version'] });
    expect([less.status, less.msg]).toEqual([400, '变更后的发票金额不能少于已收汇金额']);
  });

  it('keeps what it was when others took meanwhile what its change wanted: the last approval is refused, and may reject', async () => {
    const contract = await approvedContract('1000');
    const first = await shipmentOf(contract, '400');
    await must(submitShipment(first));
    const id = String(first['id']);
    await approve('shipment', id, ['tm.aa']);
    const approved = await must(as('sp.aa', 'GET', `/data/shipment/${id}`));
    const amended = await must(
      as('sp.aa', 'POST', `/data/shipment/${id}/actions/amend`, {
        version: approved['version'],
        opinion: '客户加单',
        inputs: { reason_kind: '客户要求' },
      }),
    );
    const versionId = String((amended['_created'] as readonly { id: string }[])[0]?.id);
    const version = await must(as('sp.aa', 'GET', `/data/shipment_version/${versionId}`));
    const filled = await must(
      as('sp.aa', 'PATCH', `/data/shipment_version/${versionId}`, {
        version: version['version'],
        reason: '客户加单',
        changes: [{ field: 'items.quantity', line_no: 1, new_value: '800' }],
      }),
    );
    await must(
      as('sp.aa', 'POST', `/data/shipment_version/${versionId}/actions/submit`, {
        version: filled['version'],
      }),
    );
    const second = await shipmentOf(contract, '600');
    await must(submitShipment(second));
    await approve('shipment', String(second['id']), ['tm.aa']);

    const state = await must(as('tm.aa', 'GET', `/approval/record/shipment_version/${versionId}`));
    const task = state['task'] as { id: string; version: number };
    const decide = (verdict: string) =>
      as('tm.aa', 'POST', `/approval/${task.id}/${verdict}`, { version: task.version, opinion: '已无余量' });
    const refused = await decide('approve');
    expect([refused.status, refused.msg]).toEqual([400, '出运数量超过合同数量(含溢短装)']);
    expect(await line(contract)).toMatchObject({ shipped_quantity: '1000.0000' });
    expect(await must(as('sp.aa', 'GET', `/data/shipment/${id}`))).toMatchObject({ status: 'amending' });
    await must(decide('reject'));
    const kept = await must(as('sp.aa', 'GET', `/data/shipment/${id}`));
    expect([kept['status'], (kept['items'] as readonly Fields[])[0]?.['quantity']]).toEqual([
      'approved',
      '400.0000',
    ]);
  });
});

describe('a party on the blacklist', () => {
  it('stops the submission beside the party', async () => {
    const { services } = example;
    const caller = systemCaller(services, 'AA');
    const entry = await services.db.transaction((tx) =>
      insertRecord({ tx, services, caller }, 'blacklist', {
        kind: 'buyer',
        name: 'Nordsee Handel',
        source: 'OFAC',
        reason: '制裁名单',
        valid_from: '2024-01-01',
        status: 'active',
      }),
    );
    const draft = await must(
      as('sp.aa', 'POST', '/data/export_contract', aContract(example, { quantity: '10' })),
    );
    const refused = await as('sp.aa', 'POST', `/data/export_contract/${String(draft['id'])}/actions/submit`, {
      version: draft['version'],
    });
    expect(refused.problems).toContainEqual(
      expect.objectContaining({ path: 'buyer_id', message: expect.stringContaining('命中黑名单，不能提交') }),
    );
    await services.db.query('update blacklist set status = $2 where id = $1', [entry['id'], 'disabled']);
  });
});
