import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { readConfig } from '#server/kernel/config.ts';
import { startServer } from '#server/main.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';

let database: TestDatabase;
let dataDir: string;

beforeAll(async () => {
  database = await createTestDatabase();
  dataDir = await mkdtemp(join(tmpdir(), 'erp-data-'));
});

afterAll(async () => {
  await Promise.all([database.drop(), rm(dataDir, { recursive: true, force: true })]);
});

it('a start that is aborted closes what it has opened and says so', async () => {
  const config = readConfig({
    PORT: '0',
    DATABASE_URL: database.url,
    ERP_DEMO: '1',
    ERP_DATA_DIR: dataDir,
    ERP_RESOURCES_DIR: resolve('resources'),
    LOG_LEVEL: 'silent',
  });
  const stopping = new AbortController();
  let query: (() => Promise<unknown>) | undefined;
  const start = startServer(config, {
    signal: stopping.signal,
    prepare: async ({ db }, progress) => {
      query = () => db.query('select 1');
      await query();
      stopping.abort();
      progress('建立示例数据');
    },
  });
  await expect(start).rejects.toThrow('启动已中止。');
  await expect(query?.()).rejects.toThrow(/end|closed/i);
});
