import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Database } from '#server/kernel/db/database.ts';
import { readConfig } from '#server/kernel/config.ts';
import { dice } from '#demo/company/random.ts';
import { makeDemoData } from '#demo/make-demo-data.ts';
import { prepareDatabase } from '#demo/prepare-database.ts';
import { detectFileType } from '#server/records/files/file-type.ts';
import { demoPdf, demoPicture } from '#demo/company/demo-files.ts';
import { type RunningServer, startServer } from '#server/main.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';

/** Enough that every kind of document comes into being. */
const PARTNER_MOBILES = ['13900000001', '13900000002', '13900000002'];
const SMALL = {
  AE: {
    partners: 4,
    buyers: 6,
    suppliers: 8,
    goods: 16,
    contracts: 16,
    shipments: 14,
    partnerMobiles: PARTNER_MOBILES,
  },
};

let database: TestDatabase;
let dataDir: string;
let server: RunningServer;
let owner: Database;
const steps: string[] = [];

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
      await makeDemoData(services, (step) => steps.push(step), { owner, scales: SMALL });
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
    (name) => `select count(*) from ${name} where status = 'active'`,
  ),
  'select count(*) from export_contract',
  'select count(*) from shipment',
];

it('makes what the scale says, through approvals', async () => {
  const [partners, buyers, suppliers, goods, contracts, shipments] = await numbers(...COUNTS);
  expect([partners, buyers, suppliers, goods]).toEqual([4, 6, 8, 16]);
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
  expect(new Set(rows.map(({ status }) => status))).toEqual(
    new Set(['registered', 'abnormal', 'verified', 'matched', 'certified']),
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

it('lets a partner in by the mobile number of the demo', async () => {
  const [one] = await numbers(
    `select count(*) from partner__accounts where mobile = '13900000001' and status = 'active'`,
  );
  const [two] = await numbers(
    `select count(*) from partner__accounts where mobile = '13900000002' and status = 'active'`,
  );
  expect([one, two]).toEqual([1, 2]);
});

it('is not made twice, and made again when it was cut short', async () => {
  const before = await numbers(...COUNTS);
  await makeDemoData(server.services, () => undefined, { owner, scales: SMALL });
  expect(await numbers(...COUNTS)).toEqual(before);
  await server.services.db.execute(`delete from sys_setting where key = 'demo_company'`);
  await makeDemoData(server.services, () => undefined, { owner, scales: SMALL });
  expect(await numbers(...COUNTS)).toEqual(before);
}, 240_000);

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
