import type { Queryable } from '#server/kernel/db/database.ts';
import { quoteName } from '#server/kernel/db/sql-identifiers.ts';

/** What was dropped lies here until its days are over; no definition reaches it. */
const SCHEMA = 'quarantine';
const KEPT_DAYS = 30;
const LONGEST_PART = 45;

/** Moves a table, or copies the values of a column with the keys of their rows, into quarantine; gives the name there. */
export async function moveToQuarantine(
  tx: Queryable,
  what: { readonly table: string; readonly column?: string; readonly keys: readonly string[] },
): Promise<string> {
  const { table, column, keys } = what;
  await tx.execute(`create schema if not exists ${SCHEMA}`);
  const [stamp] = await tx.query<{ text: string }>(
    `select to_char(clock_timestamp(), 'YYYYMMDDHH24MISSMS') as text`,
  );
  const source = [table, ...(column === undefined ? [] : [column])].join('__').slice(0, LONGEST_PART);
  const name = `${source}_${stamp?.text ?? ''}`;
  const there = `${SCHEMA}.${quoteName(name)}`;
  if (column === undefined) {
    await tx.execute(`alter table ${quoteName(table)} rename to ${quoteName(name)}`);
    await tx.execute(`alter table ${quoteName(name)} set schema ${SCHEMA}`);
  } else {
    const columns = [...keys.filter((key) => key !== column), column].map(quoteName).join(', ');
    await tx.execute(
      `create table ${there} as select ${columns} from ${quoteName(table)} where ${quoteName(column)} is not null`,
    );
  }
  await tx.execute(
    `insert into sys_quarantine (name, source, at, until) values ($1, $2, now(), now() + interval '${KEPT_DAYS} days')`,
    [name, column === undefined ? table : `${table}.${column}`],
  );
  return `${SCHEMA}.${name}`;
}

/** Removes for good what has lain in quarantine for its days; gives the names. */
export async function emptyQuarantine(db: Queryable, now: Date): Promise<readonly string[]> {
  const due = await db.query<{ name: string }>(
    'select name from sys_quarantine where gone_at is null and until < $1::timestamptz order by name',
    [now.toISOString()],
  );
  for (const { name } of due) {
    await db.execute(`drop table if exists ${SCHEMA}.${quoteName(name)}`);
    await db.execute('update sys_quarantine set gone_at = $2::timestamptz where name = $1', [
      name,
      now.toISOString(),
    ]);
  }
  return due.map(({ name }) => name);
}
