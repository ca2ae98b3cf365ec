import { afterAll, beforeAll, expect, test } from 'vitest';
import { deleteRecord } from '#server/records/write/delete-record.ts';
import { getRecord } from '#server/records/read/get-record.ts';
import type { ListQuery } from '#contract/lists.ts';
import { parseListRequest } from '#server/records/list/list-request.ts';
import { queryRecords } from '#server/records/list/query-records.ts';
import { recordHistory } from '#server/records/read/record-history.ts';
import { createRecord, updateRecord } from '#server/records/write/save-record.ts';
import { ADMIN, aWorld, FINANCE, FOREIGN, OTHER, SALES, type World } from './world.ts';

let world: World;
beforeAll(async () => {
  world = await aWorld();
});
afterAll(() => world.close());

let serial = 0;
async function aBuyer(fields: object = {}): Promise<string> {
  serial += 1;
  const buyer = await createRecord(world.open(ADMIN, 'buyer', 'create'), {
    name: `客户 ${serial}`,
    country: 'US',
    ...fields,
  });
  return String(buyer['id']);
}

async function aContract(fields: object = {}, person = SALES): Promise<Record<string, unknown>> {
  return createRecord(world.open(person, 'contract', 'create'), {
    buyer_id: await aBuyer(),
    incoterm: 'CIF',
    freight: '12.5',
    items: [{ goods_name: '螺丝', quantity: '10', unit_price: '1.255' }],
    ...fields,
  });
}

const query = async (person: object, body: ListQuery, key = 'contract') => {
  const call = world.open(person, key, 'list');
  return queryRecords(call, parseListRequest(call, body));
};

test('a created record has its number, defaults, formulas, fill values and labels', async () => {
  const contract = await aContract();
  expect(contract).toMatchObject({
    version: 1,
    status: 'draft',
    co_code: 'AA',
    sign_date: '2026-03-31',
    currency: 'USD',
    country: 'US',
    freight: '12.50',
    total_amount: '12.55',
  });
  expect(contract['contract_no']).toMatch(/^AAWX2026\d{5}$/);
  expect(contract['file_no']).toBe(contract['contract_no']);
  expect(contract['_labels']).toMatchObject({ status: '草稿', currency: '美元', incoterm: '到岸价' });
  expect(contract['items']).toMatchObject([{ quantity: '10.0000', amount: '12.55', shipped: '0.0000' }]);
  const again = await getRecord(world.open(SALES, 'contract', 'read'), String(contract['id']));
  expect(again).toEqual(contract);
});

test('a field hidden to the role stays out, with what is computed from it', async () => {
  const contract = await aContract();
  expect(contract).not.toHaveProperty('cost');
  expect(contract).not.toHaveProperty('profit');
  const seen = await getRecord(world.open(FINANCE, 'contract', 'read'), String(contract['id']));
  expect(seen).toHaveProperty('cost');
  await expect(query(SALES, { filters: { cost: { gt: '0' } } })).rejects.toThrow('未知字段');
  await expect(query(SALES, { sorters: ['-profit'] })).rejects.toThrow('未知字段');
  await expect(query(SALES, { filters: { 'buyer_id.risk_level': { eq: 'D' } } })).rejects.toThrow('未知字段');
});

test('a record says what its form would hide, and keeps the values', async () => {
  expect(await aContract()).not.toHaveProperty('_hidden');
  expect(await aContract({ incoterm: 'FOB' })).toMatchObject({ _hidden: ['freight'], freight: null });
});

test('a PATCH changes lines by id, keeps those not sent, and recomputes', async () => {
  const contract = await aContract({
    items: [
      { goods_name: '甲', quantity: '1', unit_price: '1' },
      { goods_name: '乙', quantity: '2', unit_price: '2' },
      { goods_name: '丙', quantity: '3', unit_price: '3' },
    ],
  });
  const [first, second] = contract['items'] as { id: string }[];
  const saved = await updateRecord(world.open(SALES, 'contract', 'update'), String(contract['id']), {
    version: 1,
    items: [
      { id: first?.id, quantity: '5' },
      { id: second?.id, _delete: true },
      { goods_name: '丁', quantity: '1', unit_price: '7' },
    ],
  });
  expect(saved).toMatchObject({ version: 2, total_amount: '21.00' });
  expect(saved['items']).toMatchObject([{ goods_name: '甲' }, { goods_name: '丙' }, { goods_name: '丁' }]);
  const history = await recordHistory(world.open(SALES, 'contract', 'read'), String(contract['id']));
  expect(history.map(({ action }) => action)).toEqual(['update', 'create']);
});

test('a PATCH that changes nothing leaves version and history, unless something is reckoned anew', async () => {
  const contract = await aContract({
    lc_no: 'L1',
    items: [
      { goods_name: '甲', quantity: '1', unit_price: '1' },
      { goods_name: '乙', quantity: '2', unit_price: '2' },
    ],
  });
  const id = String(contract['id']);
  const [first, second] = contract['items'] as { id: string }[];
  const patch = (body: object) => updateRecord(world.open(SALES, 'contract', 'update'), id, body);
  const history = () => recordHistory(world.open(SALES, 'contract', 'read'), id);
  for (const body of [
    {},
    { lc_no: 'L1', sign_date: contract['sign_date'] },
    { items: [{ id: second?.id }, { id: first?.id, quantity: '1.0' }] },
  ]) {
    const { _labels: _, ...answer } = await patch({ version: 1, ...body });
    expect(answer).toEqual({ ...contract, _labels: undefined });
  }
  expect(await history()).toHaveLength(1);
  await expect(patch({ version: 3, lc_no: 'L1' })).rejects.toMatchObject({ code: 'STALE_VERSION' });
  await expect(patch({ version: 1, nothing: 1 })).rejects.toMatchObject({ code: 'VALIDATION' });
  await world.db.query('update contract set total_amount = 0 where id = $1::uuid', [id]);
  expect(await patch({ version: 1, lc_no: 'L1' })).toMatchObject({ version: 2, total_amount: '5.00' });
});

test('a PATCH of a reference fills what picking it fills, unless the PATCH says that too', async () => {
  const contract = await aContract({ country: '手填' });
  const call = world.open(SALES, 'contract', 'update');
  const id = String(contract['id']);
  expect(contract).toMatchObject({ country: '手填' });
  const german = await aBuyer({ country: 'DE' });
  expect(await updateRecord(call, id, { version: 1, buyer_id: german })).toMatchObject({ country: 'DE' });
  const french = { version: 2, buyer_id: await aBuyer({ country: 'FR' }), country: 'DE' };
  expect(await updateRecord(call, id, french)).toMatchObject({ country: 'DE' });
  const same = { version: 3, buyer_id: french.buyer_id, lc_no: 'L1' };
  expect(await updateRecord(call, id, same)).toMatchObject({ country: 'DE', lc_no: 'L1' });
});

test('a stale version is refused with the record as it is now', async () => {
  const contract = await aContract();
  const call = world.open(SALES, 'contract', 'update');
  await updateRecord(call, String(contract['id']), { version: 1, lc_no: 'A' });
  await expect(updateRecord(call, String(contract['id']), { version: 1, lc_no: 'B' })).rejects.toMatchObject({
    code: 'STALE_VERSION',
    status: 409,
    current: { lc_no: 'A', version: 2 },
  });
});

test('others see neither rows of another owner nor of another company', async () => {
  const contract = await aContract();
  const id = String(contract['id']);
  for (const person of [OTHER, FOREIGN]) {
    await expect(getRecord(world.open(person, 'contract', 'read'), id)).rejects.toMatchObject({
      status: 404,
    });
    await expect(
      updateRecord(world.open(person, 'contract', 'update'), id, { version: 1, lc_no: 'x' }),
    ).rejects.toMatchObject({ status: 404 });
    const list = await query(person, { filters: { id: { eq: id } } });
    expect(list.total).toBe(0);
  }
});

test('a reference must exist, be of the company and satisfy where', async () => {
  const disabled = await aBuyer();
  await world.db.query(`update buyer set status = 'disabled' where id = $1`, [disabled]);
  const foreign = await createRecord(world.open({ ...ADMIN, co_code: 'AE' }, 'buyer', 'create'), {
    name: '外部',
  });
  for (const buyer_id of [disabled, String(foreign['id']), '00000000-0000-7000-8000-00000000ffff'])
    await expect(aContract({ buyer_id })).rejects.toMatchObject({
      problems: [{ path: 'buyer_id', code: 'reference' }],
    });
  await expect(aContract({ currency: 'XXX' })).rejects.toMatchObject({
    problems: [{ path: 'currency', code: 'option' }],
  });
});

test('hostile bodies are refused with their place', async () => {
  const cases: [object, string][] = [
    [{ nonsense: 1 }, 'nonsense'],
    [{ freight: 'NaN' }, 'freight'],
    [{ freight: '1e400' }, 'freight'],
    [{ freight: 12.5 }, 'freight'],
    [{ freight: '10000000000000000' }, 'freight'],
    [{ lc_no: 'a\u0000b' }, 'lc_no'],
    [{ lc_no: 'x'.repeat(41) }, 'lc_no'],
    [{ status: 'approved' }, 'status'],
    [{ cost: '5.00' }, 'cost'],
    [{ items: [{ goods_name: '甲', quantity: '-1', unit_price: '1' }] }, 'items.0.quantity'],
    [{ buyer_id: "'; drop table buyer" }, 'buyer_id'],
  ];
  for (const [fields, path] of cases)
    await expect(aContract(fields), `${path} ${JSON.stringify(fields)}`).rejects.toMatchObject({
      status: 400,
      problems: [{ path }],
    });
  const asked: readonly (readonly [asked: Parameters<typeof query>[1], code: string])[] = [
    [{ sorters: ['status; drop table buyer'] }, 'BAD_FILTER'],
    [{ filters: { id: { in: Array(201).fill('x') } } }, 'BAD_FILTER'],
    [{ filters: { lc_no: { eq: { '=': 'cost' } } } }, 'BAD_FILTER'],
    [{ filters: { cost: { gt: '0' } }, columns: ['nothing'] }, 'BAD_FILTER'],
    [{ group: 'items' }, 'BAD_FILTER'],
    [{ columns: ['nothing'] }, 'BAD_REQUEST'],
  ];
  for (const [what, code] of asked)
    await expect(query(SALES, what)).rejects.toMatchObject({ status: 400, code });
});

test('lists filter, sort, total by currency, count, and search Chinese, pinyin and wildcards literally', async () => {
  const buyer_id = await aBuyer({ name: '汉堡进口商 100%' });
  await aContract({ buyer_id, lc_no: '50%_off' });
  await aContract({ buyer_id, currency: 'CNY' });
  const list = await query(SALES, {
    filters: { buyer_id: { eq: buyer_id } },
    sorters: ['buyer_id', '-sign_date'],
  });
  expect(list).toMatchObject({
    total: 2,
    totalIsCapped: false,
    totals: { total_amount: { USD: '12.55', CNY: '12.55' } },
  });
  expect(list.records[0]).toMatchObject({ _labels: { buyer_id: '汉堡进口商 100%' } });
  expect((await query(SALES, { filters: { lc_no: { contains: '%_' } } })).total).toBe(1);
  expect((await query(SALES, { keyword: '堡进' }, 'buyer')).total).toBe(1);
  expect((await query(SALES, { keyword: 'hbjk' }, 'buyer')).total).toBe(1);
  for (const [keyword, total] of [
    ['hanbaojinkou', 1],
    ['jinkou', 1],
    ['han bao', 1],
    ['anbao', 0],
    ['ang', 0],
    ['hbj', 1],
  ] as const)
    expect([keyword, (await query(SALES, { keyword }, 'buyer')).total]).toEqual([keyword, total]);
  expect((await query(SALES, { keyword: '0%' }, 'buyer')).total).toBe(1);
  expect((await query(SALES, { keyword: '进堡' }, 'buyer')).total).toBe(0);
  const grouped = await query(SALES, { filters: { buyer_id: { eq: buyer_id } }, group: 'currency' });
  expect(grouped.groups).toEqual([
    { value: 'CNY', label: '人民币', count: 1 },
    { value: 'USD', label: '美元', count: 1 },
  ]);
});

test('uniques ignore case, tell the field, and free what is deleted', async () => {
  const id = await aBuyer({ name: 'Unique Ltd' });
  await expect(aBuyer({ name: 'UNIQUE LTD' })).rejects.toMatchObject({
    code: 'DUPLICATE',
    message: '“名称”已存在',
  });
  await deleteRecord(world.open(ADMIN, 'buyer', 'delete'), id, 1);
  await aBuyer({ name: 'UNIQUE LTD' });
});

test('sums over other records follow their writes, and formulas over the sums', async () => {
  const buyer_id = await aBuyer();
  await aContract({ buyer_id });
  const second = await aContract({ buyer_id });
  const read = () => getRecord(world.open(ADMIN, 'buyer', 'read'), buyer_id);
  expect(await read()).toMatchObject({
    contract_count: 2,
    contract_total: '25.10',
    double_total: '50.20',
    version: 1,
  });
  await updateRecord(world.open(SALES, 'contract', 'update'), String(second['id']), {
    version: 1,
    buyer_id: await aBuyer(),
  });
  expect(await read()).toMatchObject({ contract_count: 1, contract_total: '12.55' });
});

test('a referenced record and a submitted document cannot be deleted', async () => {
  const contract = await aContract();
  const buyer = String(contract['buyer_id']);
  const { version } = (await getRecord(world.open(ADMIN, 'buyer', 'read'), buyer)) as { version: number };
  await expect(deleteRecord(world.open(ADMIN, 'buyer', 'delete'), buyer, version)).rejects.toMatchObject({
    code: 'REFERENCED',
  });
  await deleteRecord(world.open(SALES, 'contract', 'delete'), String(contract['id']), 1);
  await expect(
    getRecord(world.open(SALES, 'contract', 'read'), String(contract['id'])),
  ).rejects.toMatchObject({ status: 404 });
});

test('secrets are hashed and never leave; masked fields are masked for readers', async () => {
  const id = await aBuyer({ password: 'Geheim-1', mobile: '13800001234' });
  const [row] = await world.db.query('select password from buyer where id = $1', [id]);
  expect(String(row?.['password'])).toMatch(/^\$argon2id\$/);
  const seen = await getRecord(world.open(FINANCE, 'buyer', 'read'), id);
  expect(seen).not.toHaveProperty('password');
  expect(seen['mobile']).toBe('138****1234');
  await expect(query(FINANCE, { filters: { mobile: { contains: '1380' } } }, 'buyer')).rejects.toMatchObject({
    status: 400,
  });
  const history = await recordHistory(world.open(FINANCE, 'buyer', 'read'), id);
  expect(JSON.stringify(history)).not.toMatch(/Geheim|13800001234|argon/);
});

test('a secret that everybody tries first is refused, when it is made and when it is changed', async () => {
  const problem = {
    code: 'VALIDATION',
    problems: [
      {
        path: 'password',
        code: 'common_password',
        message: expect.stringMatching(/这个密码过于常见，请换一个$/),
      },
    ],
  };
  await expect(aBuyer({ password: 'Password1' })).rejects.toMatchObject(problem);
  const id = await aBuyer({ password: 'Geheim-1' });
  await expect(
    updateRecord(world.open(ADMIN, 'buyer', 'update'), id, { version: 1, password: 'iloveyou' }),
  ).rejects.toMatchObject(problem);
});

test('ledgers have no write API', async () => {
  await expect(createRecord(world.open(SALES, 'ledger_entry', 'create'), {})).rejects.toMatchObject({
    code: 'READ_ONLY_RESOURCE',
  });
});

test('a number rule in the database overrides the file at once', async () => {
  await createRecord(world.open(ADMIN, 'number_rule', 'create'), {
    resource: 'contract',
    pattern: '{co}XX{seq:3}',
  });
  expect((await aContract())['contract_no']).toBe('AAXX001');
  await world.db.query('delete from number_rule');
  await world.services.definitions.refreshOverrides();
});

test('records created at the same time get different numbers', async () => {
  const made = await Promise.all(Array.from({ length: 8 }, () => aContract()));
  expect(new Set(made.map((contract) => contract['contract_no'])).size).toBe(8);
});

test('a permission row replaces what the file grants to the role, at once', async () => {
  const [role] = await world.db.query(`select id from role where code = 'FN'`);
  await createRecord(world.open({ ...ADMIN, super_permission: true }, 'permission_rule', 'create'), {
    role_id: role?.['id'],
    resource: 'contract',
    actions: ['list', 'read'],
    hidden_fields: ['cost'],
  });
  const contract = await aContract();
  const seen = await getRecord(world.open(FINANCE, 'contract', 'read'), String(contract['id']));
  expect(seen).not.toHaveProperty('cost');
  expect(seen).not.toHaveProperty('profit');
  expect(() => world.open(FINANCE, 'contract', 'update')).toThrow('权限不足,请联系管理员!');
  await world.db.query('delete from permission_rule');
  await world.services.definitions.refreshOverrides();
});

test('an administrator with super permission sees and writes every company, within the record it belongs to', async () => {
  const contract = await aContract();
  const superior = { ...ADMIN, co_code: 'AE', super_permission: true };
  const seen = await getRecord(world.open(superior, 'contract', 'read'), String(contract['id']));
  expect(seen).toMatchObject({ co_code: 'AA', _labels: { buyer_id: expect.stringContaining('客户') } });
  const saved = await updateRecord(world.open(superior, 'contract', 'update'), String(contract['id']), {
    version: 1,
    cost: '3.00',
  });
  expect(saved).toMatchObject({ cost: '3.00', profit: '9.55', co_code: 'AA' });
});

test('a page far down is the one that the order gives, and still only of what one may see', async () => {
  await aBuyer({ name: '很多' });
  await world.db.execute(
    `insert into buyer select r.* from buyer b cross join generate_series(1, 1040) n
     cross join jsonb_populate_record(null::buyer, to_jsonb(b) || jsonb_build_object('id', gen_random_uuid(), 'name', '很多' || lpad(n::text, 5, '0'))) r
     where b.name = '很多'`,
  );
  const names = async (person: object, body: ListQuery): Promise<readonly unknown[]> =>
    (await query(person, { filters: { name: { startswith: '很多0' } }, ...body }, 'buyer')).records.map(
      ({ name }) => name,
    );
  const last = await names(ADMIN, { pageSize: 20, sorters: ['name'] });
  const far = await names(ADMIN, { pageSize: 20, currentPage: 52, sorters: ['-name'] });
  expect(far).toHaveLength(20);
  expect(far).toEqual([...last].reverse());
  expect(await names(FOREIGN, { pageSize: 20, currentPage: 52, sorters: ['-name'] })).toEqual([]);
});
