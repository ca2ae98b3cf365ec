import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { from as copyFrom } from 'pg-copy-streams';
import { StartRefusal } from '#server/kernel/start-refusal.ts';
import { openSession, type Queryable, type Session } from '#server/kernel/db/database.ts';
import { DatabaseFault } from '#server/kernel/db/database-fault.ts';
import { quoteName } from '#server/kernel/db/sql-identifiers.ts';
import type { BackupPlace } from './backup-place.ts';
import { bringFile, listFiles } from './file-tree.ts';
import { hashOf } from './hashing.ts';
import { type BackupManifest, filePath, readManifest, type TableCopy, tablePath } from './manifest.ts';

export interface RestoreTarget {
  readonly url: string;
  readonly filesFolder: string | null;
}

/**
 * Brings a backup back into an empty database and an empty folder: everything, or nothing when a hash or a count
 * differs.
 * @throws StartRefusal when the target is not empty or the backup is damaged.
 */
export async function restore(place: BackupPlace, target: RestoreTarget): Promise<BackupManifest> {
  const manifest = await readManifest(place);
  await checkHashes(place, manifest);
  await refuseFilled(target.filesFolder);
  const session = await openSession(
    { url: target.url, applicationName: 'trade-erp-restore' },
    { statement_timeout: 0, idle_in_transaction_session_timeout: 0 },
  );
  try {
    await session.transaction((tx) => load(session, tx, { place, manifest }), { attempts: 1 });
    await session.execute('analyze');
  } finally {
    await session.close();
  }
  if (target.filesFolder !== null)
    for (const { path } of manifest.files)
      await bringFile(await contentOf(place, filePath(path)), join(target.filesFolder, path));
  return manifest;
}

async function load(
  session: Session,
  tx: Queryable,
  { place, manifest }: { place: BackupPlace; manifest: BackupManifest },
): Promise<void> {
  const [row] = await tx.query(`
    select count(*)::int as tables from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')`);
  if (Number(row?.['tables']) > 0)
    throw new StartRefusal('目标数据库不是空的。请恢复到新的数据库，或用 ERP_DATA_DIR 指定新的数据目录。');
  for (const text of manifest.schema.tables) await run(tx, text);
  for (const table of manifest.tables) await loadTable(session, place, table);
  for (const text of manifest.schema.rest) await run(tx, text);
  for (const { table, rows } of manifest.tables) {
    const [count] = await tx.query(`select count(*) as rows from ${quoteName(table)}`);
    if (Number(count?.['rows']) !== rows)
      throw new StartRefusal(
        `恢复失败：${table} 应有 ${rows} 行，实际 ${String(count?.['rows'])} 行。数据库没有改动。`,
      );
  }
}

async function loadTable(session: Session, place: BackupPlace, { table, columns }: TableCopy): Promise<void> {
  const target = session.client.query(
    copyFrom(`copy ${quoteName(table)} (${columns.map(quoteName).join(', ')}) from stdin`),
  );
  try {
    await pipeline(await contentOf(place, tablePath(table)), createGunzip(), target);
  } catch (error) {
    if (error instanceof StartRefusal) throw error;
    throw new StartRefusal(`恢复失败：无法写入表 ${table}。数据库没有改动。`, error);
  }
}

async function run(tx: Queryable, text: string): Promise<void> {
  try {
    await tx.execute(text);
  } catch (error) {
    if (!(error instanceof DatabaseFault)) throw error;
    throw new StartRefusal(`恢复失败：${error.message}（${text.slice(0, 80)}）。数据库没有改动。`, error);
  }
}

async function checkHashes(place: BackupPlace, manifest: BackupManifest): Promise<void> {
  const parts = [
    ...manifest.tables.map(({ table, sha256 }) => ({ path: tablePath(table), sha256 })),
    ...manifest.files.map(({ path, sha256 }) => ({ path: filePath(path), sha256 })),
  ];
  for (const { path, sha256 } of parts)
    if ((await hashOf(await contentOf(place, path))) !== sha256)
      throw new StartRefusal(`备份已损坏：${place.name}/${path} 内容不符。`);
}

async function contentOf(place: BackupPlace, path: string): Promise<Readable> {
  const content = await place.read(path);
  if (content === null) throw new StartRefusal(`备份已损坏：${place.name}/${path} 缺失。`);
  return content;
}

async function refuseFilled(filesFolder: string | null): Promise<void> {
  if (filesFolder !== null && (await listFiles(filesFolder)).length > 0)
    throw new StartRefusal(`文件目录 ${filesFolder} 不是空的，请恢复到新的数据目录。`);
}
