import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DEMO_AES_KEY } from '#server/kernel/config.ts';
import { sealEnvelope } from '#server/auth/transport-cipher.ts';
import { systemCaller } from '#server/records/call/system-caller.ts';
import { insertRecord } from '#server/records/write/system-write.ts';
import { aContract, type Answer, startTradeExample, type TradeExample } from '../trade/trade-example.ts';

type Fields = Record<string, unknown>;

const KEY = '/data/export_contract';
const LONG_AGO = '2001-01-01T00:00:00.000Z';
const FOREIGN_ID = '01910000-0000-7000-8000-000000000001';
let example: TradeExample;
let token: string;
let admin: string;

beforeAll(async () => {
  example = await startTradeExample();
  token = await example.signIn('sp.aa', 'SP');
  admin = await idOf('ad.aa');
}, 600_000);
afterAll(() => example.close());

const draft = () => aContract(example, { quantity: '10' });
const stored = async (id: unknown, table = 'export_contract'): Promise<Fields> =>
  (await example.services.db.query<Fields>(`select * from ${table} where id = $1::uuid`, [id]))[0] ?? {};
const linesOf = (id: unknown) =>
  example.services.db.query<Fields>('select * from export_contract__items where parent_id = $1::uuid order by line_order', [id]); // prettier-ignore

const countOf = async (): Promise<unknown> =>
  (await example.services.db.query('select count(*)::int as n from export_contract'))[0]?.['n'];

async function idOf(personid: string): Promise<string> {
  const rows = await example.services.db.query<{ id: string }>('select id from person where personid = $1', [personid]); // prettier-ignore
  return rows[0]?.id ?? '';
}

async function aStored(): Promise<Fields> {
  const made = await example.call(token, 'POST', KEY, draft());
  expect(made.msg).toBe('保存成功');
  return stored(made.data['id']);
}

/** What the server decides itself: another value is refused at its field. */
const DECIDED: readonly (readonly [field: string, value: () => unknown])[] = [
  ['id', () => FOREIGN_ID],
  ['created_by', () => admin],
  ['created_at', () => LONG_AGO],
  ['updated_by', () => admin],
  ['updated_at', () => LONG_AGO],
  ['contract_no', () => 'FORGED-1'],
  ['total_amount', () => '1.00'],
  ['total_quantity', () => '999999'],
  ['amount_usd', () => '1.00'],
  ['amount_words', () => 'SAY ONE ONLY'],
  ['advance_received', () => '1000000.00'],
  ['advance_left', () => '1000000.00'],
  ['co_code', () => 'AE'],
  ['dept_code', () => 'AE'],
  ['sales_id', () => admin],
  ['submitted_by', () => admin],
  ['submitted_at', () => LONG_AGO],
  ['approved_by', () => admin],
  ['approved_at', () => LONG_AGO],
  ['reject_reason', () => 'forged'],
];

/** What is no field of the resource, though it may be a column of its table. */
const UNKNOWN: readonly (readonly [field: string, value: unknown])[] = [
  ['is_deleted', true],
  ['previous_status', 'effective'],
  ['search_text', 'forged'],
  ['_labels', { buyer_id: 'forged' }],
  ['_paths', { buyer_id: {} }],
  ['parent_id', FOREIGN_ID],
  ['constructor', {}],
  ['superPermission', 1],
];

describe('a caller does not decide', () => {
  it.each(DECIDED)('%s of a new record', async (field, value) => {
    const before = await countOf();
    const made = await example.call(token, 'POST', KEY, { ...draft(), [field]: value() });
    expect([made.status, made.problems[0]?.path]).toEqual([400, field]);
    expect(await countOf()).toBe(before);
  });

  it.each(DECIDED)('%s of a stored one, whose own value may be sent back', async (field, value) => {
    const before = await aStored();
    const address = `${KEY}/${String(before['id'])}`;
    const version = Number(before['version']);
    const refused = await example.call(token, 'PATCH', address, {
      version,
      sign_place: '宁波',
      [field]: value(),
    });
    expect([refused.status, refused.problems[0]?.path]).toEqual([400, field]);
    expect(await stored(before['id'])).toEqual(before);
    const shown = (await example.call(token, 'GET', address)).data as Fields;
    const saved = await example.call(token, 'PATCH', address, {
      version,
      sign_place: '宁波',
      [field]: shown[field],
    });
    expect([saved.status, saved.msg]).toEqual([200, '保存成功']);
  });

  it('and what is sent as the server makes it is left out', async () => {
    const made = await example.call(token, 'POST', KEY, {
      ...draft(),
      total_amount: '100',
      status: 'draft',
      co_code: 'AA',
    });
    expect(made.msg).toBe('保存成功');
    const [line] = await linesOf(made.data['id']);
    const saved = await example.call(token, 'PATCH', `${KEY}/${String(made.data['id'])}`, {
      version: 1,
      total_amount: '200.00',
      items: [{ id: line?.['id'], quantity: '20', amount: '200.00' }],
    });
    expect([saved.msg, (await stored(made.data['id']))['total_amount']]).toEqual(['保存成功', '200.00']);
  });

  it('the version of a new record, nor writes past that of a stored one', async () => {
    const forged = await example.call(token, 'POST', KEY, { ...draft(), version: 99 });
    expect([forged.status, forged.problems[0]?.path]).toEqual([400, 'version']);
    const made = await example.call(token, 'POST', KEY, { ...draft(), version: 1 });
    for (const [version, refusal] of [
      [99, [409, '单据已被他人修改，请刷新后重试']],
      [0, [409, '单据已被他人修改，请刷新后重试']],
      [null, [400, '缺少版本号']],
      ['1', [400, '缺少版本号']],
      [1.5, [400, '缺少版本号']],
    ] as const) {
      const saved = await example.call(token, 'PATCH', `${KEY}/${String(made.data['id'])}`, { version, sign_place: '宁波' }); // prettier-ignore
      expect([version, saved.status, saved.msg]).toEqual([version, ...refusal]);
    }
  });

  it('the state', async () => {
    const made = await example.call(token, 'POST', KEY, { ...draft(), status: 'effective' });
    expect([made.status, made.problems[0]]).toMatchObject([
      400,
      { path: 'status', message: '状态只能通过操作改变' },
    ]);
    const { id, version } = await aStored();
    const moved = await example.call(token, 'PATCH', `${KEY}/${String(id)}`, {
      version: Number(version),
      status: 'effective',
    });
    expect([moved.status, moved.problems[0]?.path]).toEqual([400, 'status']);
    expect((await stored(id))['status']).toBe('draft');
  });

  it.each(UNKNOWN)('%s, which is refused as unknown', async (field, value) => {
    const { id, version } = await aStored();
    const answers: readonly Answer[] = [
      await example.call(token, 'POST', KEY, { ...draft(), [field]: value }),
      await example.call(token, 'PATCH', `${KEY}/${String(id)}`, {
        version: Number(version),
        [field]: value,
      }),
    ];
    for (const { status, msg, problems } of answers) {
      expect(status).toBe(400);
      expect(msg).toContain(`"${field}"`);
      expect(problems[0]?.path ?? field).toBe(field);
    }
    expect((await stored(id))['version']).toBe(version);
  });

  it('computed columns, sums and ids of lines', async () => {
    const other = await aStored();
    const [foreign] = await linesOf(other['id']);
    const [line = {}] = draft()['items'] as Fields[];
    for (const [column, value] of [
      ['amount', '1.00'],
      ['shipped_quantity', '-5'],
      ['open_quantity', '7'],
    ] as const) {
      const forged = await example.call(token, 'POST', KEY, {
        ...draft(),
        items: [{ ...line, [column]: value }],
      });
      expect([forged.status, forged.problems[0]?.path]).toEqual([400, `items.0.${column}`]);
      const [own] = await linesOf(other['id']);
      const body = { version: Number(other['version']), items: [{ id: own?.['id'], [column]: value }] };
      const changed = await example.call(token, 'PATCH', `${KEY}/${String(other['id'])}`, body);
      expect([changed.status, changed.problems[0]?.path]).toEqual([400, `items.0.${column}`]);
    }
    for (const column of ['co_code', 'parent_id']) {
      const refused = await example.call(token, 'POST', KEY, {
        ...draft(),
        items: [{ ...line, [column]: 'AE' }],
      });
      expect([refused.status, refused.problems[0]?.path]).toEqual([400, `items.0.${column}`]);
    }
    const own = await aStored();
    const stolen = await example.call(token, 'PATCH', `${KEY}/${String(own['id'])}`, {
      version: Number(own['version']),
      items: [{ ...line, id: foreign?.['id'], quantity: '77' }],
    });
    expect([stolen.status, stolen.msg]).toEqual([400, '明细行不存在，可能已被他人删除']);
    expect((await linesOf(other['id'])).map(({ id, quantity }) => [id, Number(quantity)])).toEqual([
      [foreign?.['id'], 10],
    ]);
  });
});

describe('a person does not raise the own rights', () => {
  it.each<readonly [string, () => unknown]>([
    ['super_permission', () => true],
    ['role_ids', () => [FOREIGN_ID]],
    ['scope_override', () => 'all'],
    ['dept_id', () => FOREIGN_ID],
    ['personid', () => 'ad.aa'],
    ['password', () => 'Taken-2026'],
    ['status', () => 'disabled'],
  ])('by %s', async (field, value) => {
    const id = await idOf('sp.aa');
    const before = await stored(id, 'person');
    const saved = await example.call(token, 'PATCH', `/data/person/${id}`, {
      version: Number(before['version']),
      [field]: value(),
    });
    const after = await stored(id, 'person');
    expect([saved.status, saved.msg]).toEqual([403, '权限不足,请联系管理员!']);
    expect(after).toEqual(before);
  });
});

describe('a customer does not write for another', () => {
  it('partner, owner, company or rating of what it enters', async () => {
    const { services, masters } = example;
    const mobile = '13900006666';
    await services.db.transaction((tx) =>
      insertRecord({ tx, services, caller: systemCaller(services, 'AA') }, 'partner', {
        name: '自己的客户',
        status: 'active',
        sales_id: masters.sales,
        dept_code: 'AA',
        accounts: [{ mobile, name: '王', password: 'Demo-2026', status: 'active' }],
      }),
    );
    const login = await example.call('', 'POST', '/sys/loginByAgcustMobileNo', {
      personid: mobile,
      password: sealEnvelope('Demo-2026', DEMO_AES_KEY),
    });
    const customer = String((login.data as Fields)['authorization']);
    const add = (values: Fields) => example.call(customer, 'POST', '/data/supplier', { business_type: 'agency', ...values }); // prettier-ignore
    for (const field of ['co_code', 'sales_id', 'created_by']) {
      const forged = await add({ name: '客户自报的工厂', [field]: field === 'co_code' ? 'AE' : admin });
      expect([forged.status, forged.problems[0]?.path]).toEqual([400, field]);
    }
    const made = await add({ name: '客户自报的工厂' });
    expect(made.msg).toBe('保存成功');
    const rows = await services.db.query<Fields>(
      `select s.co_code, s.sales_id, s.created_by, p.name as partner, s.risk_level
       from supplier s join partner p on p.id = s.partner_id where s.id = $1::uuid`,
      [made.data['id']],
    );
    expect(rows).toEqual([
      { co_code: 'AA', sales_id: masters.sales, created_by: null, partner: '自己的客户', risk_level: 'B' },
    ]);
    for (const [values, refusal] of [
      [{ partner_id: masters.partner }, [400, '委托方不存在或不可选用']],
      [{ business_type: 'self' }, [403, '不能新增不在本人数据范围内的记录']],
      [{ risk_level: 'A' }, [400, '没有权限修改“风险等级”']],
      [{ status: 'active' }, [400, '状态只能通过操作改变']],
    ] as const) {
      const refused = await add({ name: '又一家工厂', ...values });
      expect([refused.status, refused.msg]).toEqual(refusal);
    }
  });
});
