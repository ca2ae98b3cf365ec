import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemCaller } from '#server/records/call/system-caller.ts';
import { insertRecord, readRecord } from '#server/records/write/system-write.ts';
import { aContract, startTradeExample, type TradeExample } from './trade-example.ts';

type Fields = Record<string, unknown>;

let example: TradeExample;
let manager: string;
let branches: readonly string[];

beforeAll(async () => {
  example = await startTradeExample();
  manager = await example.signIn('tm.aa');
  branches = await Promise.all(
    ['102332000013', '103332000021'].map((code) =>
      given('cnaps', { code, branch_name: `支行${code}`, status: 'active' }),
    ),
  );
}, 600_000);
afterAll(() => example.close());

const merge = (keep: Fields, replaced: Fields) =>
  example.call(manager, 'POST', '/relation/updateCustidBySellerCustid', {
    sellerCustid: keep['supplier_no'],
    agcustid: replaced['supplier_no'],
  });

async function given(key: string, values: Fields): Promise<string> {
  return String((await written(key, values))['id']);
}

function written(key: string, values: Fields): Promise<Fields> {
  const { services } = example;
  return services.db.transaction((tx) =>
    insertRecord({ tx, services, caller: systemCaller(services, 'AA') }, key, values),
  );
}

async function stored(key: string, id: string): Promise<Fields> {
  const { services } = example;
  return services.db.transaction(
    async (tx) => (await readRecord({ tx, services, caller: systemCaller(services, 'AA') }, key, id)) ?? {},
  );
}

const own = () => ({
  sales_id: example.masters.sales,
  dept_code: 'AA',
  status: 'active',
  business_type: 'agency',
  partner_id: example.masters.partner,
});

let suppliers = 0;
/** A supplier with these accounts, the first its default: `[number, branch]`. */
function aSupplier(accounts: readonly (readonly [string, number])[] = []): Promise<Fields> {
  suppliers += 1;
  const name = `合并工厂${suppliers}`;
  return written('supplier', {
    name,
    ...own(),
    banks: accounts.map(([account_no, branch], place) => ({
      account_name: name,
      account_no,
      cnaps_id: branches[branch],
      is_default: place === 0,
    })),
  });
}

/** A relation in force of the example's partner and buyer with that supplier. */
function relationWith(supplier: Fields, goods: readonly string[], values: Fields = {}): Promise<Fields> {
  return written('relation', {
    ...own(),
    buyer_id: example.masters.buyer,
    supplier_id: supplier['id'],
    business_desc: '展会',
    payment_term: 'TT_ADV',
    valid_to: '2030-12-31',
    goods_lines: goods.map((goods_id) => ({ goods_id, supplier_price: '70' })),
    ...values,
  });
}

describe('accounts of suppliers that are merged', () => {
  it.each([
    ['another number', [['6222000011110001', 0]], [['6222000011110002', 0]], '6222000011110001', '6222000011110002'],
    ['a number with others', [['6222000011110001', 0], ['6222000011110003', 1]], [['6222000011110002', 0], ['6222000011110001', 0]], '6222000011110001', '6222000011110002'],
    ['the number at another bank', [['6222000011110009', 1], ['6222000011110001', 0]], [['6222 0000 1111 0001', 1]], '6222000011110001', '6222 0000 1111 0001'],
  ] as const)('conflict by %s, and both are named', async (_what, kept, other, keptNo, otherNo) => {
    const [keep, replaced] = [await aSupplier(kept), await aSupplier(other)];
    const refused = await merge(keep, replaced);
    expect([refused.status, refused.msg]).toEqual([
      400,
      `收款账户冲突：保留供应商“${String(keep['name'])}”的账户为${keptNo}，被替换供应商“${String(replaced['name'])}”的账户为${otherNo}，请先由财务核对并登记到保留供应商`,
    ]);
    expect((await stored('supplier', String(replaced['id'])))['status']).toBe('active');
  }); // prettier-ignore

  it.each([
    ['the same account, written otherwise', [['6222-0000-2222-0001', 0]], [['6222 0000 2222 0001', 0]]],
    ['one of several', [['6222000022220003', 0], ['6222000022220001', 1]], [['6222000022220001', 1]]],
    ['none on the kept side', [], [['6222000022220004', 0]]],
    ['none on the other side', [['6222000022220005', 0]], []],
  ] as const)('agree with %s', async (_what, kept, other) => {
    const [keep, replaced] = [await aSupplier(kept), await aSupplier(other)];
    const merged = await merge(keep, replaced);
    expect([merged.status, merged.msg]).toEqual([200, '替换成功!']);
    expect((await stored('supplier', String(replaced['id'])))['status']).toBe('disabled');
  }); // prettier-ignore

  it('agree once finance has registered the account with the kept one', async () => {
    const keep = await aSupplier([['6222000033330001', 0]]);
    const replaced = await aSupplier([['6222000033330002', 0]]);
    expect((await merge(keep, replaced)).msg).toContain('收款账户冲突');
    const finance = await example.signIn('fn.aa', 'FN');
    const { banks, version } = await stored('supplier', String(keep['id']));
    const account = { account_name: keep['name'], account_no: '6222000033330002', cnaps_id: branches[0] };
    const saved = await example.call(finance, 'PATCH', `/data/supplier/${String(keep['id'])}`, {
      version,
      banks: [...(banks as Fields[]).map(({ id, account_name, account_no, cnaps_id, is_default }) => ({ id, account_name, account_no, cnaps_id, is_default })), { ...account, is_default: false }], // prettier-ignore
    });
    expect(saved.msg).toBe('保存成功');
    expect((await merge(keep, replaced)).msg).toBe('替换成功!');
  });
});

describe('relations that a merge makes equal', () => {
  it('become the kept one: documents follow, goods are joined, the other is disabled and says why', async () => {
    const { masters } = example;
    const goods = await given('goods', { name: '铜弯头', name_en: 'BRASS ELBOW', unit: '007', ...own() });
    const [keep, replaced] = [await aSupplier(), await aSupplier()];
    const kept = await relationWith(keep, [masters.goods], { annual_amount: '5000', valid_to: '2029-12-31' });
    const other = await relationWith(replaced, [masters.goods, goods], { annual_amount: '9000' });
    const draft = await relationWith(replaced, [goods], { status: 'draft' });
    const contract = await given('export_contract', {
      ...aContract(example, { quantity: '10' }),
      ...own(),
      relation_id: other['id'],
      items: [
        { goods_id: goods, supplier_id: replaced['id'], quantity: '10', unit: '007', unit_price: '10' },
      ],
    });
    expect((await merge(keep, replaced)).msg).toBe('替换成功!');

    const joined = await stored('relation', String(kept['id']));
    expect(joined).toMatchObject({ status: 'active', annual_amount: '5000.00', valid_to: '2029-12-31' });
    expect((joined['goods_lines'] as Fields[]).map((line) => line['goods_id'])).toEqual([
      masters.goods,
      goods,
    ]);
    const moved = await stored('export_contract', contract);
    expect(moved['relation_id']).toBe(kept['id']);
    expect((moved['items'] as Fields[]).map((line) => line['supplier_id'])).toEqual([keep['id']]);
    expect(await stored('relation', String(other['id']))).toMatchObject({
      status: 'disabled',
      supplier_id: keep['id'],
    });
    expect(await stored('relation', String(draft['id']))).toMatchObject({
      status: 'draft',
      supplier_id: keep['id'],
    });
    const said = await example.services.db.query<{ opinion: string }>(
      `select opinion from sys_audit where record_id = $1::uuid and action = 'disable'`,
      [other['id']],
    );
    expect(said.map(({ opinion }) => opinion)).toEqual([
      `供应商替换，并入关联${String(joined['relation_no'])}`,
    ]);
    const [log] = await example.services.db.query<{ affected: number }>(
      'select affected from supplier_switch where replaced_supplier_id = $1::uuid',
      [replaced['id']],
    );
    // The contract once, though its relation and its line moved; the kept relation and the other's two.
    expect(Number(log?.affected)).toBe(4);
  });

  it('stay apart where the buyer is another, or one is no longer in force', async () => {
    const { masters } = example;
    const [keep, replaced] = [await aSupplier(), await aSupplier()];
    const buyer = await given('buyer', {
      name_en: 'SUDSEE HANDEL GMBH',
      country_id: masters.country,
      address: 'Hafenstr. 2',
      is_related: false,
      ...own(),
    });
    await relationWith(keep, [masters.goods]);
    const elsewhere = await relationWith(replaced, [masters.goods], { buyer_id: buyer });
    const ended = await relationWith(replaced, [masters.goods], { status: 'disabled' });
    expect((await merge(keep, replaced)).msg).toBe('替换成功!');
    for (const [relation, status] of [
      [elsewhere, 'active'],
      [ended, 'disabled'],
    ] as const)
      expect(await stored('relation', String(relation['id']))).toMatchObject({
        status,
        supplier_id: keep['id'],
      });
  });

  it('are merged wholly or not at all', async () => {
    const { masters, services } = example;
    const [keep, replaced] = [await aSupplier(), await aSupplier()];
    const kept = await relationWith(keep, [masters.goods]);
    const other = await relationWith(replaced, [masters.goods]);
    // Two at once, and a third that would merge the other way: exactly one goes through.
    const answers = await Promise.all([merge(keep, replaced), merge(keep, replaced), merge(replaced, keep)]);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.every(({ status }) => status < 500)).toBe(true);
    const rows = await services.db.query<{ status: string; supplier_id: string }>(
      'select status, supplier_id from relation where id = any($1::uuid[]) order by status',
      [[kept['id'], other['id']]],
    );
    expect(rows.map(({ status }) => status)).toEqual(['active', 'disabled']);
    expect(rows[0]?.supplier_id).toBe(rows[1]?.supplier_id);
  });
});
