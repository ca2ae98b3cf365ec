import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Queryable } from '#server/kernel/db/database.ts';

/** Which files an import read, as a hash, and on which day (YYYY-MM-DD). */
export interface Imported {
  readonly files: string;
  readonly day: string;
}

const KEY = 'reference_data_imported';

/** The last import of reference data into this database, or null. */
export async function importedBefore(db: Queryable): Promise<Imported | null> {
  const [row] = await db.query(
    `select value ->> 'files' as files, value ->> 'day' as day from sys_setting where co_code = '' and key = $1`,
    [KEY],
  );
  return row === undefined ? null : { files: String(row['files']), day: String(row['day']) };
}

/** Notes an import, in its transaction. */
export async function noteImported(tx: Queryable, imported: Imported): Promise<void> {
  await tx.execute(
    `insert into sys_setting (co_code, key, value) values ('', $1, $2::jsonb)
     on conflict (co_code, key) do update set value = excluded.value, updated_at = now()`,
    [KEY, JSON.stringify(imported)],
  );
}

/** Hash of the names and contents of a folder's files. */
export async function hashOfFolder(folder: string): Promise<string> {
  const hash = createHash('sha256');
  const names: string[] = await readdir(folder).catch(() => []);
  for (const name of names.sort()) hash.update(`\n${name}\n`).update(await readFile(join(folder, name)));
  return hash.digest('hex');
}
