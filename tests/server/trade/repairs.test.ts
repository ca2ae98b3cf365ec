import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemCaller } from '#server/records/call/system-caller.ts';
import { insertRecord, updateRecordFields } from '#server/records/write/system-write.ts';
import { AppError } from '#server/kernel/errors.ts';
import { limitCases } from './limit-cases.ts';
import { aContract, type Answer, startTradeExample, type TradeExample } from './trade-example.ts';

type Fields = Record<string, unknown>;

let example: TradeExample;
const tokens: Record<string, string> = {};
/** Masters that these tests add to the example's. */
const own: Record<string, string> = {};

beforeAll(async () => {
  example = await startTradeExample();
  for (const [name, role] of [
    ['sp.aa', 'SP'],
    ['dm.aa', 'DM'],
    ['tm.aa', 'TM'],
    ['fn.aa', 'FN'],
    ['dc.aa', 'DC'],
  ] as const)
    tokens[name] = await example.signIn(name, role);
  const { masters } = example;
  own['agreement'] = await insert('cooperation_agreement', {
    partner_id: masters.partner,
    agreement_type: 'agency',
    export_mode: 'buyout',
    start_date: '2024-01-01',
    end_date: '2030-12-31',
    receipt_days: 180,
    foreign_risk_party: 'company',
    goods_risk_party: 'company',
    fx_party: 'company',
    status: 'effective',
  });
  await insert('currency', { code: 'JPY', name: '日元', symbol: '¥', decimals: 0, status: 'active' });
  for (const [kind, rate] of [
    ['book', '0.048000'],
    ['usd_cross', '0.006700'],
  ])
    await insert('currency_rate', { currency: 'JPY', kind, date: '2024-01-01', rate, source: '手工' });
  await example.services.definitions.refreshOverrides();
}, 600_000);
afterAll(() => example.close());

async function insert(key: string, values: Fields): Promise<string> {
  const { services } = example;
  const caller = systemCaller(services, 'AA');
  const saved = await services.db.transaction((tx) => insertRecord({ tx, services, caller }, key, values));
  return String(saved['id']);
}

async function change(key: string, id: unknown, fields: Fields): Promise<Fields> {
  const { services } = example;
  const caller = systemCaller(services, 'AA');
  return services.db.transaction((tx) =>
    updateRecordFields({ tx, services, caller }, key, { id: String(id), fields }),
  );
}

const as = (who: string, method: string, path: string, body?: unknown): Promise<Answer> =>
  example.call(tokens[who] ?? '', method, path, body);

async function must(answer: Promise<Answer>): Promise<Fields> {
  const done = await answer;
  expect([done.status, done.msg, done.problems]).toEqual([200, expect.any(String), []]);
  return done.data;
}

const read = (who: string, key: string, id: unknown): Promise<Fields> =>
  must(as(who, 'GET', `/data/${key}/${String(id)}`));

async function act(
  who: string,
  key: string,
  id: unknown,
  action: string,
  more: Fields = {},
): Promise<Answer> {
  const { version } = await read(who, key, id);
  return as(who, 'POST', `/data/${key}/${String(id)}/actions/${action}`, { version, ...more });
}

async function contractOf(
  line: { quantity: string; unit_price?: string },
  head: Fields = {},
): Promise<Fields> {
  const body = { ...aContract(example, line), ...head };
  return must(as('sp.aa', 'POST', '/data/export_contract', body));
}

/** A contract in a state, past its approval. */
async function standing(
  line: { quantity: string; unit_price?: string },
  status: string,
  head: Fields = {},
): Promise<Fields> {
  const draft = await contractOf(line, head);
  await change('export_contract', draft['id'], { status });
  return read('sp.aa', 'export_contract', draft['id']);
}

const lineOf = (record: Fields): Fields => (record['items'] as readonly Fields[])[0] ?? {};

async function purchaseOf(contract: Fields, quantity: string, head: Fields = {}): Promise<Fields> {
  return must(
    as('sp.aa', 'POST', '/data/purchase_contract', {
      business_type: 'agency',
      export_contract_id: contract['id'],
      supplier_id: example.masters.supplier,
      sign_date: '2026-11-02',
      delivery_date: '2026-12-31',
      delivery_place: '宁波',
      advance_ratio: '0',
      payment_terms: 'on_receipt',
      quality_terms: '按样品',
      invoice_terms: '10日内开票',
      ...head,
      items: [
        {
          export_line: lineOf(contract)['id'],
          goods_id: example.masters.goods,
          quantity,
          unit: '007',
          unit_price: '50',
        },
      ],
    }),
  );
}

async function shipmentOf(
  contract: Fields,
  quantity: string,
  fields: Fields = {},
  line: Fields = {},
): Promise<Fields> {
  const after = await must(act('sp.aa', 'export_contract', contract['id'], 'to_shipment'));
  const made = after['_created'] as readonly Fields[];
  const draft = await read('sp.aa', 'shipment', made[0]?.['id']);
  return must(
    as('sp.aa', 'PATCH', `/data/shipment/${String(draft['id'])}`, {
      version: draft['version'],
      container_type: '20GP',
      ...fields,
      items: [{ id: lineOf(draft)['id'], quantity, package_kind: '22', legal_quantity1: '500', ...line }],
    }),
  );
}

const BUYOUT = { export_mode: 'buyout' };

describe('twenty documents at once', () => {
  const insert = (key: string, fields: Fields): Promise<Fields> => {
    const { services } = example;
    const caller = systemCaller(services, 'AA');
    return services.db.transaction((tx) =>
      insertRecord({ tx, services, caller, created: [] }, key, { ...fields }),
    );
  };

  it('take of every limit of quantities and numbers exactly what fits, and the others are told why', async () => {
    const found: unknown[] = [];
    const cases = limitCases(example.masters);
    for (const { of, fields, by, draw, moved } of cases) {
      const head = await insert(of, fields);
      const [line] = (head['items'] ?? []) as readonly Fields[];
      const document = draw(String(head['id']), String(line?.['id']));
      const each = Array.from({ length: 20 });
      const drafts = moved === undefined ? [] : await Promise.all(each.map(() => insert(by, document)));
      const ends = await Promise.allSettled(
        moved === undefined
          ? each.map(() => insert(by, document))
          : drafts.map(({ id }) => change(by, id, { ...moved })),
      );
      const refused = ends.flatMap((end) => (end.status === 'rejected' ? [end.reason as unknown] : []));
      const told = refused.map((error) => (error instanceof AppError ? error.message : String(error)));
      found.push([of, by, ends.length - refused.length, [...new Set(told)]]);
    }
    expect(found).toEqual(cases.map(({ of, by, fit, message }) => [of, by, fit, [message]]));
  });
});

describe('the lines of a shipment', () => {
  it('take price and purchase amount from their contracts, and the VAT of the purchase, whatever the HS code says', async () => {
    const contract = await standing({ quantity: '1000' }, 'approved', BUYOUT);
    const purchase = await purchaseOf(contract, '1000', { vat_rate: '3' });
    await change('purchase_contract', purchase['id'], { status: 'signed' });
    const shipment = await shipmentOf(contract, '1000', {}, { purchase_contract_id: purchase['id'] });
    const expected = {
      unit_price: '10.000000',
      purchase_amount: '50000.00',
      purchase_net: '48543.69',
      purchase_vat: '1456.31',
      vat_rate: '3.0000',
      refund_rate: '3.0000',
      expected_refund: '1456.31',
      hs_code: '8481804090',
    };
    expect(lineOf(shipment)).toMatchObject(expected);
    await change('shipment', shipment['id'], { status: 'approved' });
    expect(lineOf(await read('sp.aa', 'shipment', shipment['id']))).toMatchObject(expected);
    const bought = await read('sp.aa', 'purchase_contract', purchase['id']);
    expect([lineOf(bought)['shipped_quantity'], bought['status']]).toEqual(['1000.0000', 'executing']);
  });

  it('have no other price than the contract', async () => {
    const contract = await standing({ quantity: '10' }, 'approved');
    const draft = await shipmentOf(contract, '10');
    const refused = await as('sp.aa', 'PATCH', `/data/shipment/${String(draft['id'])}`, {
      version: draft['version'],
      items: [{ id: lineOf(draft)['id'], unit_price: '99' }],
    });
    expect(refused.problems).toEqual([expect.objectContaining({ path: 'items.0.unit_price' })]);
  });

  it('take the price that their contract was changed to with a version while they are approved, never at sea', async () => {
    const contract = await standing({ quantity: '1000' }, 'approved');
    const shipment = await shipmentOf(contract, '1000');
    await change('shipment', shipment['id'], { status: 'approved' });
    const repriced = async (unit_price: string): Promise<unknown> => {
      const [line] = (await read('sp.aa', 'export_contract', contract['id']))['items'] as readonly Fields[];
      return change('export_contract', contract['id'], { items: [{ ...line, unit_price }] });
    };
    const prices: unknown[] = [];
    const after = async (...statuses: readonly string[]): Promise<void> => {
      for (const status of statuses) await change('shipment', shipment['id'], { status });
      const now = await read('sp.aa', 'shipment', shipment['id']);
      prices.push([lineOf(now)['unit_price'], now['total_amount']]);
    };
    await repriced('9.8');
    await after();
    await after('amending', 'approved');
    await repriced('9.7');
    await after('shipped', 'amending', 'shipped');
    expect(prices).toEqual([
      ['10.000000', '10000.00'],
      ['9.800000', '9800.00'],
      ['9.800000', '9800.00'],
    ]);
  });
});

describe('purchases of one contract', () => {
  it('and its shipments take in what is still open, in place of what they took before', async () => {
    const contract = await standing({ quantity: '1000' }, 'approved', BUYOUT);
    const typed = await purchaseOf(contract, '600', { vat_rate: '13' });
    const took = await must(act('sp.aa', 'purchase_contract', typed['id'], 'take_lines'));
    const lines = took['items'] as readonly Fields[];
    expect(lines.map(({ quantity, export_line }) => [quantity, export_line])).toEqual([
      ['600.0000', lineOf(contract)['id']],
      ['1000.0000', lineOf(contract)['id']],
    ]);
    const again = await must(act('sp.aa', 'purchase_contract', typed['id'], 'take_lines'));
    expect((again['items'] as readonly Fields[]).map(({ id }) => id)).toEqual(lines.map(({ id }) => id));
    const shipment = await shipmentOf(contract, '400');
    const shipped = await must(act('sp.aa', 'shipment', shipment['id'], 'take_lines'));
    expect((shipped['items'] as readonly Fields[]).map(({ quantity }) => quantity)).toEqual(['1000.0000']);
  });

  it('are handed in while the contract is in force, and not for one that was terminated since', async () => {
    const contract = await standing({ quantity: '1000' }, 'approved', BUYOUT);
    const draft = await purchaseOf(contract, '600', { vat_rate: '13' });
    await change('export_contract', contract['id'], { status: 'terminated' });
    const refused = await act('sp.aa', 'purchase_contract', draft['id'], 'submit');
    expect([refused.status, refused.problems[0]?.path, refused.msg]).toEqual([
      400,
      'export_contract_id',
      '外销合同须已审核且未结束',
    ]);
    await change('export_contract', contract['id'], { status: 'executing' });
    await must(act('sp.aa', 'purchase_contract', draft['id'], 'submit'));
  });

  it('submitted at once, 600 and 600 against 1,000: exactly one passes', async () => {
    const contract = await standing({ quantity: '1000' }, 'approved', { ...BUYOUT, more_less: '0' });
    const drafts = [
      await purchaseOf(contract, '600', { vat_rate: '13' }),
      await purchaseOf(contract, '600', { vat_rate: '13' }),
    ];
    const answers = await Promise.all(
      drafts.map(({ id, version }) =>
        as('sp.aa', 'POST', `/data/purchase_contract/${String(id)}/actions/submit`, { version }),
      ),
    );
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 400]);
    expect(answers.find(({ status }) => status !== 200)?.msg).toBe('采购数量超过外销合同数量(含溢短装)');
  });
});

describe('the owner of a record', () => {
  it('is the salesperson of its partner, not who typed it', async () => {
    const dc = await must(
      as('dc.aa', 'POST', '/data/letter_of_credit', {
        business_type: 'agency',
        partner_id: example.masters.partner,
        lc_no: 'LC1',
        currency: 'USD',
        amount: '1000.00',
      }),
    );
    expect(dc['sales_id']).toBe(example.masters.sales);
  });
});

describe('amounts in yen', () => {
  it('are whole, rounded once', async () => {
    const account = await insert('company_bank_account', {
      account_name: '试验公司',
      account_no: '77',
      currency: 'JPY',
      status: 'active',
    });
    const head = { currency: 'JPY', bank_account_id: account };
    // 100.495 is 100: rounded to cents first it would be 100.50 and then 101.
    const contract = await contractOf({ quantity: '1', unit_price: '100.495' }, head);
    expect([lineOf(contract)['amount'], contract['total_amount']]).toEqual(['100.00', '100.00']);
  });

  it('of a letter of credit are floored: 9,999,999 with 5 % is 10,499,998', async () => {
    const lc = await insert('letter_of_credit', {
      lc_no: 'JP1',
      currency: 'JPY',
      amount: '9999999',
      tolerance_plus: 5,
    });
    expect((await read('tm.aa', 'letter_of_credit', lc))['max_amount']).toBe('10499998.00');
  });
});

describe('a letter of credit', () => {
  it('takes no second shipment where 43P allows none', async () => {
    const lc = await insert('letter_of_credit', {
      lc_no: 'ONE',
      partner_id: example.masters.partner,
      buyer_id: example.masters.buyer,
      currency: 'USD',
      amount: '100000',
      partial_shipments: 'NOT_ALLOWED',
      status: 'examined',
    });
    const ship = async (): Promise<unknown> => {
      const contract = await standing({ quantity: '10' }, 'approved');
      const draft = await shipmentOf(contract, '10');
      return change('shipment', draft['id'], { lc_id: lc, payment_term: 'LC_SIGHT', status: 'approved' });
    };
    await ship();
    await expect(ship()).rejects.toThrow('信用证不允许分批装运');
  });
});

describe('who is named in words', () => {
  it('is looked for on the blacklist: consignee and notify party', async () => {
    await insert('blacklist', {
      kind: 'buyer',
      name: 'Shadow Shipping Ltd',
      source: 'OFAC',
      reason: '制裁',
      valid_from: '2024-01-01',
      status: 'active',
    });
    const contract = await standing({ quantity: '10' }, 'approved');
    const draft = await shipmentOf(contract, '10', { notify_party: 'SHADOW SHIPPING\nPIER 9' });
    const refused = await act('sp.aa', 'shipment', draft['id'], 'submit');
    expect(refused.problems).toContainEqual(
      expect.objectContaining({ path: 'notify_party', message: expect.stringContaining('命中黑名单') }),
    );
  });
});

describe('goods of an HS code whose rate has changed', () => {
  it('are bought and estimated by the rate of today', async () => {
    const { masters, services } = example;
    const version = { code: '8481804999', name: '其他阀门', unit1: '035', vat_rate: '13', status: 'active' };
    const before = { ...version, refund_rate: '13', valid_from: '2023-01-01', valid_to: '2026-10-31' };
    const ended = await insert('hs_code', before);
    await insert('hs_code', { ...version, refund_rate: '9', valid_from: '2026-11-01' });
    const [goods] = await services.db.query<Fields>('select hs_code_id from goods where id = $1', [
      masters.goods,
    ]);
    await change('goods', masters.goods, { hs_code_id: ended });
    const contract = await standing({ quantity: '10' }, 'approved', BUYOUT);
    const purchase = await purchaseOf(contract, '10');
    expect(lineOf(purchase)).toMatchObject({ refund_rate: '9.0000', refund: '39.82' });
    await change('goods', masters.goods, { hs_code_id: goods?.['hs_code_id'] });
    const owned = { sales_id: masters.sales, dept_code: 'AA' };
    const ownGoods = await insert('goods', {
      ...{
        ...owned,
        business_type: 'self',
        name: '铜阀门',
        name_en: 'BRASS VALVE',
        brand: '无品牌',
        hs_code_id: ended,
        unit: '007',
      },
      ...{ unit1_factor: '0.5', elements: [{ element: '材质', value: '铜制' }], status: 'active' },
    });
    const estimate = await insert('estimate', {
      ...{ ...owned, title: '自营阀门', currency: 'USD', rate: '7.1', incoterm: 'FOB' },
      items: [{ goods_id: ownGoods, quantity: '10', unit_price: '10', purchase_price: '50' }],
    });
    const estimated = 'select refund_rate::text, refund::text from estimate__items where parent_id = $1';
    expect(await services.db.query(estimated, [estimate])).toEqual([
      { refund_rate: '9.0000', refund: '39.82' },
    ]);
  });
});

describe('goods under Russia control', () => {
  it('bring risk control into the approval of contract and shipment', async () => {
    const { services, masters } = example;
    const russia = await insert('country', {
      code: 'RUS',
      iso2: 'RU',
      name: '俄罗斯',
      is_russia_control: true,
      status: 'active',
    });
    await services.db.query(`update goods set russia_control = 'approve' where id = $1`, [masters.goods]);
    const contract = await contractOf({ quantity: '10' }, { dest_country_id: russia });
    expect(contract['russia_review']).toBe(true);
    const preview = await must(as('sp.aa', 'POST', '/data/export_contract/preview', { id: contract['id'] }));
    const levels = (preview['approval'] as { levels: readonly { title: string }[] }).levels;
    expect(levels.map(({ title }) => title)).toContain('风控审核');
    await services.db.query('update goods set russia_control = null where id = $1', [masters.goods]);
  });

  it('are so by an entry of later than they, also by a word of their English name', async () => {
    const russia = await insert('country', {
      ...{ code: 'BLR', iso2: 'BY', name: '白俄罗斯', is_russia_control: true, status: 'active' },
    });
    const entry = await insert('russia_sensitive_goods', {
      ...{ hs_prefix: '9999', name: '阀门', keyword: 'pump, brass', control: 'approve', status: 'active' },
      valid_from: '2024-01-01',
    });
    const handIn = async (): Promise<readonly [unknown, Answer]> => {
      const { id } = await contractOf({ quantity: '10' }, { dest_country_id: russia });
      return [id, await act('sp.aa', 'export_contract', id, 'submit')];
    };
    const [listed] = await handIn();
    const { steps } = await must(as('tm.aa', 'GET', `/approval/record/export_contract/${String(listed)}`));
    const titles = (steps as readonly { title: string }[]).map(({ title }) => title);
    expect(titles).toContain('风控审核');
    await change('russia_sensitive_goods', entry, { control: 'block' });
    const [, refused] = await handIn();
    expect(refused.problems).toContainEqual(
      expect.objectContaining({
        path: 'items.0.goods_id',
        message: expect.stringContaining('俄罗斯敏感商品'),
      }),
    );
    const { db } = example.services;
    await db.query(`update russia_sensitive_goods set status = 'disabled' where id = $1`, [entry]);
  });
});

describe('a contract', () => {
  it('shipped within its tolerance is completed by the departure', async () => {
    const contract = await standing({ quantity: '10000' }, 'approved');
    const shipment = await shipmentOf(contract, '9600');
    await change('shipment', shipment['id'], { status: 'approved' });
    expect((await read('sp.aa', 'export_contract', contract['id']))['status']).toBe('executing');
    await change('shipment', shipment['id'], { status: 'shipped' });
    expect((await read('sp.aa', 'export_contract', contract['id']))['status']).toBe('completed');
  });

  it('is executed again when less has sailed than was shipped, unless somebody completed it', async () => {
    const contract = await standing({ quantity: '1000' }, 'approved');
    const shipment = await shipmentOf(contract, '1000');
    await change('shipment', shipment['id'], { status: 'approved' });
    await change('shipment', shipment['id'], { status: 'shipped' });
    const statusNow = async () => (await read('sp.aa', 'export_contract', contract['id']))['status'];
    expect(await statusNow()).toBe('completed');
    const lower = async (quantity: string): Promise<unknown> => {
      const { items } = await read('sp.aa', 'shipment', shipment['id']);
      const [line] = items as readonly Fields[];
      return change('shipment', shipment['id'], { items: [{ ...line, quantity }] });
    };
    await lower('900');
    expect(await statusNow()).toBe('executing');
    const made = await must(act('sp.aa', 'export_contract', contract['id'], 'to_shipment'));
    const rest = await read('sp.aa', 'shipment', (made['_created'] as readonly Fields[])[0]?.['id']);
    expect(lineOf(rest)['quantity']).toBe('100.0000');
    await must(act('tm.aa', 'export_contract', contract['id'], 'complete', { opinion: '尾数不再出运' }));
    await lower('890');
    expect(await statusNow()).toBe('completed');
  });

  it('of bought goods that its partner found all of waits for the evidence of the relation and a visit to the supplier', async () => {
    const { db } = example.services;
    const { relation, supplier } = example.masters;
    const contract = await contractOf({ quantity: '10' }, BUYOUT);
    const told = async (): Promise<readonly string[]> => {
      const { problems } = await act('sp.aa', 'export_contract', contract['id'], 'submit');
      return problems.filter(({ message }) => message.startsWith('买断出口')).map(({ path }) => path);
    };
    expect(await told()).toEqual(['items.0.goods_id', 'items.0.supplier_id']);
    await db.query('update supplier set site_visit_date = $2 where id = $1::uuid', [supplier, '2026-01-05']);
    expect(await told()).toEqual(['items.0.goods_id']);
    await db.query('update relation set evidence = array[gen_random_uuid()] where id = $1::uuid', [relation]);
    expect(await told()).toEqual([]);
  });

  it('that was signed stays signed when its change is rejected and submitted again', async () => {
    const contract = await standing({ quantity: '10' }, 'signed');
    await change('export_contract', contract['id'], { signed_on: '2026-11-02', status: 'rejected' });
    await change('export_contract', contract['id'], { status: 'approved' });
    expect((await read('sp.aa', 'export_contract', contract['id']))['status']).toBe('signed');
  });
});
