import { text } from 'node:stream/consumers';
import type { AuditHead } from '#server/kernel/audit/seal-audit.ts';
import { StartRefusal } from '#server/kernel/start-refusal.ts';
import type { BackupPlace } from './backup-place.ts';

/** What a backup holds; written last, so that a place without it is no backup. */
export interface BackupManifest {
  readonly format: 1;
  readonly createdAt: string;
  readonly serverVersion: string;
  readonly schema: SchemaDump;
  readonly tables: readonly TableCopy[];
  readonly files: readonly FileCopy[];
  /** Where the bytes of files are kept when not in this backup. */
  readonly filesElsewhere: string | null;
  /** Heads of the audit's chain that were noted outside of the database; backups made before know none. */
  readonly auditHeads?: readonly AuditHead[];
}

/** The statements that make the schema anew, in the order in which they must run. */
export interface SchemaDump {
  /** Before the rows. */
  readonly tables: readonly string[];
  /** After the rows: keys, indexes, triggers. */
  readonly rest: readonly string[];
}

export interface TableCopy {
  readonly table: string;
  readonly columns: readonly string[];
  readonly rows: number;
  /** Of the compressed file `tables/<table>.copy.gz`. */
  readonly sha256: string;
}

export interface FileCopy {
  /** Below `files/`. */
  readonly path: string;
  readonly size: number;
  readonly sha256: string;
}

export const MANIFEST = 'manifest.json';

/** Path of a table's rows in a backup. */
export function tablePath(table: string): string {
  return `tables/${table}.copy.gz`;
}

/** Path of an uploaded file in a backup. */
export function filePath(path: string): string {
  return `files/${path}`;
}

/** Reads the manifest of a backup. @throws StartRefusal when there is none, or one that this version does not read. */
export async function readManifest(place: BackupPlace): Promise<BackupManifest> {
  const content = await place.read(MANIFEST);
  if (content === null) throw new StartRefusal(`${place.name} 不是完整的备份：缺少 ${MANIFEST}。`);
  const manifest = parseManifest(await text(content), place.name);
  if (manifest.format !== 1)
    throw new StartRefusal(`${place.name} 的备份格式是 ${String(manifest.format)}，本版本只认识 1。`);
  return manifest;
}

function parseManifest(content: string, name: string): BackupManifest {
  try {
    return JSON.parse(content) as BackupManifest;
  } catch (cause) {
    throw new StartRefusal(`备份已损坏：${name}/${MANIFEST} 无法读取。`, cause);
  }
}
