import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { to as copyTo } from 'pg-copy-streams';
import { StartRefusal } from '#server/kernel/start-refusal.ts';
import { openSession, type Queryable, type Session } from '#server/kernel/db/database.ts';
import { quoteName } from '#server/kernel/db/sql-identifiers.ts';
import { copyTree } from './file-tree.ts';
import { type BackupManifest, MANIFEST, type TableCopy, tablePath } from './manifest.ts';
import { type DumpedTable, dumpSchema } from './schema-dump.ts';

export interface BackupSource {
  readonly url: string;
  /** Folder of the uploaded files; null when they are kept elsewhere, which `filesElsewhere` names. */
  readonly filesFolder: string | null;
  readonly filesElsewhere?: string;
}

export interface BackupResult {
  readonly manifest: BackupManifest;
  /** Files that rows name and the folder lacks. */
  readonly missingFiles: readonly string[];
}

/**
 * Copies database and files into an empty folder while the app runs. All tables are read in one snapshot; files are
 * copied after it was taken, so every file that the snapshot names is there (files are never changed).
 * @throws StartRefusal when the folder is not empty.
 */
export async function backUp(source: BackupSource, folder: string, now: Date): Promise<BackupResult> {
  await makeEmptyFolder(folder);
  const session = await openSession(
    { url: source.url, applicationName: 'trade-erp-backup' },
    { statement_timeout: 0, idle_in_transaction_session_timeout: 0 },
  );
  try {
    return await session.transaction((tx) => copyAll(session, tx, { source, folder, now }), {
      isolation: 'repeatable read',
      readOnly: true,
      attempts: 1,
    });
  } finally {
    await session.close();
  }
}

async function copyAll(
  session: Session,
  tx: Queryable,
  { source, folder, now }: { source: BackupSource; folder: string; now: Date },
): Promise<BackupResult> {
  const { schema, tables } = await dumpSchema(tx);
  const [version] = await tx.query(`select current_setting('server_version') as version`);
  const copies: TableCopy[] = [];
  for (const table of tables) copies.push(await copyTable(session, table, folder));
  const files = source.filesFolder === null ? [] : await copyTree(source.filesFolder, join(folder, 'files'));
  const manifest: BackupManifest = {
    format: 1,
    createdAt: now.toISOString(),
    serverVersion: String(version?.['version']),
    schema,
    tables: copies,
    files,
    filesElsewhere: source.filesElsewhere ?? null,
  };
  await writeFile(join(folder, MANIFEST), `${JSON.stringify(manifest, null, 2)}\n`, { mode: 0o600 });
  const copied = new Set(files.map(({ path }) => path));
  const named = source.filesFolder === null ? [] : await namedFiles(tx, tables);
  return { manifest, missingFiles: named.filter((path) => !copied.has(path)) };
}

async function copyTable(session: Session, table: DumpedTable, folder: string): Promise<TableCopy> {
  const columns = table.columns.map(quoteName).join(', ');
  const rows = session.client.query(copyTo(`copy ${quoteName(table.name)} (${columns}) to stdout`));
  const hash = createHash('sha256');
  const hashed = new Transform({
    transform: (chunk: Buffer, _encoding, done) => {
      hash.update(chunk);
      done(null, chunk);
    },
  });
  const target = createWriteStream(tablePath(folder, table.name), { mode: 0o600 });
  await pipeline(rows, createGzip({ level: 4 }), hashed, target);
  return { table: table.name, columns: table.columns, rows: rows.rowCount, sha256: hash.digest('hex') };
}

async function namedFiles(tx: Queryable, tables: readonly DumpedTable[]): Promise<readonly string[]> {
  if (!tables.some(({ name }) => name === 'sys_file')) return [];
  const rows = await tx.query<{ key: string }>('select distinct storage_key as key from sys_file');
  return rows.map(({ key }) => key);
}

async function makeEmptyFolder(folder: string): Promise<void> {
  await mkdir(join(folder, 'tables'), { recursive: true, mode: 0o700 });
  const found = [...(await readdir(folder)).filter((name) => name !== 'tables'), ...(await readdir(join(folder, 'tables')))]; // prettier-ignore
  if (found.length > 0) throw new StartRefusal(`备份目录 ${folder} 不是空的，请指定另一个目录。`);
}
