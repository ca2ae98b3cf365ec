import { randomUUID } from 'node:crypto';
import { appendFile, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { backUp, type BackupSource } from '#server/kernel/backup/backup.ts';
import { type BackupPlace, createFolderPlace } from '#server/kernel/backup/backup-place.ts';
import { listFiles } from '#server/kernel/backup/file-tree.ts';
import { tablePath } from '#server/kernel/backup/manifest.ts';
import { restore } from '#server/kernel/backup/restore.ts';
import { type Database, openDatabase } from '#server/kernel/db/database.ts';
import { migrate } from '#server/kernel/migrations/migrate.ts';
import { createCatalogDatabase, createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { aCatalog, aContract, aLedger } from '../../support/definitions.ts';

const NOW = new Date('2026-03-01T02:00:00Z');
const catalog = aCatalog(aContract(), aLedger());
let source: TestDatabase;
let target: TestDatabase;
let db: Database;
let folder: string;
let backup: BackupPlace;
let from: BackupSource;

beforeAll(async () => {
  source = await createCatalogDatabase(catalog);
  db = openDatabase({ url: source.url });
  await db.execute(
    `insert into contract (co_code, id, contract_no, status, amount, tags, terms, search_grams)
     select 'AA', gen_random_uuid(), 'WX' || n, 'draft', n + 0.5, array['甲', 'b,"c"', null], '{"备注": "换\\n行"}', array['外销']
     from generate_series(1, 2000) n`,
  );
  await db.execute(`insert into ledger_entry (co_code, id, amount) values ('AA', $1, '7.00')`, [
    randomUUID(),
  ]);
});
beforeEach(async () => {
  target = await createTestDatabase();
  folder = await mkdtemp(join(tmpdir(), 'erp-backup-'));
  backup = createFolderPlace(join(folder, 'backup'));
  from = { url: source.url, filesFolder: join(folder, 'files') };
  await mkdir(join(folder, 'files', 'ab'), { recursive: true });
  await writeFile(join(folder, 'files', 'ab', 'abcd'), '附件');
  await writeFile(join(folder, 'files', 'ab', 'half.1.draft'), 'x');
});
afterEach(async () => {
  await target.drop();
  await rm(folder, { recursive: true, force: true });
});
afterAll(async () => {
  await db.close();
  await source.drop();
});

async function contentOf(url: string): Promise<unknown> {
  const reader = openDatabase({ url });
  try {
    const [sums] = await reader.query(
      `select (select md5(string_agg(c::text, '|' order by id)) from contract c) as contracts,
              (select md5(string_agg(l::text, '|' order by id)) from ledger_entry l) as ledger,
              (select count(*) from pg_indexes where schemaname = 'public') as indexes,
              (select count(*) from pg_constraint where connamespace = 'public'::regnamespace) as constraints`,
    );
    return sums;
  } finally {
    await reader.close();
  }
}

describe('a backup', () => {
  it('brings rows, keys, indexes and files back as they were', async () => {
    const { manifest, missingFiles } = await backUp(from, backup, NOW);
    expect(manifest.tables.find(({ table }) => table === 'contract')?.rows).toBe(2000);
    expect(missingFiles).toEqual([]);
    await restore(backup, { url: target.url, filesFolder: join(folder, 'restored') });
    expect(await contentOf(target.url)).toEqual(await contentOf(source.url));
    expect(await readFile(join(folder, 'restored', 'ab', 'abcd'), 'utf8')).toBe('附件');
  });

  it('leaves a database that needs no migration and whose ledgers stay closed', async () => {
    await backUp(from, backup, NOW);
    await restore(backup, { url: target.url, filesFolder: null });
    const restored = openDatabase({ url: target.url });
    expect(await migrate(restored, catalog)).toEqual([]);
    await expect(restored.query('delete from ledger_entry')).rejects.toMatchObject({ kind: 'append_only' });
    await restored.close();
  });

  it('lets numbers that the server gives go on', async () => {
    const call = `insert into sys_call (kind, subject, at) values ('x', 'y', now()) returning id`;
    const [before] = await db.query(call);
    await backUp(from, backup, NOW);
    await restore(backup, { url: target.url, filesFolder: null });
    const restored = openDatabase({ url: target.url });
    const [after] = await restored.query(call);
    await restored.close();
    expect(Number(after?.['id'])).toBe(Number(before?.['id']) + 1);
  });

  it('holds one moment, however much is written meanwhile', async () => {
    const isDone = { value: false };
    const writer = (async () => {
      while (!isDone.value)
        await db.transaction(async (tx) => {
          const id = randomUUID();
          await tx.execute(`insert into contract (co_code, id, remark) values ('AA', $1, 'pair')`, [id]);
          await tx.execute(`insert into ledger_entry (co_code, id, entry_no) values ('AA', $1, 'pair')`, [
            id,
          ]);
        });
    })();
    try {
      await backUp(from, backup, NOW);
    } finally {
      isDone.value = true;
      await writer;
    }
    await restore(backup, { url: target.url, filesFolder: null });
    const restored = openDatabase({ url: target.url });
    const [pairs] = await restored.query(
      `select (select count(*) from contract where remark = 'pair') as contracts,
              (select count(*) from ledger_entry where entry_no = 'pair') as entries`,
    );
    await restored.close();
    expect(pairs?.['contracts']).toBe(pairs?.['entries']);
  });

  it('names the files that rows speak of and nobody has', async () => {
    await db.execute(
      `insert into sys_file (id, name, size, type, sha256, storage_key) values ($1, 'a.pdf', 1, 'x', 'x', 'no/where')`,
      [randomUUID()],
    );
    expect((await backUp(from, backup, NOW)).missingFiles).toEqual(['no/where']);
    await db.execute('delete from sys_file');
  });

  it('leaves out a file that is cleared away while it is made', async () => {
    for (const name of ['b', 'c']) await writeFile(join(folder, 'files', 'ab', name), name);
    const clearing: BackupPlace = {
      ...backup,
      write: async (path, content) => {
        if (path === 'files/ab/abcd') await rm(join(folder, 'files', 'ab', 'b'));
        await backup.write(path, content);
      },
    };
    const { manifest } = await backUp(from, clearing, NOW);
    expect(manifest.files.map(({ path }) => path)).toEqual(['ab/abcd', 'ab/c']);
    await restore(backup, { url: target.url, filesFolder: join(folder, 'restored') });
    expect(await readFile(join(folder, 'restored', 'ab', 'c'), 'utf8')).toBe('c');
  });

  it.each([
    { what: 'files cannot be read', broken: 'files/ab/second' },
    { what: 'rows cannot be read', broken: tablePath('contract') },
  ])('is brought back whole or not at all, when its $what', async ({ broken }) => {
    await writeFile(join(folder, 'files', 'ab', 'second'), 'x');
    await backUp(from, backup, NOW);
    const filesFolder = join(folder, 'restored');
    const reads: string[] = [];
    const breaking: BackupPlace = {
      ...backup,
      read: (path) => {
        // The first time it is hashed.
        if (path === broken && reads.includes(path)) throw new TypeError('cut off');
        reads.push(path);
        return backup.read(path);
      },
    };
    await expect(restore(breaking, { url: target.url, filesFolder })).rejects.toThrow('cut off');
    expect(await listFiles(filesFolder)).toEqual([]);
    const result = await restore(backup, { url: target.url, filesFolder });
    expect(result.missingFiles).toEqual([]);
    expect(await contentOf(target.url)).toEqual(await contentOf(source.url));
    expect(await listFiles(filesFolder)).toEqual(['ab/abcd', 'ab/second']);
  });

  it('has its files in place before the database is there', async () => {
    await backUp(from, backup, NOW);
    const restored = openDatabase({ url: target.url });
    const tables: unknown[] = [];
    const looking: BackupPlace = {
      ...backup,
      read: async (path) => {
        if (path === 'files/ab/abcd')
          tables.push(...(await restored.query(`select to_regclass('public.contract') as name`)));
        return backup.read(path);
      },
    };
    await restore(looking, { url: target.url, filesFolder: join(folder, 'restored') });
    await restored.close();
    // It is hashed, then brought.
    expect(tables).toEqual([{ name: null }, { name: null }]);
  });

  it('that cannot be written says so in a sentence', async () => {
    await backUp(from, backup, NOW);
    await writeFile(join(folder, 'restored'), 'no folder');
    const restoring = restore(backup, { url: target.url, filesFolder: join(folder, 'restored') });
    await expect(restoring).rejects.toThrow(/^恢复失败：文件目录 .* 无法写入（\w+）。数据库没有改动。$/);
  });

  it('without its files tells which are missing', async () => {
    await db.execute(
      `insert into sys_file (id, name, size, type, sha256, storage_key) values ($1, 'a.pdf', 1, 'x', 'x', 'ab/abcd')`,
      [randomUUID()],
    );
    await backUp({ url: source.url, filesFolder: null, filesElsewhere: '未备份' }, backup, NOW);
    await db.execute('delete from sys_file');
    const result = await restore(backup, { url: target.url, filesFolder: join(folder, 'restored') });
    expect(result).toMatchObject({ filesElsewhere: '未备份', missingFiles: ['ab/abcd'] });
  });

  it('is refused when it was damaged, and changes nothing', async () => {
    await backUp(from, backup, NOW);
    await appendFile(join(backup.name, tablePath('contract')), 'x');
    await expect(restore(backup, { url: target.url, filesFolder: null })).rejects.toThrow('内容不符');
  });

  it('is refused by a database that holds tables, and by a folder that is no backup', async () => {
    await backUp(from, backup, NOW);
    await expect(restore(backup, { url: source.url, filesFolder: null })).rejects.toThrow('不是空的');
    await expect(restore(createFolderPlace(folder), { url: target.url, filesFolder: null })).rejects.toThrow(
      '不是完整的备份',
    );
    await expect(backUp(from, backup, NOW)).rejects.toThrow('不是空的');
  });
});
