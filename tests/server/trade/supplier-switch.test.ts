import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemCaller } from '#server/operations/system-caller.ts';
import { insertRecord, readRecord } from '#server/operations/system-write.ts';
import { startTradeExample, type TradeExample } from './trade-example.ts';

const PATH = '/relation/updateCustidBySellerCustid';
let example: TradeExample;
let manager: string;
let keepNo: string;
let replacedNo: string;
let ownNo: string;

beforeAll(async () => {
  example = await startTradeExample();
  manager = await example.signIn('tm.aa');
  const { services, masters } = example;
  const caller = systemCaller(services, 'AA');
  [keepNo, replacedNo, ownNo] = await services.db.transaction(async (tx) => {
    const context = { tx, services, caller };
    const old = await readRecord(context, 'supplier', masters.supplier);
    const kept = await insertRecord(context, 'supplier', {
      name: '保留的工厂',
      partner_id: masters.partner,
      sales_id: masters.sales,
      dept_code: 'AA',
      status: 'active',
      business_type: 'agency',
    });
    const own = await insertRecord(context, 'supplier', {
      name: '自营的工厂',
      sales_id: masters.sales,
      dept_code: 'AA',
      status: 'active',
      business_type: 'self',
    });
    const numberOf = (supplier: typeof old) => String(supplier?.['supplier_no']);
    return [numberOf(kept), numberOf(old), numberOf(own)];
  });
});
afterAll(() => example.close());

const merge = (sellerCustid: unknown, agcustid: unknown, token = manager) =>
  example.call(token, 'POST', PATH, { sellerCustid, agcustid });

describe('the supplier switch', () => {
  it.each<readonly [unknown, string]>([
    [{}, '不能为空'],
    [{ sellerCustid: 'KEEP' }, '不能为空'],
    [{ agcustid: 'KEEP' }, '不能为空'],
    [{ sellerCustid: '', agcustid: 'OLD' }, '保留供应商编码不能为空'],
    [{ sellerCustid: '   ', agcustid: 'OLD' }, '保留供应商编码不能为空'],
    [{ sellerCustid: 'KEEP', agcustid: '' }, '被替换供应商编码不能为空'],
    [{ sellerCustid: 'KEEP', agcustid: '\t\n' }, '被替换供应商编码不能为空'],
    [{ sellerCustid: 'KEEP', agcustid: 'KEEP' }, '被替换供应商不能与保留供应商相同'],
    [{ sellerCustid: 'KEEP', agcustid: ' KEEP ' }, '被替换供应商不能与保留供应商相同'],
    [{ sellerCustid: 'NOBODY', agcustid: 'OLD' }, 'NOBODY'],
    [{ sellerCustid: 'KEEP', agcustid: 'NOBODY' }, 'NOBODY'],
    [{ sellerCustid: "' or '1'='1", agcustid: 'OLD' }, '不存在'],
    [{ sellerCustid: '%', agcustid: 'OLD' }, '不存在'],
    [{ sellerCustid: '_____', agcustid: 'OLD' }, '不存在'],
    [{ sellerCustid: 'x; drop table supplier', agcustid: 'OLD' }, '不存在'],
    [{ sellerCustid: 'x'.repeat(31), agcustid: 'OLD' }, ''],
    [{ sellerCustid: 5, agcustid: 'OLD' }, ''],
    [{ sellerCustid: null, agcustid: 'OLD' }, ''],
    [{ sellerCustid: ['KEEP'], agcustid: 'OLD' }, ''],
    [{ sellerCustid: { eq: 'KEEP' }, agcustid: 'OLD' }, ''],
    [{ sellerCustid: true, agcustid: 'OLD' }, ''],
    [{ sellerCustid: 'KEEP', agcustid: 'OLD', force: true }, ''],
    [[], ''],
    ['KEEP', ''],
    [null, ''],
    [{ sellerCustid: '保留', agcustid: '替换' }, '不存在'],
    [{ sellerCustid: 'ｋｅｅｐ', agcustid: 'OLD' }, '不存在'],
  ])('refuses %j in Chinese', async (given, message) => {
    const text = JSON.stringify(given).replaceAll('KEEP', keepNo).replaceAll('OLD', replacedNo);
    const refused = await example.call(manager, 'POST', PATH, JSON.parse(text));
    expect(refused.status).toBeGreaterThanOrEqual(400);
    expect(refused.status).toBeLessThan(500);
    expect(refused.msg).toMatch(/[一-鿿]/);
    expect(`${refused.msg}${JSON.stringify(refused.problems)}`).toContain(message);
  });

  it('is for the trade management only', async () => {
    const sales = await example.signIn('sp.aa');
    expect((await merge(keepNo, replacedNo, sales)).status).toBe(403);
    expect((await merge(keepNo, replacedNo, '')).status).toBe(401);
  });

  it('says what is wrong with the codes', async () => {
    expect((await merge(' ', replacedNo)).msg).toBe('保留供应商编码不能为空');
    expect((await merge(keepNo, '')).msg).toBe('被替换供应商编码不能为空');
    expect((await merge(keepNo, keepNo)).msg).toBe('被替换供应商不能与保留供应商相同');
    expect((await merge(keepNo, 'AAGY999999')).msg).toBe('被替换供应商编码“AAGY999999”不存在');
  });

  it('keeps the suppliers of agency and own business apart', async () => {
    expect((await merge(ownNo, replacedNo)).msg).toBe('代理与自营的供应商不能合并');
  });

  it('moves every reference once, though two ask at once', async () => {
    const answers = await Promise.all([merge(keepNo, replacedNo), merge(keepNo, replacedNo)]);
    expect(answers.map(({ msg }) => msg).toSorted()).toEqual(
      ['替换成功!', `供应商“${replacedNo}”已被替换`].toSorted(),
    );
    const left = await example.services.db.query(
      'select 1 from relation where supplier_id = $1::uuid union all select 1 from goods where $1::uuid = any(supplier_ids::uuid[])',
      [example.masters.supplier],
    );
    expect(left).toEqual([]);
    const logs = await example.services.db.query<{ affected: number }>(
      'select affected from supplier_switch',
      [],
    );
    expect(logs).toHaveLength(1);
    expect(Number(logs[0]?.affected)).toBeGreaterThan(0);
  });
});
