import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemCaller } from '#server/records/call/system-caller.ts';
import { insertRecord, readRecord } from '#server/records/write/system-write.ts';
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
  it.each<readonly [given: unknown, message: string]>([
    [{}, '保留供应商编码不能为空'],
    [{ sellerCustid: 'KEEP' }, '被替换供应商编码不能为空'],
    [{ agcustid: 'KEEP' }, '保留供应商编码不能为空'],
    [{ sellerCustid: '', agcustid: 'OLD' }, '保留供应商编码不能为空'],
    [{ sellerCustid: '   ', agcustid: 'OLD' }, '保留供应商编码不能为空'],
    [{ sellerCustid: '\u3000', agcustid: 'OLD' }, '保留供应商编码不能为空'],
    [{ sellerCustid: 'KEEP', agcustid: '' }, '被替换供应商编码不能为空'],
    [{ sellerCustid: 'KEEP', agcustid: '\t\n' }, '被替换供应商编码不能为空'],
    [{ sellerCustid: 'KEEP', agcustid: 'KEEP' }, '被替换供应商不能与保留供应商相同'],
    [{ sellerCustid: 'KEEP', agcustid: ' KEEP ' }, '被替换供应商不能与保留供应商相同'],
    [{ sellerCustid: 'NOBODY', agcustid: 'NOBODY' }, '被替换供应商不能与保留供应商相同'],
    [{ sellerCustid: 'NOBODY', agcustid: 'OLD' }, '保留供应商编码“NOBODY”不存在'],
    [{ sellerCustid: 'KEEP', agcustid: 'NOBODY' }, '被替换供应商编码“NOBODY”不存在'],
    [{ sellerCustid: "' or '1'='1", agcustid: 'OLD' }, "保留供应商编码“' or '1'='1”不存在"],
    [{ sellerCustid: '%', agcustid: 'OLD' }, '保留供应商编码“%”不存在'],
    [{ sellerCustid: '_____', agcustid: 'OLD' }, '保留供应商编码“_____”不存在'],
    [{ sellerCustid: 'x; drop table supplier', agcustid: 'OLD' }, '保留供应商编码“x; drop table supplier”不存在'],
    [{ sellerCustid: '保留', agcustid: '替换' }, '保留供应商编码“保留”不存在'],
    [{ sellerCustid: 'ｋｅｅｐ', agcustid: 'OLD' }, '保留供应商编码“ｋｅｅｐ”不存在'],
    [{ sellerCustid: 'x'.repeat(31), agcustid: 'OLD' }, '请求内容有误：sellerCustid 最多 30 个字符'],
    [{ sellerCustid: 'KEEP', agcustid: 'x'.repeat(31) }, '请求内容有误：agcustid 最多 30 个字符'],
    [{ sellerCustid: 5, agcustid: 'OLD' }, '请求内容有误：sellerCustid 应为文字'],
    [{ sellerCustid: null, agcustid: 'OLD' }, '请求内容有误：sellerCustid 应为文字'],
    [{ sellerCustid: ['KEEP'], agcustid: 'OLD' }, '请求内容有误：sellerCustid 应为文字'],
    [{ sellerCustid: { eq: 'KEEP' }, agcustid: 'OLD' }, '请求内容有误：sellerCustid 应为文字'],
    [{ sellerCustid: true, agcustid: 'OLD' }, '请求内容有误：sellerCustid 应为文字'],
    [{ sellerCustid: 'KEEP', agcustid: 'OLD', force: true }, '请求内容有误：force 是未知字段'],
    [[], '请求内容有误：应为对象'],
    ['KEEP', '请求内容有误：应为对象'],
    [null, '保留供应商编码不能为空'],
    [{ sellerCustid: 'KEEP\u0000', agcustid: 'OLD' }, '文字中含有无效字符'],
  ])('refuses %j with its message', async (given, message) => {
    const text = JSON.stringify(given).replaceAll('KEEP', keepNo).replaceAll('OLD', replacedNo);
    const refused = await example.call(manager, 'POST', PATH, JSON.parse(text));
    expect([refused.status, refused.msg]).toEqual([400, message]);
  }); // prettier-ignore

  it.each<readonly [given: readonly [string, string], which: readonly string[]]>([
    [
      ['', ' '],
      ['保留供应商编码不能为空', '被替换供应商编码不能为空'],
    ],
    [['', 'OLD'], ['保留供应商编码不能为空']],
    [
      ['NOBODY', 'NONE'],
      ['保留供应商编码“NOBODY”不存在', '被替换供应商编码“NONE”不存在'],
    ],
  ])('names whatever is wrong with %j, each at its place', async ([keep, replaced], which) => {
    const refused = await merge(keep, replaced.replace('OLD', replacedNo));
    expect(refused.problems.map(({ message }) => message)).toEqual(which);
    expect(refused.problems.map(({ path }) => path)).toEqual(
      ['sellerCustid', 'agcustid'].slice(0, which.length),
    );
  });

  it('is for the trade management only', async () => {
    const sales = await example.signIn('sp.aa');
    expect((await merge(keepNo, replacedNo, sales)).status).toBe(403);
    expect((await merge(keepNo, replacedNo, '')).status).toBe(401);
  });

  it("tells another company's code like an unknown one, and names one that is not in force", async () => {
    const { services, masters } = example;
    const add = (company: string, values: Record<string, unknown>) =>
      services.db.transaction((tx) =>
        insertRecord({ tx, services, caller: systemCaller(services, company) }, 'supplier', values),
      );
    const foreign = String((await add('AE', { name: '别家的工厂', status: 'active' }))['supplier_no']);
    expect((await merge(foreign, replacedNo)).msg).toBe(`保留供应商编码“${foreign}”不存在`);
    expect((await merge(keepNo, foreign)).msg).toBe(`被替换供应商编码“${foreign}”不存在`);
    const own = { partner_id: masters.partner, business_type: 'agency' };
    const draft = String((await add('AA', { name: '草稿的工厂', ...own }))['supplier_no']);
    expect((await merge(draft, replacedNo)).msg).toBe(`保留供应商“${draft}”未启用`);
    expect((await merge(keepNo, draft)).msg).toBe(`被替换供应商“${draft}”未启用`);
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
