import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ReportDrill, ReportResult, ReportResultRow } from '#contract/reports.ts';
import { addDays, addMonths } from '#engine/values/dates.ts';
import { compareDecimals, isPlainDecimal, roundDecimal, sumDecimals } from '#engine/values/decimal.ts';
import { isGrowth } from '#engine/report/finish-report.ts';
import { lintDefinitions } from '#engine/schema/lint-resource.ts';
import { formatFault } from '#engine/schema/source-file.ts';
import { reportSummary } from '#server/business/reports/report-summary.ts';
import { sendSubscriptions } from '#server/business/reports/send-subscriptions.ts';
import { reportSheet } from '#server/workflow/transfer/report-sheet.ts';
import { readWorkbook } from '#server/workflow/transfer/read-workbook.ts';
import { readDefinitionFiles } from '../../../scripts/definition-files.ts';
import { startTradeExample, type TradeExample } from '../trade/trade-example.ts';
import { plantsOf } from './planted-data.ts';
import { plantWorld, type World } from './planted-world.ts';
import { plantAnything } from './random-rows.ts';
import { isSailed, RECKONED } from './reckoned.ts';
import { differences } from './differences.ts';
import { moneyStatements } from './money-statements.ts';
import { tradeStatements } from './trade-statements.ts';

const WHO = [
  ['gm.aa', 'GM'],
  ['dc.aa', 'DC'],
  ['sp.aa', 'SP'],
  ['fn.aa', 'FN'],
  ['gm.ae', 'GM'],
  ['ad.aa', 'AD'],
  ['tm.aa', 'TM'],
] as const;

let example: TradeExample;
let tokens: Record<string, string>;
let world: World;

const TODAY = new Date(Date.now() + 8 * 3_600_000).toISOString().slice(0, 10);
/** Wide enough for two years and their comparison; the first day of a month, as series begin. */
const WIDE = { from: `${addMonths(TODAY, -14).slice(0, 8)}01`, to: TODAY };

beforeAll(async () => {
  example = await startTradeExample({ isRateLimited: false });
  tokens = {};
  for (const [name, role] of WHO) tokens[name] = await example.signIn(name, role);
  world = await plantWorld(example, await plantsOf(example), TODAY);
}, 300_000);
afterAll(() => example.close());

async function run(
  who: string,
  report: string | number,
  params: Readonly<Record<string, unknown>> = {},
): Promise<ReportResult> {
  const answer = await example.call(tokens[who] ?? '', 'POST', `/report/${report}/run`, { params });
  expect([report, answer.status, answer.msg, answer.problems]).toEqual([report, 200, expect.any(String), []]);
  return answer.data as unknown as ReportResult;
}

async function drill(
  who: string,
  report: string,
  body: Readonly<Record<string, unknown>>,
): Promise<ReportDrill> {
  const answer = await example.call(tokens[who] ?? '', 'POST', `/report/${report}/drill`, {
    pageSize: 1_000,
    ...body,
  });
  expect([report, answer.status, answer.msg, answer.problems]).toEqual([report, 200, expect.any(String), []]);
  return answer.data as unknown as ReportDrill;
}

function wideParams(report: string | number): Readonly<Record<string, unknown>> {
  const { params = {} } = example.services.definitions.setup().reports[String(report)] ?? {};
  return 'from' in params && 'to' in params ? WIDE : {};
}

function figure(row: ReportResultRow | null | undefined, key: string): string {
  const cell = row?.cells[key];
  if (typeof cell === 'object' && cell !== null) return sumDecimals(Object.values(cell));
  return isPlainDecimal(cell) ? cell : '0';
}

function same(a: string, b: string): boolean {
  return compareDecimals(a, b) === 0;
}

describe('a page of cards', () => {
  it.each([
    ['sp.aa', '新增外销合同', '登记收汇'],
    ['fn.aa', '登记财务费用', '新增外销合同'],
  ])('offers %s what may be begun, at most eight', async (who, offered, kept) => {
    const { status, data } = await example.call(tokens[who] ?? '', 'GET', '/dashboard/home');
    const { starts } = data as unknown as { readonly starts: readonly { readonly title: string }[] };
    const titles = starts.map(({ title }) => title);
    expect([status, titles.length <= 8, titles.includes(offered), titles.includes(kept)]).toEqual([
      200,
      true,
      true,
      false,
    ]);
  });

  it('shows the overdue ones alone with parameters of their own', async () => {
    const { data } = await example.call(tokens['gm.aa'] ?? '', 'GET', '/dashboard/warnings');
    const { cards } = data as unknown as {
      readonly cards: readonly { report: number; days: string; overdue: string; late?: object }[];
    };
    for (const { report, days, overdue, late = {} } of cards) {
      const { rows } = await run('gm.aa', report, { ...late });
      const sign = overdue === 'positive' ? 1 : -1;
      const lines = rows.filter(({ isLine, isRest }) => isLine && isRest !== true);
      expect([report, lines.filter(({ cells }) => Number(cells[days]) * sign < 1)]).toEqual([report, []]);
    }
  });
});

describe('every report', () => {
  const STORY = { timeout: 400_000 };
  it(
    'opens each figure as the records behind it, in its list too, and its total is the sum of its lines',
    STORY,
    async () => {
      const { reports } = example.services.definitions.setup();
      for (const [id, { roles }] of Object.entries(reports)) {
        const who = WHO.find(([, role]) => roles.includes(role))?.[0] ?? '';
        expect([id, who]).not.toEqual([id, '']);
        const params = wideParams(id);
        const result = await run(who, id, params);
        expect([id, result.isCapped]).toEqual([id, false]);
        await figuresOpen({ id, who }, params, result);
        totalsAdd(id, result);
      }
    },
  );

  it.each(RECKONED.map(([report, reckon]) => [report, reckon] as const))(
    '%s agrees with what is reckoned without it',
    async (report, reckon) => {
      const result = await run('gm.aa', report, wideParams(report));
      const expected = reckon(world, { today: TODAY, ...WIDE });
      const { each } = example.services.definitions.setup().reports[String(report)]?.rows ?? {};
      // The inner keys alone where the outer ones follow from them.
      const [first = '[]'] = Object.keys(expected);
      const depth = (JSON.parse(first) as readonly unknown[]).length;
      const keyOf = (row: ReportResultRow): string =>
        JSON.stringify(each === true ? [row.id] : row.keys.slice(-depth));
      const lines = new Map(result.rows.filter(({ isLine }) => isLine).map((row) => [keyOf(row), row]));
      expect(Object.keys(expected).length).toBeGreaterThan(0);
      for (const [key, cells] of Object.entries(expected))
        for (const [column, value] of Object.entries(cells))
          expect([key, column, roundDecimal(figure(lines.get(key), column), 4)]).toEqual([
            key,
            column,
            roundDecimal(value, 4),
          ]);
      expect(
        [...lines.keys()]
          .filter((key) => !(key in expected))
          .map((key) => figure(lines.get(key), 'usd'))
          .filter((usd) => !same(usd, '0')),
      ).toEqual([]);
    },
  );
});

/** A line, a subtotal and the total, in every column that is a sum or a count, and in those of other stretches that open. */
async function figuresOpen(
  { id, who }: { readonly id: string; readonly who: string },
  params: object,
  result: ReportResult,
): Promise<void> {
  const { columns = [] } = example.services.definitions.setup().reports[id] ?? {};
  const shown = new Set(result.columns.map(({ key }) => key));
  const opened = new Set(result.columns.filter(({ opens }) => opens).map(({ key }) => key));
  const summed = columns.filter(
    (column) =>
      ((column.sum !== undefined || column.count === true) && shown.has(column.key)) ||
      (column.compare !== undefined && !isGrowth(column) && opened.has(column.key)),
  );
  const line = result.rows.find(({ isLine, isRest }) => isLine && isRest !== true);
  const group = result.rows.find(({ isLine }) => !isLine);
  for (const row of [line, group, result.total]) {
    if (row === undefined || row === null) continue;
    for (const column of summed) {
      const cell = row.cells[column.key] ?? null;
      const parts: readonly (readonly [string | null, unknown])[] =
        typeof cell === 'object' && cell !== null ? Object.entries(cell) : [[null, cell]];
      for (const [currency, amount] of parts) {
        const where = `${id} ${column.key} ${JSON.stringify(row.keys)} ${String(currency)}`;
        const behind = await drill(who, id, {
          params,
          column: column.key,
          keys: row.keys,
          id: row.id,
          currency,
        });
        expect([where, same(behind.sum ?? '0', String(amount ?? '0'))]).toEqual([where, true]);
        expect([
          where,
          same(sumDecimals(behind.records.map(({ value }) => value)), behind.sum ?? '0'),
        ]).toEqual([where, true]);
        if (behind.filters !== null) await listAgrees(who, behind, where);
      }
    }
  }
}

async function listAgrees(who: string, behind: ReportDrill, where: string): Promise<void> {
  const list = await example.call(tokens[who] ?? '', 'POST', `/data/${String(behind.resource)}/query`, {
    filters: behind.filters,
    pageSize: 1_000,
    columns: ['id'],
  });
  expect([where, list.status, list.msg]).toEqual([where, 200, expect.any(String)]);
  const { records } = list.data as unknown as { readonly records: readonly { readonly id: string }[] };
  const shown = new Set(behind.records.map(({ id }) => id));
  expect([where, records.map(({ id }) => id).sort()]).toEqual([where, [...shown].sort()]);
}

function totalsAdd(id: string, result: ReportResult): void {
  const { columns = [] } = example.services.definitions.setup().reports[id] ?? {};
  if (result.total === null) return;
  for (const { key, sum, count, per, hidden } of columns) {
    if ((sum === undefined && count !== true) || per !== undefined || hidden === true) continue;
    const lines = result.rows.filter(({ isLine }) => isLine).map((row) => figure(row, key));
    expect([id, key, same(sumDecimals(lines), figure(result.total, key))]).toEqual([id, key, true]);
  }
}

describe('a sum over lines', () => {
  /** Before everything else that is planted. */
  const day = '2015-03-04';
  const params = { from: day, to: day };

  it('adds quantities of one unit only, and opens them', async () => {
    const { plant } = await plantsOf(example);
    const shipment = await plant('shipment', { shipment_no: 'MX-UNITS', status: 'shipped', has_sailed: true, atd: day, currency: 'USD', total_amount: '30.00', amount_usd: '30.00' }); // prettier-ignore
    const item = { parent_id: shipment.id, hs_code: '7318159090', refund_rate: '13' };
    for (const [index, [goods, unit, quantity]] of [
      ['000000000001', 'PCS', '1000'],
      ['000000000002', 'PCS', '200'],
      ['000000000003', 'KG', '500'],
    ].entries())
      await plant('shipment__items', { ...item, line_order: index, goods_id: `00000000-0000-7000-8000-${goods ?? ''}`, unit, quantity, amount: '10.00' }); // prettier-ignore
    const { rows, total } = await run('gm.aa', 53, params);
    const quantities = (level: number) =>
      rows.filter((row) => row.level === level).map((row) => Number(row.cells['quantity'] ?? 0));
    expect([1, 2, 3, 4].map((level) => quantities(level).toSorted((a, b) => a - b))).toEqual([
      [0],
      [0],
      [500, 1200],
      [200, 500, 1000],
    ]);
    expect([total?.cells['quantity'], total?.cells['usd']]).toEqual([null, '30.00']);
    const pieces = rows.find((row) => row.level === 3 && row.keys[2] === 'PCS');
    const behind = await drill('gm.aa', '53', { params, column: 'quantity', keys: pieces?.keys });
    expect([Number(behind.sum), behind.records.length]).toEqual([1200, 2]);
    const listed = await run('gm.aa', 41, params);
    expect(listed.rows.map(({ cells }) => Number(cells['quantity']))).toEqual([1700]);
    expect(listed.total?.cells).not.toHaveProperty('quantity');
  });

  it('a dollar costs what all dollars cost, however much of them has come in', async () => {
    const { plant } = await plantsOf(example);
    for (const [exchange_cost, received_cny] of [
      ['6.5000', '700000.00'],
      ['7.5000', '350000.00'],
    ]) {
      const shipment = await plant('shipment', { shipment_no: `MX-${exchange_cost ?? ''}`, status: 'settled', has_sailed: true, currency: 'USD', fob_net: '100000.00' }); // prettier-ignore
      await plant('project_settlement', { settle_no: `JS-${exchange_cost ?? ''}`, status: 'approved', settled_on: day, currency: 'USD', shipment_id: shipment.id, exchange_cost, received_cny }); // prettier-ignore
    }
    const { total } = await run('gm.aa', 71, params);
    expect(Number(total?.cells['cost'])).toBe(7);
  });
});

it('a target counts for those too who have exported nothing, and exports open in their list', async () => {
  const set = (target: string) =>
    example.services.db.execute(
      `update person set annual_export_target = ${target} where personid in ('sp.aa', 'fn.aa')`,
    );
  await set('1000000');
  const { rows, total } = await run('gm.aa', 50, WIDE);
  await set('null');
  expect(total?.cells['target']).toBe('2000000.00');
  const people = await example.services.db.query(`select id, personid from person`, []);
  const idle = people.find((row) => row['personid'] === 'fn.aa')?.['id'];
  const line = rows.find(({ isLine, keys }) => isLine && keys[1] === idle);
  expect([line?.cells['target'], line?.cells['usd'], line?.cells['count']]).toEqual([
    '1000000.00',
    null,
    null,
  ]);
  const behind = await drill('gm.aa', '50', { params: WIDE, column: 'usd', keys: [] });
  expect([behind.resource, behind.records.length > 0]).toEqual(['shipment', true]);
});

describe('rights', () => {
  it('hold inside the statement: own rows, own company, and what is hidden is left out by name', async () => {
    const all = await run('gm.aa', 59);
    const own = await run('sp.aa', 59);
    expect(compareDecimals(figure(own.total, 'all'), figure(all.total, 'all'))).toBe(-1);
    const elsewhere = world.shipments[1]?.['status'];
    const other = await run('gm.ae', 59);
    expect(other.total?.count ?? 0).toBe(isSailed(elsewhere) ? 1 : 0);
    const refused = await example.call(tokens['dc.aa'] ?? '', 'POST', '/report/59/run', {});
    expect(refused.status).toBe(403);
    const { services } = example;
    await services.db.execute(
      `insert into permission_rule (id, version, created_at, updated_at, role_id, resource, actions, hidden_fields, status)
       select gen_random_uuid(), 1, now(), now(), id, 'shipment', '{list,read}', '{amount_usd}', 'active' from role where code = 'GM'`,
    );
    await services.definitions.refreshOverrides();
    const narrow = await run('gm.aa', 52, WIDE);
    expect(narrow.hidden).toEqual(['出口额(USD)', '占比', '同比']);
    expect(narrow.columns.map(({ key }) => key)).toEqual(['continent', 'country', 'code', 'count']);
    expect(narrow.chart).toBe(null);
    await services.db.execute(
      `delete from permission_rule where resource = 'shipment' and hidden_fields = '{amount_usd}'`,
    );
    await services.definitions.refreshOverrides();
  });

  it('what came in and was paid before a document changed hands counts for its new owner', async () => {
    const { plant } = await plantsOf(example);
    const people = await example.services.db.query<{ id: string }>(
      `select id from person where personid in ('sp.aa', 'dm.aa') order by personid desc`,
    );
    const [owner, before] = people.map(({ id }) => id);
    const shipment = await plant('shipment', { shipment_no: 'MX-HANDED', status: 'shipped', has_sailed: true, sales_id: owner, currency: 'USD', atd: addDays(TODAY, -50), receipt_due_date: addDays(TODAY, -10), total_amount: '100000.00', amount_usd: '100000.00', unreceived: '40000.00' }); // prettier-ignore
    const split = await plant('receipt_split', { split_no: 'FG-HANDED', status: 'posted', sales_id: before, split_date: addDays(TODAY, -20), currency: 'USD' }); // prettier-ignore
    await plant('receipt_split__lines', { parent_id: split.id, line_order: 0, shipment_id: shipment.id, nature: 'goods', settle_mode: 'spot', amount: '60000.00', counted_amount: '60000.00' }); // prettier-ignore
    const purchase = await plant('purchase_contract', { purchase_no: 'CG-HANDED', status: 'executing', sales_id: owner, total_amount: '900.00', advance_paid: '300.00' }); // prettier-ignore
    const payment = await plant('payment_request', { pay_no: 'HK-HANDED', status: 'paid', pay_type: 'advance', sales_id: before, paid_date: addDays(TODAY, -20), currency: 'CNY', amount: '300.00' }); // prettier-ignore
    await plant('payment_request__goods_lines', { parent_id: payment.id, line_order: 0, purchase_contract_id: purchase.id, amount: '300.00', offset_advance: '0.00' }); // prettier-ignore
    const refund = await plant('domestic_receipt', { receipt_no: 'GN-HANDED', status: 'posted', kind: 'supplier_refund', sales_id: before, purchase_contract_id: purchase.id, payment_request_id: payment.id, value_date: addDays(TODAY, -5), amount: '120.00' }); // prettier-ignore
    for (const who of ['gm.aa', 'sp.aa']) {
      const late = (await run(who, 35)).rows.find(({ id }) => id === shipment.id);
      expect([who, late?.cells['got'], late?.cells['open']]).toEqual([
        who,
        { USD: '60000.00' },
        { USD: '40000.00' },
      ]);
      const aged = await drill(who, '59', { column: 'all', keys: [] });
      expect([who, aged.records.find(({ id }) => id === shipment.id)?.value]).toEqual([who, '40000.00']);
      const advance = (await run(who, 61)).rows.find(({ id }) => id === purchase.id);
      expect([who, advance?.cells['refunded'], advance?.cells['left']]).toEqual([who, '120.00', '180.00']);
    }
    await example.services.db.execute(
      `update shipment set is_deleted = true where id = '${shipment.id}'; update purchase_contract set is_deleted = true where id = '${purchase.id}';
       update domestic_receipt set is_deleted = true where id = '${refund.id}'; update payment_request set is_deleted = true where id = '${payment.id}'; update receipt_split set is_deleted = true where id = '${split.id}'`,
    );
  });

  it('leave out the part of a comparison of which the reader may see no figure, and say which it is', async () => {
    const days = { from: WIDE.from, to: TODAY };
    const [all, own] = [await run('gm.aa', 903, days), await run('sp.aa', 903, days)];
    const said = ({ rows }: ReportResult) => rows.map(({ cells }) => cells['what']);
    expect(all.hidden).not.toContain('结汇水单');
    expect(own.hidden).toEqual(['结汇水单']);
    expect(own.columns.map(({ key }) => key)).toContain('now');
    expect(said(own)).toContain('exports');
    expect(said(own)).not.toContain('exchanged');
  });

  it('tell what stands behind a figure beside its number, as far as the asker reads it', async () => {
    const { services } = example;
    const behind = async () => {
      const answer = await drill('gm.aa', '59', { column: 'all', keys: [] });
      return answer.records.map(({ caption }) => caption);
    };
    const rows = await services.db.query(
      `select s.invoice_no, b.name_en from shipment s join buyer b on b.id = s.buyer_id where s.co_code = 'AA'`,
    );
    const known = new Set(rows.map((row) => `${String(row['invoice_no'])} ${String(row['name_en'])}`));
    const seen = await behind();
    expect(seen.length).toBeGreaterThan(0);
    expect(seen.map((caption) => caption.join(' ')).filter((text) => !known.has(text))).toEqual([]);
    await services.db.execute(
      `insert into permission_rule (id, version, created_at, updated_at, role_id, resource, actions, hidden_fields, status)
       select gen_random_uuid(), 1, now(), now(), id, 'shipment', '{list,read}', '{buyer_id}', 'active' from role where code = 'GM'`,
    );
    await services.definitions.refreshOverrides();
    const names = new Set(rows.map((row) => String(row['name_en'])));
    expect((await behind()).flat().filter((text) => names.has(text))).toEqual([]);
    await services.db.execute(
      `delete from permission_rule where resource = 'shipment' and hidden_fields = '{buyer_id}'`,
    );
    await services.definitions.refreshOverrides();
  });

  it('a list says of which source it may not be exported, figures may be taken out by who reads them', async () => {
    const refusal = async (who: string, report: number): Promise<unknown> =>
      (await example.call(tokens[who] ?? '', 'GET', `/report/${report}`)).data?.['exportRefusal'];
    expect([await refusal('gm.aa', 37), await refusal('dc.aa', 37), await refusal('gm.aa', 62)]).toEqual([
      '本表逐条列出单据，没有信用证的导出权限，不能导出',
      null,
      null,
    ]);
    const asked = { params: {} };
    expect((await example.call(tokens['gm.aa'] ?? '', 'POST', '/report/37/export', asked)).status).toBe(403);
  });

  it('bad parameters are refused by name', async () => {
    for (const [params, message] of [
      [{ as_of: 'x' }, '参数“截止日期”的值不正确'],
      [{ as_of: '' }, '请填写“截止日期”'],
      [{ by: 'password' }, '参数“分组”的值不正确'],
      [{ nothing: '1' }, '未知参数“nothing”'],
    ] as const) {
      const refused = await example.call(tokens['gm.aa'] ?? '', 'POST', '/report/59/run', { params });
      expect([refused.status, refused.msg]).toEqual([400, message]);
    }
    const turned = { from: '2026-12-31', to: '2026-01-01' };
    const backwards = await example.call(tokens['gm.aa'] ?? '', 'POST', '/report/64/run', { params: turned });
    expect(backwards).toMatchObject({ status: 400, problems: [{ path: 'params.to' }] });
    expect(backwards.msg).toMatch(/^“.+”不能早于“.+”$/);
    const empty = await run('gm.aa', 60, { from: addDays(TODAY, 700), to: addDays(TODAY, 701) });
    expect(empty.rows).toEqual([]);
    const missing = await example.call(tokens['gm.aa'] ?? '', 'POST', '/report/9999/run', {});
    expect(missing.status).toBe(404);
  });
});

describe('report_config', () => {
  const save = (values: Readonly<Record<string, unknown>>) =>
    example.call(tokens['ad.aa'] ?? '', 'POST', '/data/report_config', values);

  it('changes what a report is called and shows, in its own company alone', async () => {
    const defaults = [{ param: 'by', value: 'partner_id' }];
    const saved = await save({
      report: 59,
      title: '账龄（部门会用）',
      hidden_columns: ['share'],
      defaults,
      chart: 'none',
    });
    expect([saved.status, saved.problems]).toEqual([200, []]);
    const changed = await run('gm.aa', 59);
    expect([changed.title, changed.chart, changed.columns.some(({ key }) => key === 'share')]).toEqual([
      '账龄（部门会用）',
      null,
      false,
    ]);
    expect(changed.params.find(({ title }) => title === '分组')?.text).toBe('委托方');
    expect((await run('gm.ae', 59)).title).toBe('应收汇账龄表');
  });

  it('draws the shares beside the map, and another kind alone', async () => {
    const shares = { kind: 'pie', x: 'country', y: ['usd'], top: 8 };
    expect((await run('gm.aa', 52)).chart).toEqual({ kind: 'map', x: 'code', y: ['usd'], beside: shares });
    expect((await save({ report: 52, title: '国别', chart: 'bar' })).status).toBe(200);
    expect((await run('gm.aa', 52)).chart).toEqual({ kind: 'bar', x: 'code', y: ['usd'] });
  });

  it('a result that is kept for some minutes is not shown after the rights have changed', async () => {
    const { services } = example;
    const definition = {
      report: 1009,
      title: '出口额',
      route: '/own',
      roles: ['GM'],
      cacheMinutes: 60,
      rows: { from: 'shipment', by: ['trade_country_id'] },
      columns: [
        { key: 'country', title: '国别', value: 'trade_country_id' },
        { key: 'count', title: '票数', count: true },
        { key: 'usd', title: '出口额', sum: 'amount_usd' },
      ],
    };
    const saved = await save({ report: 1009, title: '出口额', definition: JSON.stringify(definition) });
    expect([saved.status, saved.problems]).toEqual([200, []]);
    const first = await run('gm.aa', 1009);
    expect((await run('gm.aa', 1009)).at).toBe(first.at);
    const rule = async (actions: string, hidden: string) => {
      await services.db.execute(`delete from permission_rule where resource = 'shipment'`);
      await services.db.execute(
        `insert into permission_rule (id, version, created_at, updated_at, role_id, resource, actions, hidden_fields, status)
         select gen_random_uuid(), 1, now(), now(), id, 'shipment', $1::text[], $2::text[], 'active' from role where code = 'GM'`,
        [actions, hidden],
      );
      await services.definitions.refreshOverrides();
    };
    await rule('{list,read}', '{amount_usd}');
    expect((await run('gm.aa', 1009)).hidden).toEqual(['出口额']);
    await rule('{read}', '{}');
    expect((await example.call(tokens['gm.aa'] ?? '', 'POST', '/report/1009/run', {})).status).toBe(403);
    await services.db.execute(`delete from permission_rule where resource = 'shipment'`);
    await services.definitions.refreshOverrides();
    expect((await run('gm.aa', 1009)).columns).toEqual(first.columns);
  });

  it('takes reports of analysts in the words of report files, checked by the same lint', async () => {
    const definition = {
      report: 1001,
      title: '我的报表',
      route: '/own',
      roles: ['GM'],
      rows: { from: 'shipment', where: { status: { in: '@sailed' } }, by: ['currency'] },
      columns: [
        { key: 'currency', title: '币种', value: 'currency' },
        { key: 'amount', title: '金额', sum: 'total_amount' },
      ],
      totals: true,
    };
    const wrong = JSON.stringify(definition, null, 1).replace('total_amount', 'total_amont');
    const refused = await save({ report: 1001, title: '我的报表', definition: wrong });
    expect([refused.status, refused.problems.map(({ path }) => path)]).toEqual([400, ['definition']]);
    expect(refused.problems[0]?.message).toMatch(
      /^第 \d+ 行第 \d+ 列：未知字段 "total_amont"，是否想写 "total_amount"？$/,
    );
    const received = { of: 'receipt_split.lines', by: 'shipment_id', sum: 'amount', whole: true };
    const rows = { ...definition.rows, with: { received } };
    const whole = JSON.stringify({ ...definition, rows }, null, 1);
    expect((await save({ report: 1001, title: '我的报表', definition: whole })).problems).toEqual([
      {
        path: 'definition',
        code: 'definition',
        message: expect.stringMatching(/自建报表只汇总查看人可见的单据，不能用 "whole"$/),
      },
    ]);
    expect(
      (await save({ report: 1001, title: '我的报表', definition: JSON.stringify(definition) })).status,
    ).toBe(200);
    const result = await run('gm.aa', 1001);
    expect(
      same(figure(result.total, 'amount'), sumDecimals(result.rows.map((row) => figure(row, 'amount')))),
    ).toBe(true);
    const own = await example.call(tokens['gm.aa'] ?? '', 'GET', '/reports/own');
    expect(own.data).toContainEqual({ report: 1001, title: '我的报表' });
  });
});

describe('what takes long or comes by itself', () => {
  it('a subscription is sent once a period with its link, and ends by itself when its person has left', async () => {
    const { services } = example;
    const made = await example.call(tokens['sp.aa'] ?? '', 'POST', '/data/report_subscription', {
      name: '应收汇账龄表',
      report: 59,
      every: 'monthly',
      role_code: 'SP',
      params: JSON.stringify({ by: 'partner_id', as_of: '2020-01-01' }),
    });
    expect([made.status, made.problems]).toEqual([200, []]);
    const notices = () =>
      services.db.query<{ title: string; content: string; link: string | null }>(
        `select title, content, link from sys_notice where event = 'REPORT_SENT' order by created_at`,
        [],
      );
    await sendSubscriptions(services);
    expect(await notices()).toEqual([]);
    await services.db.execute(`update report_subscription set created_at = now() - interval '40 days'`, []);
    await Promise.all([sendSubscriptions(services), sendSubscriptions(services)]);
    const [sent, ...others] = await notices();
    expect(others).toEqual([]);
    const ended = addDays(`${TODAY.slice(0, 8)}01`, -1);
    // A report may have another name here by then, and a column less.
    expect(sent?.title).toMatch(new RegExp(`^.*账龄.*（${ended.slice(0, 8)}01 至 ${ended}）$`));
    const asked = { by: 'partner_id', as_of: ended };
    expect(sent?.link).toBe(`/tjbb/yszl?${new URLSearchParams({ p: JSON.stringify(asked) }).toString()}`);
    expect(sent?.content).toMatch(/^共 \d+ 行；.*合计\(USD\) [\d,.]+/);
    await services.db.execute(
      `update report_subscription set last_on = null; update person set leave_date = current_date - 1 where personid = 'sp.aa'`,
    );
    await sendSubscriptions(services);
    const [row] = await services.db.query(`select ended_reason, last_on from report_subscription`, []);
    expect(row).toEqual({ ended_reason: '人员已离职或已没有订阅时的角色', last_on: null });
    await services.db.execute(`update person set leave_date = null where personid = 'sp.aa'`, []);
  });

  it('how figures have gone follows the days that the report is asked for, and is a sheet of its export', async () => {
    const params = { from: '2026-08-01', to: '2026-08-31' };
    const { title, chart } = await run('gm.aa', 1, params);
    const days = { from: '2024-09-01', to: '2026-08-31' };
    expect(chart?.trend).toEqual({ report: 70, params: expect.objectContaining(days) });
    const months = await run('gm.aa', 70, chart?.trend?.params);
    expect(months.rows.length).toBeGreaterThan(0);
    const response = await fetch(`${example.url}/erp/api/report/1/export`, {
      method: 'POST',
      headers: { authorization: tokens['gm.aa'] ?? '', 'content-type': 'application/json' },
      body: JSON.stringify({ params }),
    });
    const sheets: Record<string, string> = {};
    const bytes = Buffer.from(await response.arrayBuffer());
    for await (const { sheet = title, cells } of readWorkbook(bytes, [months.title]))
      sheets[sheet] = `${sheets[sheet] ?? ''}${cells.map((cell) => cell?.text ?? '').join(' ')}\n`;
    expect(Object.keys(sheets)).toEqual([title, months.title]);
    expect(sheets[months.title]).toContain('2024-09-01');
    expect(sheets[months.title]).toContain('2026-08');
  });

  it('more lines than a page are exported by a job, and one that was cancelled leaves no file', async () => {
    const { services } = example;
    await copyEntries(5001, { entry_no: `'MANY' || g` });
    const definition = {
      report: 1002,
      title: '流水',
      route: '/own',
      roles: ['GM'],
      rows: { from: 'fund_ledger_entry' },
      columns: [
        { key: 'no', title: '流水号', value: 'entry_no' },
        { key: 'amount', title: '金额', sum: 'amount', currency: 'currency' },
      ],
    };
    await example.call(tokens['ad.aa'] ?? '', 'POST', '/data/report_config', {
      report: 1002,
      title: '流水',
      definition: JSON.stringify(definition),
    });
    const gm = tokens['gm.aa'] ?? '';
    const ask = async (): Promise<string> => {
      const answer = await example.call(gm, 'POST', '/report/1002/export', {});
      expect([answer.status, answer.msg]).toEqual([200, expect.any(String)]);
      return (answer.data as unknown as { readonly jobId: string }).jobId;
    };
    const id = await ask();
    await expect
      .poll(async () => (await example.call(gm, 'GET', `/jobs/${id}`)).data, { timeout: 60_000 })
      .toMatchObject({ status: 'done', progress: 1 });
    const file = await fetch(`${example.url}/erp/api/jobs/${id}/file`, { headers: { authorization: gm } });
    expect((await file.arrayBuffer()).byteLength).toBeGreaterThan(50_000);
    const other = await ask();
    expect((await example.call(gm, 'DELETE', `/jobs/${other}`)).status).toBe(200);
    const [job] = await services.db.query(`select status, file_key from sys_job where id = $1`, [other]);
    expect(job).toEqual({ status: 'cancelled', file_key: null });
  });
});

it('ten at once are all answered alike; what nobody waits for any more ends in the database', async () => {
  const { services } = example;
  const all = await Promise.all(Array.from({ length: 10 }, () => run('gm.aa', 59)));
  expect(new Set(all.map(({ rows }) => JSON.stringify(rows))).size).toBe(1);
  const waiting = async (): Promise<number> => {
    const text = `select l.pid from pg_locks l join pg_database d on d.oid = l.database
      where not l.granted and d.datname = current_database()`;
    return (await services.db.query(text, [])).length;
  };
  await services.db.transaction(async (tx) => {
    await tx.execute('lock table shipment in access exclusive mode', []);
    const leaving = new AbortController();
    const asked = fetch(`${example.url}/erp/api/report/59/run`, {
      method: 'POST',
      signal: leaving.signal,
      headers: { authorization: tokens['gm.aa'] ?? '', 'content-type': 'application/json' },
      body: '{}',
    });
    await expect.poll(waiting, { timeout: 10_000 }).toBe(1);
    leaving.abort();
    await expect(asked).rejects.toThrow(/abort/);
    await expect.poll(waiting, { timeout: 10_000 }).toBe(0);
  });
  expect((await run('gm.aa', 59)).rows).toEqual(all[0]?.rows);
});

/** Further entries like one of the company, with these expressions in place of what it has; `g` counts them. */
async function copyEntries(count: number, own: Readonly<Record<string, string>>): Promise<void> {
  const { db } = example.services;
  const names = await db.query<{ column_name: string }>(
    `select column_name from information_schema.columns where table_schema = 'public' and table_name = 'fund_ledger_entry' and is_generated = 'NEVER'`,
    [],
  );
  const columns = names.map(({ column_name: name }) => name);
  const values: Readonly<Record<string, string>> = {
    id: 'gen_random_uuid()',
    source_id: 'gen_random_uuid()::text',
    ...own,
  };
  await db.execute(
    `insert into fund_ledger_entry (${columns.map((name) => `"${name}"`).join(', ')})
     select ${columns.map((name) => values[name] ?? `e."${name}"`).join(', ')}
     from (select * from fund_ledger_entry where co_code = 'AA' and pool_id is not null limit 1) e, generate_series(1, ${count}) g`,
    [],
  );
}

describe('over rows of any kind in any state', () => {
  beforeAll(async () => plantAnything(example, await plantsOf(example, 11), TODAY), 120_000);

  const days = { today: TODAY, ...WIDE };
  it.each([...tradeStatements(days), ...moneyStatements(days)].map((one) => [one.report, one] as const))(
    '%s agrees with a statement of its own, line by line',
    async (report, { who, params, hidden = [], sql }) => {
      const result = await run(who, report, params);
      expect(result.hidden).toEqual(hidden);
      const rows = await example.services.db.query(sql, []);
      expect(rows.length).toBeGreaterThan(0);
      expect(differences(result, rows)).toEqual([]);
    },
  );

  it('a group without a value has its name in the sheet too', async () => {
    await copyEntries(1, {
      entry_no: `'OURS' || g`,
      partner_id: 'null::uuid',
      business_date: `'${TODAY}'::date`,
    });
    const names: unknown[] = [];
    for await (const row of reportSheet(await run('gm.aa', 63)).rows)
      names.push('sums' in row ? row.sums[0] : row[0]);
    expect(names).toEqual(expect.arrayContaining(['自营业务 小计', '自营业务']));
    expect(names).not.toContain(null);
  });

  it('a list of records that is cut has its first ones, whatever groups they are in, and says so', async () => {
    let lines = 0;
    for (const [report, days] of [
      [35, 'late'],
      [36, 'left'],
      [38, 'left'],
      [39, 'left'],
    ] as const) {
      const daysOf = ({ rows }: Pick<ReportResult, 'rows'>): readonly number[] =>
        rows.filter(({ isLine }) => isLine).map(({ cells }) => Number(cells[days]));
      const all = daysOf(await run('gm.aa', report)).toSorted((a, b) => (days === 'late' ? b - a : a - b));
      for (let pageSize = 1; pageSize < Math.min(all.length, 4); pageSize += 1) {
        const answer = await example.call(tokens['gm.aa'] ?? '', 'POST', `/report/${report}/run`, {
          pageSize,
        });
        const cut = answer.data as unknown as ReportResult;
        expect([report, cut.isCapped]).toEqual([report, true]);
        expect(daysOf(cut).toSorted((a, b) => a - b)).toEqual(
          all.slice(0, pageSize).toSorted((a, b) => a - b),
        );
        expect(reportSummary(cut)).toMatch(new RegExp(`^共 ${pageSize} 行以上`));
        lines += pageSize;
      }
    }
    expect(lines).toBeGreaterThan(3);
  });

  it('a record that is a line of a document tells the document', async () => {
    const { rows } = await run('gm.aa', 39);
    const lines = rows.filter(({ source }) => source === 'insurance_policy.limits');
    const known = await example.services.db.query(`select id, parent_id from insurance_policy__limits`, []);
    const heads = new Map(known.map((row) => [row['id'], row['parent_id']]));
    expect(lines.length).toBeGreaterThan(0);
    expect(lines.map(({ head }) => head)).toEqual(lines.map(({ id }) => heads.get(id)));
    expect(rows.filter(({ source, head }) => source === 'credit_line' && head !== undefined)).toEqual([]);
  });

  it('a card that asks for one line has the total of every currency', async () => {
    const { plant } = await plantsOf(example);
    for (const currency of ['AUD', 'GBP', 'HKD'])
      await plant('fund_ledger_entry', { entry_no: `LS-${currency}`, currency, amount: '5', business_date: TODAY }); // prettier-ignore
    const all = await run('gm.aa', 63);
    const answer = await example.call(tokens['gm.aa'] ?? '', 'POST', '/report/63/run', { pageSize: 1 });
    const { total, isCapped } = answer.data as unknown as ReportResult;
    expect(Object.keys(Object(all.total?.cells['closing'])).length).toBeGreaterThan(3);
    expect([total?.cells, isCapped]).toEqual([all.total?.cells, true]);
  });
});

interface Paper {
  readonly width: number;
  readonly pages: readonly (readonly {
    readonly kind: string;
    readonly x?: number;
    readonly text?: string;
  }[])[];
}

/** The first of a resource's records that may be printed, through the eyes of whoever may. */
async function printed(resource: string, printId: string): Promise<Paper | null> {
  const rows = await example.services.db.query<{ id: string }>(
    `select id from "${resource}" where co_code = 'AA' and not is_deleted order by created_at desc, id limit 12`,
    [],
  );
  for (const { id } of rows)
    for (const who of ['gm.aa', 'fn.aa', 'dc.aa', 'tm.aa', 'sp.aa']) {
      const path = `/data/${resource}/${id}/print/${printId}`;
      const answer = await example.call(tokens[who] ?? '', 'GET', path);
      expect([path, [200, 403, 404, 409].includes(answer.status)]).toEqual([path, true]);
      if (answer.status === 200) return answer.data as unknown as Paper;
      if (answer.status === 409) break;
    }
  return null;
}

it('every print of every resource is filled in and stays on its paper, whatever stands in the record', async () => {
  for (const { resource, print } of Object.values(example.services.definitions.catalog().resources))
    for (const { id } of print) {
      const name = `${resource} ${id}`;
      const paper = await printed(resource, id);
      expect([name, paper === null]).toEqual([name, false]);
      const marks = paper?.pages.flat() ?? [];
      const texts = marks.flatMap(({ text }) => text ?? []);
      expect([name, texts.length > 8]).toEqual([name, true]);
      const odd = texts.filter((text) =>
        /[{}]|undefined|\bnull\b|\[object|NaN|[0-9a-f]{8}-[0-9a-f]{4}-/.test(text),
      );
      expect([name, odd]).toEqual([name, []]);
      const outside = marks.filter(({ x }) => x !== undefined && (x < 0 || x > (paper?.width ?? 0)));
      expect([name, outside]).toEqual([name, []]);
    }
}, 120_000);

it('a report over a field that is not there any more is told with its place and a suggestion', () => {
  const text = `{ "report": 7, "title": "x", "route": "/x", "roles": ["GM"],\n "rows": { "from": "shipment" },\n "columns": [{ "key": "a", "title": "a", "sum": "amount_us" }] }`;
  const { resourcesDir } = example.services.config;
  const files = readDefinitionFiles(resourcesDir);
  const faults = lintDefinitions([...files, { path: 'reports/7.json', text }]).filter(({ path }) =>
    path.startsWith('reports'),
  );
  expect(faults.map(formatFault)).toEqual([
    'reports/7.json:3:50 未知字段 "amount_us"，是否想写 "amount_usd"？',
  ]);
});
