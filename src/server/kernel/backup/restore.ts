import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { from as copyFrom } from 'pg-copy-streams';
import { StartRefusal } from '#server/kernel/start-refusal.ts';
import { openSession, type Queryable, type Session } from '#server/kernel/db/database.ts';
import { DatabaseFault } from '#server/kernel/db/database-fault.ts';
import { quoteName } from '#server/kernel/db/sql-identifiers.ts';
import { copyTree, hashFile, listFiles } from './file-tree.ts';
import { type BackupManifest, readManifest, type TableCopy, tablePath } from './manifest.ts';

export interface RestoreTarget {
  readonly url: string;
  readonly filesFolder: string | null;
}

/**
 * Brings a backup back into an empty database and an empty folder: everything, or nothing when a hash or a count
 * differs.
 * @throws StartRefusal when the target is not empty or the backup is damaged.
 */
export async function restore(folder: string, target: RestoreTarget): Promise<BackupManifest> {
  const manifest = await readManifest(folder);
  await checkHashes(folder, manifest);
  await refuseFilled(target.filesFolder);
  const session = await openSession(
    { url: target.url, applicationName: 'trade-erp-restore' },
    { statement_timeout: 0, idle_in_transaction_session_timeout: 0 },
  );
  try {
    await session.transaction((tx) => load(session, tx, { folder, manifest }), { attempts: 1 });
    await session.execute('analyze');
  } finally {
    await session.close();
  }
  if (target.filesFolder !== null) await copyTree(join(folder, 'files'), target.filesFolder);
  return manifest;
}

async function load(
  session: Session,
  tx: Queryable,
  { folder, manifest }: { folder: string; manifest: BackupManifest },
): Promise<void> {
  const [row] = await tx.query(`
    select count(*)::int as tables from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')`);
  if (Number(row?.['tables']) > 0)
    throw new StartRefusal('目标数据库不是空的。请恢复到新的数据库，或用 ERP_DATA_DIR 指定新的数据目录。');
  for (const text of manifest.schema.tables) await run(tx, text);
  for (const table of manifest.tables) await loadTable(session, folder, table);
  for (const text of manifest.schema.rest) await run(tx, text);
  for (const { table, rows } of manifest.tables) {
    const [count] = await tx.query(`select count(*) as rows from ${quoteName(table)}`);
    if (Number(count?.['rows']) !== rows)
      throw new StartRefusal(
        `恢复失败：${table} 应有 ${rows} 行，实际 ${String(count?.['rows'])} 行。数据库没有改动。`,
      );
  }
}

async function loadTable(session: Session, folder: string, { table, columns }: TableCopy): Promise<void> {
  const target = session.client.query(
    copyFrom(`copy ${quoteName(table)} (${columns.map(quoteName).join(', ')}) from stdin`),
  );
  try {
    await pipeline(createReadStream(tablePath(folder, table)), createGunzip(), target);
  } catch (error) {
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

async function checkHashes(folder: string, manifest: BackupManifest): Promise<void> {
  const parts = [
    ...manifest.tables.map(({ table, sha256 }) => ({ path: tablePath(folder, table), sha256 })),
    ...manifest.files.map(({ path, sha256 }) => ({ path: join(folder, 'files', path), sha256 })),
  ];
  for (const { path, sha256 } of parts) {
    const found = await hashFile(path).catch(() => null);
    if (found !== sha256)
      throw new StartRefusal(`备份已损坏：${path} ${found === null ? '缺失' : '内容不符'}。`);
  }
}

async function refuseFilled(filesFolder: string | null): Promise<void> {
  if (filesFolder !== null && (await listFiles(filesFolder)).length > 0)
    throw new StartRefusal(`文件目录 ${filesFolder} 不是空的，请恢复到新的数据目录。`);
}
