import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { refreshDerived } from '#server/workflow/jobs/refresh-derived.ts';
import { type Fields, must, type RulesExample, startRulesExample } from '../rules/rules-example.ts';
import { shipmentSteps } from './shipment-steps.ts';

let rules: RulesExample;
let goods: Fields;
let other: string;

beforeAll(async () => {
  rules = await startRulesExample({ 'sp.aa': 'SP', 'tm.aa': 'TM', 'dc.aa': 'DC' });
  const { db } = rules.example.services;
  const [code] = await db.query<{ id: string }>(`select id from hs_code where code = '8481804090'`);
  await db.query(`update hs_code set elements = '品名;品牌类型;用途' where id = $1::uuid`, [code?.id]);
  const known = await rules.stored('hs_code', code?.id ?? '');
  const same = ['name', 'unit1', 'vat_rate', 'refund_rate', 'valid_from', 'status'];
  other = await rules.given('hs_code', {
    ...Object.fromEntries(same.map((name) => [name, known[name]])),
    code: '8481804091',
    elements: '用途;材质',
  });
  goods = {
    business_type: 'agency',
    partner_id: await rules.aPartner(),
    name: '铜阀门',
    name_en: 'BRASS VALVE',
    brand: '无品牌',
    brand_kind: '0',
    pref_kind: '0',
    hs_code_id: code?.id,
    unit: '007',
    unit1_factor: '0.5',
    is_dangerous: false,
  };
}, 300_000);
afterAll(() => rules.example.close());

const added = (own: Fields): Promise<Fields> =>
  must(rules.as('sp.aa', 'POST', '/data/goods', { ...goods, ...own }));
const read = (id: unknown): Promise<Fields> => must(rules.as('sp.aa', 'GET', `/data/goods/${String(id)}`));
const rowsOf = ({ elements }: Fields): readonly unknown[] =>
  (elements as readonly Fields[]).map(({ seq, element, value }) => [seq, element, value]);

const setElements = (text: string) =>
  rules.example.services.db.query('update hs_code set elements = $1 where id = $2::uuid', [
    text,
    goods['hs_code_id'],
  ]);

async function patched(who: string, id: unknown, changes: Fields) {
  const { version } = await rules.stored('goods', String(id));
  return rules.as(who, 'PATCH', `/data/goods/${String(id)}`, { version, ...changes });
}

async function active(): Promise<Fields> {
  const elements = ['品名', '品牌类型', '用途'].map((element) => ({ element, value: `${element}一` }));
  const { id } = await added({ elements });
  await must(rules.act('sp.aa', 'goods', String(id), 'submit'));
  await must(shipmentSteps(rules).decide('tm.aa', 'goods', String(id)));
  return read(id);
}

describe('declaration elements of goods', () => {
  it('have a row for each element of the HS code, with what was sent of it', async () => {
    const saved = await added({ elements: [{ element: '用途', value: '工业用' }] });
    expect(rowsOf(saved)).toEqual([
      [1, '品名', null],
      [2, '品牌类型', null],
      [3, '用途', '工业用'],
    ]);
  });

  it('keep the values of elements that another code asks for as well', async () => {
    const { id } = await added({ elements: [{ element: '用途', value: '工业用' }] });
    await must(patched('sp.aa', id, { hs_code_id: other }));
    expect(rowsOf(await read(id))).toEqual([
      [1, '用途', '工业用'],
      [2, '材质', null],
    ]);
  });

  it('must all be said before goods are handed in', async () => {
    const { id } = await added({ elements: [{ element: '用途', value: '工业用' }] });
    const { problems } = await rules.act('sp.aa', 'goods', String(id), 'submit');
    expect(problems).toMatchObject([
      { path: 'elements.0.value', message: '请填写内容（品名）' },
      { path: 'elements.1.value', message: '请填写内容（品牌类型）' },
    ]);
  });

  it('are asked for anew where the code asks for more by then', async () => {
    const { id } = await added({
      elements: ['品名', '品牌类型', '用途'].map((element) => ({ element, value: '有' })),
    });
    await setElements('品名;品牌类型;用途;型号');
    const refused = await rules.act('sp.aa', 'goods', String(id), 'submit');
    await setElements('品名;品牌类型;用途');
    expect(refused.problems).toMatchObject([{ path: 'elements.3.value', message: '请填写内容（型号）' }]);
  });

  it('are corrected by documentation while goods are in use, and by nobody else', async () => {
    const saved = await active();
    const lines = saved['elements'] as readonly Fields[];
    const change = { elements: [{ id: lines[2]?.['id'], value: '家用' }] };
    expect((await patched('sp.aa', saved['id'], change)).status).toBe(400);
    await must(patched('dc.aa', saved['id'], change));
    expect(rowsOf(await read(saved['id']))[2]).toEqual([3, '用途', '家用']);
  });

  it('stay as they are when something else is saved after the code asks for more', async () => {
    const saved = await active();
    await setElements('品名;品牌类型;用途;型号');
    await must(patched('sp.aa', saved['id'], { price_ref: '9.9' }));
    await setElements('品名;品牌类型;用途');
    expect(rowsOf(await read(saved['id']))).toEqual(rowsOf(saved));
  });

  it('go along with another code of goods in use', async () => {
    const saved = await active();
    const rehs = (changes: Fields) =>
      rules.act('sp.aa', 'goods', String(saved['id']), 'rehs', { opinion: '归类更正', inputs: { changes } });
    const same = await rehs({ hs_code_id: goods['hs_code_id'] });
    expect(same.problems).toMatchObject([{ path: 'hs_code_id', message: '新HS编码与原编码相同' }]);
    const lines = saved['elements'] as readonly Fields[];
    const elements = [
      { id: lines[2]?.['id'], value: '工业用' },
      { element: '材质', value: '黄铜' },
    ];
    await must(rehs({ hs_code_id: other, elements }));
    expect(await read(saved['id'])).toMatchObject({ status: 'pending', hs_code_id: other });
    expect(rowsOf(await read(saved['id']))).toEqual([
      [1, '用途', '工业用'],
      [2, '材质', '黄铜'],
    ]);
  });

  it('are named by their place where they come of a former text', async () => {
    const { services } = rules.example;
    const saved = await active();
    await services.db.query(
      'update goods__elements set element = null, seq = null where parent_id = $1::uuid',
      [saved['id']],
    );
    await services.db.query(`update sys_derived set fields = fields - 'elements' where resource = 'goods'`);
    await refreshDerived(services);
    expect(rowsOf(await read(saved['id']))).toEqual(rowsOf(saved));
  });
});
