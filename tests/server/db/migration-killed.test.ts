import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Database, openDatabase } from '#server/kernel/db/database.ts';
import { isMigrated, migrate } from '#server/kernel/migrations/migrate.ts';
import { createCatalogDatabase, type TestDatabase } from '../../support/database.ts';
import { aCatalog, aContract, aCustomer } from '../../support/definitions.ts';

const base = aCatalog(aContract(), aCustomer());
/** Every kind of step: a renamed field, new columns and tables, an index, a unique over rows that are there. */
const wanted = aCatalog(
  aContract({}, { sign_number: { type: 'text', title: '编号', max: 20 } }),
  aCustomer({
    fields: {
      full_name: { type: 'text', title: '名称', required: true, was: 'name' },
      region: { type: 'text', title: '地区', max: 20 },
    },
    label: 'full_name',
    indexes: [['region']],
    unique: [{ fields: ['full_name'] }],
  }),
  aCustomer({ resource: 'agent' }),
  aCustomer({ resource: 'carrier' }),
);

let database: TestDatabase;
let db: Database;
let folder: string;
beforeAll(async () => {
  database = await createCatalogDatabase(base);
  db = openDatabase({ url: database.url });
  folder = await mkdtemp(path.join(tmpdir(), 'erp-migration-'));
  await writeFile(path.join(folder, 'catalog.json'), JSON.stringify(wanted));
  for (let n = 0; n < 50; n += 1)
    await db.execute(`insert into customer (id, co_code, name) values ($1, 'AA', $2)`, [randomUUID(), `客户 ${n}`]);
}); // prettier-ignore
afterAll(async () => {
  await db.close();
  await database.drop();
  await rm(folder, { recursive: true, force: true });
});

interface Ended {
  readonly signal: string | null;
  readonly code: number | null;
  readonly said: string;
}

function migrateElsewhere(dieAt: number): Promise<Ended> {
  const script = path.resolve(import.meta.dirname, '../../support/run-migration.ts');
  const args = [
    '--import',
    import.meta.resolve('tsx'),
    script,
    database.url,
    path.join(folder, 'catalog.json'),
  ];
  const child = spawn(process.execPath, [...args, String(dieAt)], { stdio: ['ignore', 'pipe', 'pipe'] });
  let said = '';
  child.stdout.on('data', (chunk: Buffer) => (said += chunk.toString('utf8')));
  child.stderr.on('data', (chunk: Buffer) => (said += chunk.toString('utf8')));
  return new Promise((resolve) => child.once('exit', (code, signal) => resolve({ code, signal, said })));
}

it('a process killed between any two statements loses nothing, and two at once finish what it began', async () => {
  for (const dieAt of [1, 8, 20]) {
    const ended = await migrateElsewhere(dieAt);
    expect([dieAt, ended.signal, ended.said]).toEqual([dieAt, 'SIGKILL', '']);
    expect(await isMigrated(db, wanted)).toBe(false);
  }
  const both = await Promise.all([migrateElsewhere(0), migrateElsewhere(0)]);
  expect(both).toMatchObject([{ code: 0 }, { code: 0 }]);
  // One did the work, or each a part of it before the other came: nobody did a step twice.
  expect(both.map(({ said }) => said).join('')).toMatch(/DONE \d+\nDONE \d+/);
  expect(await isMigrated(db, wanted)).toBe(true);
  expect(await migrate(db, wanted)).toEqual([]);
  const [row] = await db.query('select count(*)::int as count, count(distinct full_name)::int as names from customer');
  expect(row).toEqual({ count: 50, names: 50 });
  await expect(
    db.execute(`insert into customer (id, co_code, full_name) values ($1, 'AA', '客户 1')`, [randomUUID()]),
  ).rejects.toMatchObject({ kind: 'unique' });
  expect(await db.query('select * from agent union all select * from carrier')).toEqual([]);
}, 600_000); // prettier-ignore
