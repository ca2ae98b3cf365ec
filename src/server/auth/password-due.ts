import type { Queryable } from '#server/kernel/db/database.ts';

/** From now on the person must choose a password before anything else: the present one was made for him and sent. */
export async function requireNewPassword(on: Queryable, personId: string): Promise<void> {
  await on.execute(
    'insert into sys_password_due (person_id) values ($1) on conflict (person_id) do nothing',
    [personId],
  );
}

/** The person has chosen a password. */
export async function noteNewPassword(on: Queryable, personId: string): Promise<void> {
  await on.execute('delete from sys_password_due where person_id = $1', [personId]);
}

/** Whether a password made for the person still stands. */
export async function isPasswordDue(on: Queryable, personId: string): Promise<boolean> {
  const rows = await on.query('select 1 from sys_password_due where person_id = $1', [personId]);
  return rows.length > 0;
}
