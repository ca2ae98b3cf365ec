import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { to as copyTo } from 'pg-copy-streams';
import { notedHeads } from '#server/kernel/audit/noted-heads.ts';
import { StartRefusal } from '#server/kernel/start-refusal.ts';
import { openSession, type Queryable, type Session } from '#server/kernel/db/database.ts';
import { quoteName } from '#server/kernel/db/sql-identifiers.ts';
import type { BackupPlace } from './backup-place.ts';
import { copyFiles } from './file-tree.ts';
import { hashing } from './hashing.ts';
import { type BackupManifest, MANIFEST, type TableCopy, tablePath } from './manifest.ts';
import { namedFiles } from './named-files.ts';
import { type DumpedTable, dumpSchema } from './schema-dump.ts';

export interface BackupSource {
  readonly url: string;
  /** Folder of the uploaded files; null when they are kept elsewhere, which `filesElsewhere` names. */
  readonly filesFolder: string | null;
  readonly filesElsewhere?: string;
  /** Where the heads of the audit are noted. */
  readonly dataDir?: string;
}

export interface BackupResult {
  readonly manifest: BackupManifest;
  /** Files that rows name and the source lacks. */
  readonly missingFiles: readonly string[];
}

/**
 * Copies database and files into an empty place while the app runs. All tables are read in one snapshot; files are
 * copied after it was taken, so every file that the snapshot names is there (files are never changed).
 * @throws StartRefusal when the place is not empty.
 */
export async function backUp(source: BackupSource, place: BackupPlace, now: Date): Promise<BackupResult> {
  if (!(await place.isEmpty())) throw new StartRefusal(`备份目录 ${place.name} 不是空的，请指定另一个目录。`);
  const session = await openSession(
    { url: source.url, applicationName: 'trade-erp-backup' },
    { statement_timeout: 0, idle_in_transaction_session_timeout: 0 },
  );
  try {
    return await session.transaction((tx) => copyAll(session, tx, { source, place, now }), {
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
  { source, place, now }: { source: BackupSource; place: BackupPlace; now: Date },
): Promise<BackupResult> {
  // Beyond what the snapshot holds of the chain they say nothing of it.
  const auditHeads = source.dataDir === undefined ? [] : (await notedHeads(source.dataDir).read()).heads;
  const { schema, tables } = await dumpSchema(tx);
  const [version] = await tx.query(`select current_setting('server_version') as version`);
  const copies: TableCopy[] = [];
  for (const table of tables) copies.push(await copyTable(session, table, place));
  const files = source.filesFolder === null ? [] : await copyFiles(source.filesFolder, place);
  const manifest: BackupManifest = {
    format: 1,
    createdAt: now.toISOString(),
    serverVersion: String(version?.['version']),
    schema,
    tables: copies,
    files,
    filesElsewhere: source.filesElsewhere ?? null,
    auditHeads,
  };
  await place.write(MANIFEST, Readable.from([Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`)]));
  const copied = new Set(files.map(({ path }) => path));
  const named = source.filesFolder === null ? [] : await namedFiles(tx, copies);
  return { manifest, missingFiles: named.filter((path) => !copied.has(path)) };
}

async function copyTable(session: Session, table: DumpedTable, place: BackupPlace): Promise<TableCopy> {
  const columns = table.columns.map(quoteName).join(', ');
  const rows = session.client.query(copyTo(`copy ${quoteName(table.name)} (${columns}) to stdout`));
  const hashed = hashing();
  await pipeline(rows, createGzip({ level: 4 }), hashed.through, (source: AsyncIterable<Buffer>) =>
    place.write(tablePath(table.name), source),
  );
  return {
    table: table.name,
    columns: table.columns,
    rows: rows.rowCount,
    sha256: hashed.result().sha256,
  };
}
