import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ReportDrill, ReportResult, ReportResultColumn, ReportResultRow } from '#contract/reports.ts';
import { addDays, addMonths, daysBetween } from '#engine/values/dates.ts';
import { addDecimals, compareDecimals, isPlainDecimal, roundDecimal, sumDecimals } from '#engine/values/decimal.ts';
import { startTradeExample, type TradeExample } from '../trade/trade-example.ts';
import { type Planted, type Plants, plantsOf } from './planted-data.ts';

let example: TradeExample;
let plants: Plants;
let tokens: Record<string, string>;
let world: World;

interface World {
  readonly shipments: readonly Planted[];
  readonly splits: readonly Planted[];
}

const TODAY = new Date(Date.now() + 8 * 3_600_000).toISOString().slice(0, 10);
const WIDE = { from: addDays(addMonths(TODAY, -30), 0), to: addDays(TODAY, 60) };

beforeAll(async () => {
  example = await startTradeExample({ isRateLimited: false });
  plants = await plantsOf(example);
  tokens = {};
  for (const [name, role] of [['gm.aa', 'GM'], ['sp.aa', 'SP'], ['fn.aa', 'FN'], ['gm.ae', 'GM']] as const)
    tokens[name] = await example.signIn(name, role);
  world = await plantWorld();
}, 180_000);
afterAll(() => example.close());

async function plantWorld(): Promise<World> {
  const { plant, draw, pick } = plants;
  const { masters, services } = example;
  const people = await services.db.query<{ id: string; personid: string }>(`select id, personid from person where personid in ('sp.aa', 'dm.aa')`, []);
  const country = await plant('country', { code: 'USA', iso2: 'US', name: '美国', name_en: 'USA', status: 'active' });
  const buyers = [masters.buyer];
  for (const name of ['ALPHA INC', 'BETA LLC'])
    buyers.push((await plant('buyer', { name_en: name, buyer_no: name, country_id: country.id, partner_id: masters.partner, status: 'active' })).id);
  const shipments: Planted[] = [];
  const splits: Planted[] = [];
  for (let index = 0; index < 60; index += 1) {
    const atd = addDays(TODAY, -draw(800));
    const total = `${1_000 + draw(90_000)}.${String(draw(100)).padStart(2, '0')}`;
    const currency = pick(['USD', 'USD', 'EUR']);
    const owner = pick(people);
    const shipment = await plant('shipment', {
      shipment_no: `MX${index}`,
      invoice_no: `INV${index}`,
      status: pick(['shipped', 'shipped', 'settled', 'approved', 'cancelled']),
      business_type: pick(['agency', 'self']),
      sales_id: owner.id,
      buyer_id: pick(buyers),
      partner_id: masters.partner,
      trade_country_id: pick([country.id, masters.country]),
      currency,
      invoice_date: atd,
      atd,
      receipt_due_date: addDays(atd, 30 + draw(120)),
      total_amount: total,
      amount_usd: currency === 'USD' ? total : roundDecimal(String(Number(total) * 1.1), 2),
      received_amount: '0',
      unreceived: total,
      is_deleted: index === 0,
      co_code: index === 1 ? 'AE' : 'AA',
    });
    shipments.push(shipment);
    if (draw(3) === 0) continue;
    const split = await plant('receipt_split', {
      split_no: `FG${index}`,
      status: pick(['posted', 'posted', 'draft']),
      split_date: addDays(atd, draw(100)),
      currency,
      sales_id: owner.id,
      co_code: shipment['co_code'],
    });
    splits.push({
      ...(await plant('receipt_split__lines', {
        parent_id: split.id,
        line_order: 0,
        co_code: shipment['co_code'],
        shipment_id: shipment.id,
        nature: pick(['goods', 'goods', 'freight']),
        amount: roundDecimal(String(Number(total) / 2), 2),
      })),
      parent: split,
    });
  }
  return { shipments, splits };
}

async function run(who: string, report: string | number, params: Readonly<Record<string, unknown>> = {}): Promise<ReportResult> {
  const answer = await example.call(tokens[who] ?? '', 'POST', `/report/${report}/run`, { params });
  expect([answer.status, answer.msg, answer.problems]).toEqual([200, expect.any(String), []]);
  return answer.data as unknown as ReportResult;
}

async function drill(who: string, report: string | number, body: Readonly<Record<string, unknown>>): Promise<ReportDrill> {
  const answer = await example.call(tokens[who] ?? '', 'POST', `/report/${report}/drill`, { pageSize: 1_000, ...body });
  expect([answer.status, answer.msg, answer.problems]).toEqual([200, expect.any(String), []]);
  return answer.data as unknown as ReportDrill;
}

/** Parameters wide enough to see everything. */
function wideParams(report: string): Readonly<Record<string, unknown>> {
  const { params = {} } = example.services.definitions.setup().reports[report] ?? {};
  return Object.fromEntries(
    Object.entries(params).flatMap(([name, { type }]) =>
      type === 'date' && (name === 'from' || name === 'to') ? [[name, WIDE[name]]] : [],
    ),
  );
}

function figure(row: ReportResultRow | null | undefined, key: string): string {
  const cell = row?.cells[key];
  return isPlainDecimal(cell) ? cell : '0';
}

describe('every report', () => {
  it('opens each figure as the records behind it, and its totals are the sums of its lines', { timeout: 300_000 }, async () => {
    const { reports } = example.services.definitions.setup();
    for (const id of Object.keys(reports)) {
      const params = wideParams(id);
      const result = await run('gm.aa', id, params);
      expect(result.isCapped, id).toBe(false);
      await figuresOpen(id, params, result);
      totalsAdd(id, result);
    }
  });
});

/** The first lines, a subtotal and the total, in every column that is a sum or a count. */
async function figuresOpen(id: string, params: object, result: ReportResult): Promise<void> {
  const { columns = [] } = example.services.definitions.setup().reports[id] ?? {};
  const summed = columns.filter((column) => column.sum !== undefined || column.count === true);
  const lines = result.rows.filter(({ isLine, isRest }) => isLine && isRest !== true).slice(0, 2);
  const group = result.rows.find(({ isLine }) => !isLine);
  const rows = [...lines, group, result.total].filter((row) => row !== undefined && row !== null);
  for (const row of rows)
    for (const column of summed) {
      const cell = row.cells[column.key] ?? null;
      const parts = typeof cell === 'object' && cell !== null ? Object.entries(cell) : [[null, cell] as const];
      for (const [currency, amount] of parts) {
        const where = `${id} ${column.key} ${JSON.stringify(row.keys)} ${String(currency)}`;
        const behind = await drill('gm.aa', id, { params, column: column.key, keys: row.keys, id: row.id, currency });
        expect(same(behind.sum ?? '0', String(amount ?? '0')), `${where}: ${String(behind.sum)} ${String(amount)}`).toBe(true);
        expect(same(sumDecimals(behind.records.map(({ value }) => value)), behind.sum ?? '0'), where).toBe(true);
        if (behind.filters !== null) await listAgrees(behind, where);
      }
    }
}

async function listAgrees(behind: ReportDrill, where: string): Promise<void> {
  const list = await example.call(tokens['gm.aa'] ?? '', 'POST', `/data/${behind.resource}/query`, {
    filters: behind.filters,
    pageSize: 1_000,
    columns: ['id'],
  });
  expect([list.status, list.msg], where).toEqual([200, expect.any(String)]);
  const ids = (list.data as unknown as { records: readonly { id: string }[] }).records.map((record) => record.id);
  expect([...ids].sort(), where).toEqual([...new Set(behind.records.map((record) => record.id))].sort());
}

function totalsAdd(id: string, result: ReportResult): void {
  const { columns = [] } = example.services.definitions.setup().reports[id] ?? {};
  if (result.total === null) return;
  for (const { key, sum, count, currency } of columns) {
    if ((sum === undefined && count !== true) || currency !== undefined) continue;
    const lines = result.rows.filter(({ isLine }) => isLine).map((row) => figure(row, key));
    expect(same(sumDecimals(lines), figure(result.total, key)), `${id} ${key}`).toBe(true);
  }
}

function same(a: string, b: string): boolean {
  return compareDecimals(a, b) === 0;
}

/** What the test reckons by itself from the planted rows: cells by the label of the line. */
type Reckoned = Readonly<Record<string, Readonly<Record<string, string>>>>;

describe('reports against figures reckoned by themselves', () => {
  it.each<[number, () => Reckoned, (row: ReportResultRow, columns: readonly ReportResultColumn[]) => string]>([
    [59, receivables, (row) => String(row.keys[0])],
  ])('report %s', async (report, reckoned, nameOf) => {
    const result = await run('gm.aa', report, wideParams(String(report)));
    const lines = result.rows.filter(({ isLine }) => isLine);
    const expected = reckoned();
    expect(lines.map((row) => nameOf(row, result.columns)).sort()).toEqual(Object.keys(expected).sort());
    for (const row of lines)
      for (const [key, value] of Object.entries(expected[nameOf(row, result.columns)] ?? {}))
        expect(roundDecimal(figure(row, key), 2), `${report} ${nameOf(row, result.columns)} ${key}`).toBe(roundDecimal(value, 2));
  });
});

function counted(): readonly Planted[] {
  return world.shipments.filter((row) => row['is_deleted'] !== true && row['co_code'] === 'AA' && ['shipped', 'settled'].includes(String(row['status'])));
}

function receivables(): Reckoned {
  const cells: Record<string, Record<string, string>> = {};
  for (const row of counted()) {
    const received = world.splits
      .filter((line) => line['shipment_id'] === row.id && line['nature'] === 'goods')
      .filter(({ parent }) => (parent as Planted)['status'] === 'posted' && String((parent as Planted)['split_date']) <= TODAY)
      .map((line) => String(line['amount']));
    const open = Number(row['total_amount']) - Number(sumDecimals(received));
    const usd = roundDecimal(String((open * Number(row['amount_usd'])) / Number(row['total_amount'])), 2);
    const late = daysBetween(String(row['receipt_due_date']), TODAY);
    const bucket = late <= 0 ? 'due' : late <= 30 ? 'b30' : late <= 60 ? 'b60' : late <= 90 ? 'b90' : late <= 180 ? 'b180' : 'over';
    const own = (cells[String(row['buyer_id'])] ??= {});
    own[bucket] = addDecimals(own[bucket] ?? '0', usd);
    own['all'] = addDecimals(own['all'] ?? '0', usd);
  }
  return cells;
}

describe('rights', () => {
  it('shows a salesperson the own rows only, nobody the rows of another company, and refuses who has no report', async () => {
    const all = await run('gm.aa', 59);
    const own = await run('sp.aa', 59);
    expect(compareDecimals(figure(own.total, 'all'), figure(all.total, 'all'))).toBe(-1);
    const other = await run('gm.ae', 59);
    expect(other.total?.count).toBe(world.shipments[1]?.['status'] === 'shipped' || world.shipments[1]?.['status'] === 'settled' ? 1 : 0);
    const refused = await example.call(tokens['gm.aa'] ?? '', 'POST', '/report/59/run', { params: { as_of: 'x' } });
    expect([refused.status, refused.msg]).toEqual([400, '参数“截止日期”的值不正确']);
  });
});
