import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Database } from '#server/kernel/db/database.ts';
import { readConfig } from '#server/kernel/config.ts';
import { dice } from '#demo/company/random.ts';
import { chaptersOf, wholeCompany } from '#demo/company/chapters.ts';
import { growDemo, openDemo } from '#demo/make-demo-data.ts';
import { prepareDatabase } from '#demo/prepare-database.ts';
import { openSystemCall } from '#server/records/call/open-call.ts';
import { searchEverything } from '#server/records/list/global-search.ts';
import { systemCaller } from '#server/records/call/system-caller.ts';
import { getRecord } from '#server/records/read/get-record.ts';
import { detectFileType } from '#server/records/files/file-type.ts';
import { demoPdf, demoPicture } from '#demo/company/demo-files.ts';
import { type RunningServer, startServer } from '#server/main.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';

/** Enough that every kind of document comes into being. */
const PARTNER_MOBILES = ['13900000001', '13900000002', '13900000002'];
const SMALL = {
  AE: wholeCompany({
    partners: 4,
    buyers: 6,
    suppliers: 8,
    goods: 16,
    contracts: 16,
    shipments: 14,
    partnerMobiles: PARTNER_MOBILES,
  }),
};

let database: TestDatabase;
let dataDir: string;
let server: RunningServer;
let owner: Database;
const steps: number[] = [];
const { signal } = new AbortController();

beforeAll(async () => {
  database = await createTestDatabase();
  dataDir = await mkdtemp(join(tmpdir(), 'erp-data-'));
  const config = readConfig({
    PORT: '0',
    DATABASE_URL: database.url,
    ERP_DEMO: '1',
    ERP_DEMO_DATA: '0',
    ERP_DATA_DIR: dataDir,
    ERP_RESOURCES_DIR: process.env['ERP_RESOURCES_DIR'] ?? resolve('resources'),
    LOG_LEVEL: 'error',
  });
  server = await startServer(config, {
    prepare: async (services, progress, databaseOwner) => {
      owner = databaseOwner;
      await prepareDatabase(services, progress, owner);
      await openDemo(services, { owner, chapters: SMALL, signal, tell: (percent) => steps.push(percent) });
      return null;
    },
  });
}, 900_000);

afterAll(async () => {
  await server.close();
  await Promise.all([database.drop(), rm(dataDir, { recursive: true, force: true })]);
});

/** The single value of each of these queries. */
async function numbers(...queries: readonly string[]): Promise<readonly number[]> {
  const rows = await Promise.all(queries.map((sql) => server.services.db.query(sql)));
  return rows.map(([row]) => Number(Object.values(row ?? {})[0]));
}

const COUNTS = [
  ...['partner', 'buyer', 'supplier', 'goods'].map(
    (name) => `select count(*) from ${name} where status in ('active', 'disabled')`,
  ),
  'select count(*) from export_contract',
  'select count(*) from shipment',
];

it('makes what the scale says, through approvals', async () => {
  const [partners, buyers, suppliers, goods, contracts, shipments] = await numbers(...COUNTS);
  expect(partners).toBe(4);
  // Copies stand where no other record came.
  expect(goods).toBeGreaterThanOrEqual(16);
  expect(buyers).toBeGreaterThanOrEqual(6);
  expect(suppliers).toBeGreaterThanOrEqual(8);
  expect(contracts).toBeGreaterThanOrEqual(16);
  expect(shipments).toBeGreaterThanOrEqual(10);
  const [own] = await numbers(
    `select count(*) from approval_task where status = 'approved' and acted_by = submitter_id`,
  );
  expect(own).toBe(0);
});

it('leaves something in the inboxes, and shipments at every stage', async () => {
  const [pending] = await numbers(`select count(*) from approval_task where status = 'pending'`);
  expect(pending).toBeGreaterThan(5);
  const rows = await server.services.db.query('select distinct status from shipment');
  expect(rows.map((row) => row['status'])).toContain('shipped');
});

it('has what ends otherwise, and reports on buyers', async () => {
  const [rejected, reports] = await numbers(
    `select count(*) from approval_task where status = 'rejected'`,
    'select count(*) from credit_investigation',
  );
  for (const count of [rejected, reports]) expect(count).toBeGreaterThan(2);
});

it('ships no more than was sold, and nothing in the future', async () => {
  const [over, future] = await numbers(
    'select count(*) from export_contract__items where shipped_quantity > quantity * 1.05',
    'select count(*) from shipment where atd > current_date or invoice_date > current_date',
  );
  expect([over, future]).toEqual([0, 0]);
});

it('has received invoices as far as they come, some with their image', async () => {
  const rows = await server.services.db.query<{ status: string }>(
    'select distinct status from goods_invoice',
  );
  expect(rows.map(({ status }) => status)).toEqual(
    expect.arrayContaining(['registered', 'abnormal', 'verified', 'matched', 'certified']),
  );
  const [goods, fees, approved, pictured, checks] = await numbers(
    'select count(*) from goods_invoice',
    'select count(*) from business_invoice',
    `select count(*) from business_invoice where status = 'approved'`,
    'select count(*) from goods_invoice where cardinality(images) = 1',
    `select count(*) from invoice_check where outcome = 'verified' and created_at < now() - interval '1 hour'`,
  );
  expect([goods, fees]).toEqual([expect.any(Number), expect.any(Number)]);
  for (const count of [goods, fees, approved, pictured, checks]) expect(count).toBeGreaterThan(2);
});

it('has money at every step, with books that balance', async () => {
  const [receipts, posted, sold, paid, uneven, negative] = await numbers(
    'select count(distinct status) from receipt',
    `select count(*) from receipt_split where status = 'posted'`,
    `select count(*) from fx_settlement where status = 'posted'`,
    `select count(*) from payment_request where status in ('pending', 'paid')`,
    'select count(*) from finance_voucher where debit_total <> credit_total or debit_total = 0',
    `select count(*) from fund_pool where available < 0`,
  );
  expect(receipts).toBeGreaterThanOrEqual(3);
  expect([posted, sold, paid].map((count) => (count ?? 0) > 0)).toEqual([true, true, true]);
  expect([uneven, negative]).toEqual([0, 0]);
});

it.each([
  ['remittance_return', ['draft', 'rejected', 'pending', 'approved', 'failed', 'void']],
  ['finance_charge', ['draft', 'rejected', 'approved', 'void']],
  ['commission_scheme', ['draft', 'rejected', 'pending', 'active', 'disabled']],
  ['voucher_export', ['draft', 'done']],
  ['finance_voucher', ['draft', 'generated', 'pushed', 'posted', 'failed', 'reversed']],
  ['accounting_period', ['open', 'revalued', 'closed']],
])('has a %s in every state', async (table, states) => {
  const rows = await server.services.db.query<{ status: string }>(`select distinct status from "${table}"`);
  expect(rows.map(({ status }) => status)).toEqual(expect.arrayContaining(states));
});

it('lets a partner in by the mobile number of the demo', async () => {
  const [one] = await numbers(
    `select count(*) from partner__accounts where mobile = '13900000001' and status = 'active'`,
  );
  const [two] = await numbers(
    `select count(*) from partner__accounts where mobile = '13900000002' and status = 'active'`,
  );
  expect([one, two]).toEqual([1, 2]);
});

/** PostgreSQL looks at the values of a statement five times before it may keep a plan. */
const LOOKED_AT = 5;
const TIMES = 20;

/** What a record refers to lies in many tables: planning the statement anew costs several times what reading does. */
it('opens its documents by plans that are kept', async () => {
  const { services } = server;
  const caller = systemCaller(services, 'AE');
  const opened: string[] = [];
  for (const key of ['shipment', 'export_contract', 'payment_request', 'goods_invoice', 'receipt']) {
    const [row] = await services.db.query(`select id from "${key}" where co_code = 'AE' order by id limit 1`);
    for (let time = 0; time < TIMES; time += 1)
      await getRecord(openSystemCall(services, caller, key), String(row?.['id']));
    opened.push(key);
  }
  expect(opened).toHaveLength(5);
  const { pool } = services.db;
  const clients = await Promise.all(Array.from({ length: pool.totalCount }, () => pool.connect()));
  const answers = await Promise.all(clients.map((client) => client.query<Planned>(REFERENCES, [LOOKED_AT])));
  for (const client of clients) client.release();
  const planned = answers.flatMap(({ rows }) => rows);
  expect(planned.filter(({ kept }) => kept > 0).length).toBeGreaterThan(opened.length - 1);
  expect(planned.filter(({ anew }) => anew > LOOKED_AT)).toEqual([]);
});

interface Planned {
  readonly statement: string;
  readonly kept: number;
  readonly anew: number;
}

/** Those of one connection that were asked more often than values are looked at. */
const REFERENCES = `
  select left(statement, 200) as statement, generic_plans::int as kept, custom_plans::int as anew
  from pg_prepared_statements where statement like 'select 0 as part%' and generic_plans + custom_plans > $1`;

it('finds its documents by number, and says of each no number twice', async () => {
  const person = await server.services.db.query(`select id from person where personid = 'sp.ae'`);
  const found = await server.services.db.query(
    'select shipment_no from shipment where shipment_no = invoice_no limit 1',
  );
  const caller = systemCaller(server.services, 'AE');
  const subject = { ...caller.subject, id: String(person[0]?.['id']), role_code: 'GM', role_codes: ['GM'] };
  const context = { ...caller.context, subject };
  const number = String(found[0]?.['shipment_no']);
  const hits = await searchEverything(server.services, { ...caller, subject, context }, number);
  expect(hits.map(({ resource }) => resource)).toContain('shipment');
  for (const { label, caption } of hits) expect(caption).not.toContain(label);
});

it('is not made twice, and made again when its opening was cut short', async () => {
  const count = () =>
    numbers(...COUNTS.map((sql) => `${sql}${sql.includes(' where ') ? ' and' : ' where'} co_code = 'AA'`));
  const few = { partners: 2, buyers: 3, suppliers: 3, goods: 3, contracts: 2, shipments: 1 };
  const whole = { ...few, partners: 3, partnerMobiles: [] };
  const chapters = { AA: chaptersOf({ whole, opening: few, following: 1 }) };
  const again = { owner, chapters, signal, tell: () => undefined };
  await openDemo(server.services, again);
  const before = await count();
  expect(before.slice(0, 4)).toEqual([2, 3, 3, 3]);
  await openDemo(server.services, again);
  expect(await count()).toEqual(before);
  await server.services.db.execute(
    `update sys_setting set value = '{"begun": 1, "done": 0}' where co_code = 'AA' and key = 'demo_company'`,
  );
  await openDemo(server.services, again);
  expect(await count()).toEqual(before);
}, 240_000);

it('grows behind: what was stopped stays as it is, the next chapter follows, and then there is no more', async () => {
  const [opening] = SMALL.AE;
  if (opening === undefined) throw new TypeError('no opening');
  const first = { partners: 4, buyers: 6, suppliers: 8, goods: 16, contracts: 16, shipments: 14 };
  const scale = {
    partners: 1,
    buyers: 1,
    suppliers: 1,
    goods: 1,
    contracts: 1,
    shipments: 1,
    partnerMobiles: [],
  };
  const part = { first, scale, whole: scale, hasStrays: false, isOpening: false, lanes: 1 };
  const second = {
    ...part,
    first: { ...first, partners: 5, buyers: 7, suppliers: 9, goods: 17, contracts: 17 },
  };
  const chapters = { AE: [opening, part, second] };
  const [partners, , , , contracts] = await numbers(...COUNTS);
  const stopping = new AbortController();
  const stopped = growDemo(server.services, {
    chapters,
    signal: stopping.signal,
    tell: () => stopping.abort(new Error('stop')),
  });
  await expect(stopped).rejects.toThrow('stop');
  expect((await numbers(...COUNTS))[0]).toBe((partners ?? 0) + 1);
  expect(await growDemo(server.services, { chapters, signal, tell: () => undefined })).toBe(true);
  const [after, , , , sold] = await numbers(...COUNTS);
  expect(after).toBe((partners ?? 0) + 2);
  expect(sold).toBeGreaterThan(contracts ?? 0);
  expect(await growDemo(server.services, { chapters, signal, tell: () => undefined })).toBe(false);
}, 240_000);

it('divides a company into chapters that are the whole together', () => {
  const whole = {
    partners: 30,
    buyers: 45,
    suppliers: 60,
    goods: 160,
    contracts: 150,
    shipments: 181,
    partnerMobiles: [],
  };
  const opening = { partners: 3, buyers: 4, suppliers: 4, goods: 6, contracts: 6, shipments: 4 };
  const chapters = chaptersOf({ whole, opening, following: 7 });
  expect(chapters).toHaveLength(8);
  for (const kind of ['partners', 'buyers', 'suppliers', 'goods', 'contracts', 'shipments'] as const) {
    let made = 0;
    for (const { first, scale } of chapters) {
      expect(first[kind]).toBe(made);
      expect(scale[kind]).toBeGreaterThan(0);
      made += scale[kind];
    }
    expect(made).toBe(whole[kind]);
  }
});

it('tells every percent once', () => {
  expect(steps.length).toBeGreaterThan(3);
  expect(new Set(steps).size).toBe(steps.length);
});

it('throws the same dice at every run, and makes files that are what they say', () => {
  expect(dice('a').next()).toBe(dice('a').next());
  expect(dice('a').next()).not.toBe(dice('b').next());
  expect(detectFileType(demoPicture(dice('a')))?.extension).toBe('png');
  expect(detectFileType(demoPdf(['TEXT (1)']))?.extension).toBe('pdf');
});
