import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startEmbeddedPostgres } from '#server/kernel/postgres/embedded-postgres.ts';
import { isSeed, markSeed, type SeedSource } from '#server/kernel/postgres/seed.ts';

let folder: string;
let seed: SeedSource;
let seedUrl: string;

/** A seed with one table, for one file of definitions. */
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'erp-seed-'));
  await chmod(folder, 0o755);
  seed = { folder: join(folder, 'seed'), resourcesDir: join(folder, 'resources') };
  await mkdir(join(seed.resourcesDir, 'area'), { recursive: true });
  await writeFile(join(seed.resourcesDir, 'area', 'some.json'), '{}');
  const server = await startEmbeddedPostgres({ dataDir: seed.folder });
  seedUrl = server.url;
  await ask(server.url, "create table kept as select '有' as text");
  await server.stop();
  await writeFile(join(seed.folder, 'definitions-checked'), 'note');
  await markSeed(seed);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function ask(url: string, text: string): Promise<unknown[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
}

/** Whether a first start with these options finds the table of the seed. */
async function hasTable(name: string, from: SeedSource): Promise<boolean> {
  const server = await startEmbeddedPostgres({ dataDir: join(folder, name), seed: from });
  try {
    return (await ask(server.url, "select to_regclass('kept') is not null as found")).some(
      (row) => JSON.stringify(row) === '{"found":true}',
    );
  } finally {
    await server.stop();
  }
}

it('is what a first start begins with, under passwords of its own', async () => {
  const dataDir = join(folder, 'first');
  const server = await startEmbeddedPostgres({ dataDir, seed });
  try {
    expect(await ask(server.url, 'select text from kept')).toEqual([{ text: '有' }]);
    expect(await ask(server.roles.application.url, 'select 1 as one')).toEqual([{ one: 1 }]);
    expect(await readFile(join(dataDir, 'definitions-checked'), 'utf8')).toBe('note');
    const { password } = new URL(seedUrl);
    expect(new URL(server.url).password).not.toBe(password);
    const stranger = new URL(server.url);
    stranger.password = password;
    await expect(ask(stranger.href, 'select 1')).rejects.toThrow(/password authentication failed/);
    await ask(server.url, 'drop table kept');
  } finally {
    await server.stop();
  }
  // What one makes of its copy is not the next one's, and a second start copies nothing.
  expect(await hasTable('second', seed)).toBe(true);
  expect(await hasTable('first', seed)).toBe(false);
});

it("is left alone where it is another one's, broken or not there", async () => {
  const others = join(folder, 'others');
  await mkdir(others);
  await writeFile(join(others, 'some.json'), '{ }');
  expect(await isSeed({ ...seed, resourcesDir: others })).toBe(false);
  expect(await hasTable('other', { ...seed, resourcesDir: others })).toBe(false);
  expect(await hasTable('none', { ...seed, folder: join(folder, 'nowhere') })).toBe(false);
  await rm(join(seed.folder, 'postgres', 'cluster', 'global', 'pg_control'));
  expect(await hasTable('broken', seed)).toBe(false);
});
