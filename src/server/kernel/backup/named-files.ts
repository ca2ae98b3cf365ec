import type { Queryable } from '#server/kernel/db/database.ts';

/** The files that the rows of a database name, where it knows files at all. */
export async function namedFiles(
  tx: Queryable,
  tables: readonly { readonly table: string }[],
): Promise<readonly string[]> {
  if (!tables.some(({ table }) => table === 'sys_file')) return [];
  const rows = await tx.query<{ key: string }>('select distinct storage_key as key from sys_file');
  return rows.map(({ key }) => key);
}
