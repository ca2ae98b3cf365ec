import { createHash, randomBytes } from 'node:crypto';
import { copyFile, mkdir, mkdtemp, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { backUp } from '#server/kernel/backup/backup.ts';
import { createFolderPlace } from '#server/kernel/backup/backup-place.ts';
import { backupToRead, newBackup } from '#server/kernel/backup/named-backup.ts';
import { restore } from '#server/kernel/backup/restore.ts';
import { readConfig } from '#server/kernel/config.ts';
import type { BackupConfig } from '#server/kernel/outside-config.ts';
import { openDatabase } from '#server/kernel/db/database.ts';
import { createCatalogDatabase, createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { aCatalog, aContract } from '../../support/definitions.ts';
import { type ObjectStore, startObjectStore } from '../../support/object-store.ts';

const NOW = new Date('2026-03-01T02:00:00Z');
const NAME = '2026-03-01T020000';
const KEY = '备份密钥 correct horse';
let source: TestDatabase;
let target: TestDatabase;
let folder: string;
let store: ObjectStore;

beforeAll(async () => {
  source = await createCatalogDatabase(aCatalog(aContract()));
  store = await startObjectStore();
  const db = openDatabase({ url: source.url });
  await db.execute(
    `insert into contract (co_code, id, contract_no, status, remark)
     select 'AA', gen_random_uuid(), 'WX' || n, 'draft', '底价' || n from generate_series(1, 5000) n`,
  );
  await db.close();
});
beforeEach(async () => {
  target = await createTestDatabase();
  folder = await mkdtemp(join(tmpdir(), 'erp-backup-'));
  await mkdir(join(folder, 'files', 'ab'), { recursive: true });
  await writeFile(join(folder, 'files', 'ab', 'abcd'), '附件');
  store.objects.clear();
  store.refuse = () => false;
});
afterEach(async () => {
  await target.drop();
  await rm(folder, { recursive: true, force: true });
});
afterAll(async () => {
  await store.stop();
  await source.drop();
});

function configOf(env: Record<string, string>): BackupConfig {
  return readConfig({ ERP_DATA_DIR: folder, ...env }, folder).backup;
}

async function save(config: BackupConfig): Promise<void> {
  const from = { url: source.url, filesFolder: join(folder, 'files') };
  await backUp(from, newBackup(config, { name: NAME }), NOW);
}

async function bring(config: BackupConfig, named = NAME): Promise<number> {
  const place = await backupToRead(config, named);
  await restore(place, { url: target.url, filesFolder: join(folder, 'restored') });
  const db = openDatabase({ url: target.url });
  const [row] = await db.query(`select count(*)::int as rows from contract where remark like '底价%'`);
  await db.close();
  expect(await readFile(join(folder, 'restored', 'ab', 'abcd'), 'utf8')).toBe('附件');
  return Number(row?.['rows']);
}

describe('a backup with a key', () => {
  it('comes back, and shows nothing without it', async () => {
    const sealed = configOf({ ERP_BACKUP_KEY: KEY });
    await save(sealed);
    const at = join(folder, 'backups', NAME);
    expect((await readdir(at)).sort()).toEqual(['files', 'manifest.json.enc', 'tables']);
    expect(await readFile(join(at, 'files', 'ab', 'abcd.enc'))).not.toContain(Buffer.from('附件'));
    expect(await bring(sealed)).toBe(5000);
  });

  it('asks for its key by name, and tells a wrong one', async () => {
    await save(configOf({ ERP_BACKUP_KEY: KEY }));
    await expect(bring(configOf({}))).rejects.toThrow(/已加密：请用 ERP_BACKUP_KEY/);
    await expect(bring(configOf({ ERP_BACKUP_KEY: `${KEY}2` }))).rejects.toThrow(
      /ERP_BACKUP_KEY 不是这份备份的密钥/,
    );
  });

  it('is refused when a file was cut, changed, removed or put in the place of another', async () => {
    const sealed = configOf({ ERP_BACKUP_KEY: KEY });
    await save(sealed);
    const at = join(folder, 'backups', NAME);
    const rows = join(at, 'tables', 'contract.copy.gz.enc');
    const whole = await readFile(rows);
    expect(whole.length).toBeGreaterThan(65_536 + 72);
    const refused = async (): Promise<void> => {
      await expect(bring(sealed)).rejects.toThrow(/^备份已损坏：.*contract\.copy\.gz/);
      await writeFile(rows, whole);
    };
    // At the end of a chunk, where every chunk that is left is whole.
    await truncate(rows, 56 + 65_536 + 16);
    await refused();
    await truncate(rows, 20);
    await refused();
    await writeFile(rows, Buffer.concat([whole, Buffer.from('x')]));
    await refused();
    await writeFile(rows, whole.with(1_000, (whole[1_000] ?? 0) ^ 1));
    await refused();
    await copyFile(join(at, 'files', 'ab', 'abcd.enc'), rows);
    await refused();
    await rm(rows);
    await refused();
    expect(await bring(sealed)).toBe(5000);
  });

  it('does not keep a backup without one from being read', async () => {
    await save(configOf({}));
    expect(await bring(configOf({ ERP_BACKUP_KEY: KEY }))).toBe(5000);
  });
});

describe('a backup in an object store', () => {
  it('comes back by its name, sealed or not', async () => {
    const env = { ...store.env, ERP_BACKUP_URL: `${store.url}/safe/erp/nightly` };
    await save(configOf({ ...env, ERP_BACKUP_KEY: KEY }));
    expect([...store.objects.keys()]).toContain(`safe/erp/nightly/${NAME}/manifest.json.enc`);
    expect(await bring(configOf({ ...env, ERP_BACKUP_KEY: KEY }))).toBe(5000);
    await expect(bring(configOf(env))).rejects.toThrow('已加密');
  });

  it('goes to the store of the files where s3:// says so', async () => {
    const env = { ...store.env, ERP_S3_URL: store.url, ERP_S3_BUCKET: 'files', ERP_BACKUP_URL: 's3://safe' };
    await save(configOf(env));
    expect([...store.objects.keys()]).toContain(`safe/${NAME}/manifest.json`);
    expect(await bring(configOf(env))).toBe(5000);
    await expect(save(configOf(env))).rejects.toThrow('不是空的');
    await expect(bring(configOf(env), '2026-03-02T020000')).rejects.toThrow('不是完整的备份');
  });

  it('goes up in parts that bound the memory, and leaves none when it fails', async () => {
    const config = configOf({ ...store.env, ERP_BACKUP_URL: `${store.url}/safe`, ERP_BACKUP_KEY: KEY });
    const place = newBackup(config, { name: NAME });
    const block = randomBytes(1024 * 1024);
    const blocks = (count: number): Readable => Readable.from(Array.from({ length: count }, () => block));
    await place.write('large', blocks(40));
    expect(store.largestBody()).toBe(16 * 1024 * 1024);
    const read = await buffer((await place.read('large')) ?? Readable.from([]));
    const hash = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');
    expect(hash(read)).toBe(hash(await buffer(blocks(40))));
    store.refuse = (call) => call.includes('partNumber=2');
    await expect(place.write('other', blocks(40))).rejects.toThrow(
      /备份存储 .* 不可用（PUT 403 AccessDenied）/,
    );
    expect([...store.uploads.keys()]).toEqual([]);
    expect(store.objects.has(`safe/${NAME}/other.enc`)).toBe(false);
  });

  it('says what is to be checked when the store refuses', async () => {
    const env = { ...store.env, ERP_S3_SECRET_KEY: 'other', ERP_BACKUP_URL: `${store.url}/safe` };
    await expect(save(configOf(env))).rejects.toThrow(/403 SignatureDoesNotMatch.*ERP_S3_SECRET_KEY/);
  });
});

describe('the address of backups', () => {
  it('is a folder of the data directory when nothing is said', () => {
    expect(configOf({})).toEqual({ address: { kind: 'folder', folder: join(folder, 'backups') }, key: null });
    const elsewhere = { kind: 'folder', folder: '/var/backups/erp' };
    expect(configOf({ ERP_BACKUP_URL: 'file:///var/backups/erp' }).address).toEqual(elsewhere);
    expect(configOf({ ERP_BACKUP_URL: '/var/backups/erp' }).address).toEqual(elsewhere);
  });

  it('takes a folder named in the command before what is configured', () => {
    const { name } = newBackup(configOf({ ERP_BACKUP_URL: '/var/backups' }), {
      argument: join(folder, 'x'),
      name: NAME,
    });
    expect(name).toBe(join(folder, 'x'));
    expect(() => newBackup(configOf({}), { argument: 's3://a/b', name: NAME })).toThrow('ERP_BACKUP_URL');
  });

  it('is told when the folder cannot be written', async () => {
    await writeFile(join(folder, 'taken'), '');
    const place = createFolderPlace(join(folder, 'taken', 'below'));
    await expect(place.write('a', Readable.from([Buffer.from('x')]))).rejects.toThrow(/无法写入（ENOTDIR）/);
  });
});
