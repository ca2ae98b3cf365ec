import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { Client } from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { readConfig } from '#server/kernel/config.ts';
import { cellsOf } from '#server/business/setup/csv-table.ts';
import { importHsLibrary } from '#server/business/setup/import-hs-library.ts';
import { reportTable } from '#server/business/setup/hs-library-report.ts';
import { importReferenceData } from '#server/business/setup/import-reference-data.ts';
import { type RunningServer, startServer } from '#server/main.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';

const TODAY = new Date('2026-11-20T04:00:00Z');

let database: TestDatabase;
let dataDir: string;
let server: RunningServer;

beforeAll(async () => {
  database = await createTestDatabase();
  dataDir = await mkdtemp(join(tmpdir(), 'erp-data-'));
  const config = readConfig({
    PORT: '0',
    DATABASE_URL: database.url,
    ERP_DEMO: '1',
    ERP_DATA_DIR: dataDir,
    ERP_RESOURCES_DIR: process.env['ERP_RESOURCES_DIR'] ?? resolve('resources'),
    LOG_LEVEL: 'error',
  });
  server = await startServer(config, {
    clock: () => TODAY,
    prepare: (services) => importReferenceData(services),
  });
}, 600_000);

afterAll(async () => {
  await server.close();
  await Promise.all([database.drop(), rm(dataDir, { recursive: true, force: true })]);
});

async function counts(): Promise<Readonly<Record<string, number>>> {
  const { db } = server.services;
  const tables = [
    'country',
    'currency',
    'port',
    'hs_code',
    'trade_term',
    'source_place',
    'bank',
    'cnaps',
    'currency_rate',
  ];
  const rows = await Promise.all(tables.map((name) => db.query(`select count(*) as n from ${name}`)));
  return Object.fromEntries(tables.map((name, place) => [name, Number(rows[place]?.[0]?.['n'])]));
}

it('tells the ports that ships call at, in a database of before too, and leaves what people have said of one', async () => {
  const { db } = server.services;
  const major = async (): Promise<readonly unknown[]> =>
    (
      await db.query(
        `select code, is_major from port where code in ('NLRTM', 'USRAJ', 'DEHAM') and port_kind = 'dest' order by code`,
      )
    ).map((row) => [row['code'], row['is_major']]);
  expect(await major()).toEqual([
    ['DEHAM', true],
    ['NLRTM', true],
    ['USRAJ', false],
  ]);
  await db.execute(`update port set is_major = null`);
  await db.execute(`update port set is_major = false where code = 'DEHAM'`);
  await db.execute(`delete from sys_setting where key = 'reference_data_imported'`);
  await importReferenceData(server.services);
  expect(await major()).toEqual([
    ['DEHAM', false],
    ['NLRTM', true],
    ['USRAJ', null],
  ]);
});

it('imports every file once, however often it runs', async () => {
  const first = await counts();
  expect(first).toMatchObject({ country: 250, hs_code: 8957, trade_term: 11 });
  expect(first['port']).toBeGreaterThanOrEqual(17_248);
  await importReferenceData(server.services);
  expect(await counts()).toEqual(first);
  // As if these files had never been read: rows that exist stay, what is missing comes again.
  const { db } = server.services;
  await db.execute(`delete from sys_setting where key = 'reference_data_imported'`);
  await db.execute(`delete from calendar_day where date = (select max(date) from calendar_day)`);
  const days = async () => Number((await db.query('select count(*) as n from calendar_day'))[0]?.['n']);
  const left = await days();
  await importReferenceData(server.services);
  expect([await counts(), await days()]).toEqual([first, left + 1]);
  // And now they have been.
  await db.execute(`delete from calendar_day where date = (select max(date) from calendar_day)`);
  await importReferenceData(server.services);
  expect(await days()).toBe(left);
  // On another day rates are looked at again, and only they.
  await db.execute(
    `update sys_setting set value = value || '{"day": "2026-01-01"}' where key = 'reference_data_imported'`,
  );
  await db.execute(`delete from currency_rate where date = (select max(date) from currency_rate)`);
  await importReferenceData(server.services);
  expect([await counts(), await days()]).toEqual([first, left]);
});

it('is found by Chinese names and their initials', async () => {
  const rows = await server.services.db.query(
    `select search_text from port where code = 'CNNBG' and port_kind = 'loading'`,
  );
  expect(rows[0]?.['search_text']).toMatch(/宁波.*nb/s);
});

it('carries the last book rate on to the current month and shows it with the currency', async () => {
  const { db } = server.services;
  const [newest] = await db.query(
    `select date::text, rate::text, source from currency_rate where currency = 'USD' and kind = 'book' order by date desc limit 1`,
  );
  expect(newest).toMatchObject({ date: '2026-11-01', source: '沿用' });
  const [usd] = await db.query(`select current_book_rate::text as rate from currency where code = 'USD'`);
  expect(usd?.['rate']).toBe(newest?.['rate']);
});

it('reads quoted cells', () => {
  expect(cellsOf('\uFEFFa,b\r\n"x, ""y""",\n\n,z')).toEqual([
    ['a', 'b'],
    ['x, "y"', ''],
    ['', 'z'],
  ]);
});

it('takes a refund-rate library and elements in as versions, and finds nothing to do a second time', async () => {
  const { services } = server;
  // As offices save it: the name is not UTF-8.
  const name = Buffer.from([0xb7, 0xa7, 0xc3, 0xc5]);
  const lines = [
    '61091000,?,011,13,9,20270101,',
    '6109100010,?,011,13%,0.13,2027-01-01,99991231',
    '61102000,?,011,13,13,20270230,',
  ];
  const header = 'code,name,unit,vat_rate,refund_rate,valid_from,valid_to';
  const rates = Buffer.concat([header, ...lines].map((line) => {
    const [before = '', after] = line.split('?');
    return Buffer.concat(after === undefined ? [Buffer.from(`${before}\n`)] : [Buffer.from(before), name, Buffer.from(`${after}\n`)]);
  })); // prettier-ignore
  const elements = Buffer.from('商品编码,申报要素\r\n61091000,1:品名;2:成分含量\r\n99999999,1:品名\r\n');
  const versions = () =>
    services.db.query(
      `select code, name, refund_rate::float as rate, valid_from::text as since, valid_to::text as until, elements
       from hs_code where code like '61091000%' order by code, valid_from`,
    );
  const before = await versions();
  const tried = await importHsLibrary(services, { rates, elements, isApplied: false });
  expect([tried.changes.length, tried.faults.length, await versions()]).toEqual([3, 2, before]);
  expect(reportTable(tried)).toContain('61102000,未导入,,,,,,4,起始日期“20270230”不是日期');
  await importHsLibrary(services, { rates, elements, isApplied: true });
  expect(await versions()).toMatchObject([
    { code: '61091000', rate: 13, until: '2026-12-31', elements: '品名;成分含量' },
    { code: '61091000', name: '阀门', rate: 9, since: '2027-01-01', until: null, elements: '品名;成分含量' },
    { code: '6109100010', rate: 13, since: '2027-01-01', until: null },
  ]);
  const again = await importHsLibrary(services, { rates, elements, isApplied: true });
  expect([again.changes, again.elements]).toEqual([[], []]);
});

it('applies a library of 13,000 lines in few statements, leaving out what is doubtful', async () => {
  const { services } = server;
  const stored = await services.db.query<Record<string, string>>(
    `select code, name, coalesce(unit1, '') as unit, coalesce(vat_rate, 0)::text as vat, coalesce(refund_rate, 0)::text as rate, valid_from::text as since
     from hs_code where valid_to is null and length(code) = 8 order by code`,
  );
  const faulty = 60;
  const added = 13_000 - stored.length - faulty;
  const line = (cells: readonly (string | undefined)[]) =>
    cells.map((cell = '') => `"${cell.replaceAll('"', '""')}"`).join();
  const lines = [
    'code,name,unit,vat_rate,refund_rate,valid_from,valid_to',
    // Every second code gets another rate from next year on, the others are said as they are.
    ...stored.map(({ code, name, unit, vat, rate, since }, place) =>
      place % 2 === 0 ? line([code, name, unit, vat, '0', '20270101', '']) : line([code, name, unit, vat, rate, since, '99991231']),
    ),
    ...Array.from({ length: added }, (_, place) => line([String(99_100_000 + place), '新商品', '035', '13', '13', '20270101'])),
    ...Array.from({ length: faulty / 3 }, (_, place) => line([String(99_900_000 + place), '新商品', '035', '13', '13', '20270229'])),
    ...Array.from({ length: (faulty * 2) / 3 }, (_, place) => line([String(99_800_000 + (place >> 1)), '新商品', '035', '13', place % 2 === 0 ? '13' : '9', '20270101'])),
  ]; // prettier-ignore
  const rates = Buffer.from(lines.join('\n'));
  expect(lines).toHaveLength(13_001);
  // Of this the library says nothing: the version that follows has it too.
  const said = { elements: '品名;材质', unit2: '035', supervision_cond: 'AB', inspection_class: 'M/N' };
  const first = stored[0]?.['code'];
  await services.db.query(
    'update hs_code set elements = $2, unit2 = $3, supervision_cond = $4, inspection_class = $5 where code = $1',
    [first, ...Object.values(said)],
  );
  const changed = Math.ceil(stored.length / 2);
  const counted = countStatements();
  const done = await importHsLibrary(services, { rates, elements: null, isApplied: true });
  const statements = counted.end();
  expect([done.changes.filter(({ before }) => before === null).length, done.changes.length, done.faults.length]).toEqual([
    changed + added,
    changed * 2 + added,
    faulty,
  ]); // prettier-ignore
  expect(statements).toBeLessThan(done.changes.length / 4);
  const [kept] = await services.db.query(
    `select (select count(*)::int from hs_code where valid_from = '2027-01-01' and code <> all($1)) as versions,
       (select count(*)::int from hs_code where valid_to = '2026-12-31' and code <> all($1)) as ended,
       (select count(*)::int from hs_code where code >= '998') as doubtful,
       (select count(*)::int from sys_audit where resource = 'hs_code' and action = 'import'
         and changes::text like '%2026-12-31%') as audited,
       (select count(*)::int from hs_code a join hs_code b on a.code = b.code and a.id < b.id
         and a.valid_from <= coalesce(b.valid_to, 'infinity') and b.valid_from <= coalesce(a.valid_to, 'infinity')) as overlaps`,
    [['61091000', '6109100010']],
  );
  expect(kept).toMatchObject({ doubtful: 0, overlaps: 0 });
  expect(Number(kept?.['versions'])).toBeGreaterThanOrEqual(changed + added - 2);
  expect(Number(kept?.['ended'])).toBeGreaterThanOrEqual(changed - 2);
  expect(Number(kept?.['audited'])).toBeGreaterThanOrEqual(changed - 2);
  const next = `select * from hs_code where code = $1 and valid_from = '2027-01-01'`;
  expect(await services.db.query(next, [first])).toMatchObject([said]);
  const again = await importHsLibrary(services, { rates, elements: null, isApplied: true });
  expect(again.changes).toEqual([]);
}, 600_000);

/** Counts the statements of all connections from here on. */
function countStatements(): { readonly end: () => number } {
  // It is given back as it was, and called with its own client.
  // oxlint-disable-next-line typescript/unbound-method
  const ask = Client.prototype.query;
  let count = 0;
  const counting = function query(this: Client, ...given: unknown[]) {
    count += 1;
    return Reflect.apply(ask, this, given) as unknown;
  };
  Object.assign(Client.prototype, { query: counting });
  return {
    end: () => {
      Client.prototype.query = ask;
      return count;
    },
  };
}
