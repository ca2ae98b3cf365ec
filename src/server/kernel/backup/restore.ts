import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { from as copyFrom } from 'pg-copy-streams';
import { notedHeads } from '#server/kernel/audit/noted-heads.ts';
import { readHead } from '#server/kernel/audit/seal-audit.ts';
import { StartRefusal } from '#server/kernel/start-refusal.ts';
import { openSession, type Queryable, type Session } from '#server/kernel/db/database.ts';
import { DatabaseFault } from '#server/kernel/db/database-fault.ts';
import { quoteName } from '#server/kernel/db/sql-identifiers.ts';
import type { BackupPlace } from './backup-place.ts';
import { bringFiles, listFiles, takeBack } from './file-tree.ts';
import { hashOf } from './hashing.ts';
import { namedFiles } from './named-files.ts';
import { type BackupManifest, filePath, readManifest, type TableCopy, tablePath } from './manifest.ts';

export interface RestoreTarget {
  readonly url: string;
  readonly filesFolder: string | null;
  /** Where the heads of the audit are noted, and when this is. */
  readonly noting?: Noting;
}

interface Noting {
  readonly dataDir: string;
  readonly at: Date;
}

export interface RestoreResult extends BackupManifest {
  /** Files that rows name and that are not in the folder. */
  readonly missingFiles: readonly string[];
}

/**
 * Brings a backup back into an empty database and an empty folder: everything, or nothing when a hash or a count
 * differs. The files come first and the database in one transaction after them, so that one which is cut off leaves an
 * empty database: none is ever served without its files.
 * @throws StartRefusal when the target is not empty, cannot be written or the backup is damaged.
 */
export async function restore(
  place: BackupPlace,
  { url, filesFolder, noting }: RestoreTarget,
): Promise<RestoreResult> {
  const manifest = await readManifest(place);
  await checkHashes(place, manifest);
  await refuseFilled(filesFolder);
  const session = await openSession(
    { url, applicationName: 'trade-erp-restore' },
    { statement_timeout: 0, idle_in_transaction_session_timeout: 0 },
  );
  const files = filesFolder === null ? [] : manifest.files;
  try {
    await refuseTables(session);
    if (filesFolder !== null)
      await bringFiles(files, filesFolder, (path) => contentOf(place, filePath(path)));
    try {
      const named = await session.transaction(
        async (tx) => {
          await load(session, tx, { place, manifest });
          if (noting !== undefined) await noteRestore(tx, manifest, noting);
          return filesFolder === null ? [] : await namedFiles(tx, manifest.tables);
        },
        { attempts: 1 },
      );
      await session.execute('analyze');
      const brought = new Set(files.map(({ path }) => path));
      return { ...manifest, missingFiles: named.filter((path) => !brought.has(path)) };
    } catch (error) {
      // Where the database cannot say any more, it may be there: so are its files.
      const isUndone = await isEmpty(session).catch(() => false);
      if (filesFolder !== null && isUndone) await takeBack(files, filesFolder);
      throw error;
    }
  } finally {
    await session.close();
  }
}

/** What the noted heads say of the chain beyond the restored one holds no more; that it was restored is noted too. */
async function noteRestore(tx: Queryable, manifest: BackupManifest, { dataDir, at }: Noting): Promise<void> {
  const isChained = manifest.tables.some(({ table }) => table === 'sys_audit_seal');
  const head = isChained ? await readHead(tx) : null;
  await notedHeads(dataDir).noteRestore({ head, heads: manifest.auditHeads ?? [], at });
}

async function load(
  session: Session,
  tx: Queryable,
  { place, manifest }: { place: BackupPlace; manifest: BackupManifest },
): Promise<void> {
  await refuseTables(tx);
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
  // Once the copy has begun only its stream ends it.
  const content = await contentOf(place, tablePath(table));
  const target = session.client.query(
    copyFrom(`copy ${quoteName(table)} (${columns.map(quoteName).join(', ')}) from stdin`),
  );
  try {
    await pipeline(content, createGunzip(), target);
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

async function refuseTables(on: Queryable): Promise<void> {
  if (!(await isEmpty(on)))
    throw new StartRefusal('目标数据库不是空的。请恢复到新的数据库，或用 ERP_DATA_DIR 指定新的数据目录。');
}

async function isEmpty(on: Queryable): Promise<boolean> {
  const [row] = await on.query(`
    select count(*)::int as tables from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')`);
  return Number(row?.['tables']) === 0;
}

async function refuseFilled(filesFolder: string | null): Promise<void> {
  if (filesFolder !== null && (await listFiles(filesFolder)).length > 0)
    throw new StartRefusal(
      `文件目录 ${filesFolder} 不是空的，请恢复到新的数据目录；如是上次恢复中断所留，请先清空它。`,
    );
}
