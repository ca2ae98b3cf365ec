import type { Queryable } from './database.ts';

/** What is kept under a key of the whole database, or of a company; null when nothing is. */
export async function readSetting<T>(db: Queryable, key: string, company = ''): Promise<T | null> {
  const [row] = await db.query<{ value: T }>(
    'select value from sys_setting where co_code = $1 and key = $2',
    [company, key],
  );
  return row?.value ?? null;
}

/** Keeps a value, which has to be JSON, in the place of what was kept before. */
export async function keepSetting(db: Queryable, key: string, value: unknown, company = ''): Promise<void> {
  await db.execute(
    `insert into sys_setting (co_code, key, value) values ($1, $2, $3::jsonb)
     on conflict (co_code, key) do update set value = excluded.value, updated_at = now()`,
    [company, key, JSON.stringify(value)],
  );
}
