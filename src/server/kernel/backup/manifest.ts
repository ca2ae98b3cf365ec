import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { StartRefusal } from '#server/kernel/start-refusal.ts';

/** What a backup folder holds; written last, so that a folder without it is no backup. */
export interface BackupManifest {
  readonly format: 1;
  readonly createdAt: string;
  readonly serverVersion: string;
  readonly schema: SchemaDump;
  readonly tables: readonly TableCopy[];
  readonly files: readonly FileCopy[];
  /** Where the bytes of files are kept when not in this backup. */
  readonly filesElsewhere: string | null;
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
export function tablePath(folder: string, table: string): string {
  return join(folder, 'tables', `${table}.copy.gz`);
}

/** Reads the manifest of a backup. @throws StartRefusal when the folder is none, or of another format. */
export async function readManifest(folder: string): Promise<BackupManifest> {
  const text = await readFile(join(folder, MANIFEST), 'utf8').catch((error: unknown) => {
    throw new StartRefusal(`${folder} 不是完整的备份：缺少 ${MANIFEST}。`, error);
  });
  const manifest = JSON.parse(text) as BackupManifest;
  if (manifest.format !== 1)
    throw new StartRefusal(`${folder} 的备份格式是 ${String(manifest.format)}，本版本只认识 1。`);
  return manifest;
}
