import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { cleanUp } from '#server/workflow/jobs/clean-up.ts';
import { aWorld, type World } from '../data/world.ts';

let world: World;

beforeAll(async () => {
  world = await aWorld();
}, 600_000);
afterAll(() => world.close());

it('removes what has served its time, archives old notices and keeps what is still of use', async () => {
  const { db, services } = world;
  const now = services.clock();
  const daysAgo = (days: number): string => new Date(now.getTime() - days * 86_400_000).toISOString();
  for (const days of [1, 6, 8, 40])
    await db.execute(
      `insert into sys_idempotency (key, person_id, body_hash, at) values ($1, '', '', $2::timestamptz)`,
      [`k${days}`, daysAgo(days)],
    );
  for (const days of [1, 29, 31])
    await db.execute(
      `insert into sys_sms_code (id, mobile, purpose, code_hash, created_at, expires_at) values ($1, '138', 'register', '', $2::timestamptz, $2::timestamptz)`,
      [randomUUID(), daysAgo(days)],
    );
  for (const days of [1, 89, 91])
    await db.execute(
      `insert into sys_notice (id, person_id, event, title, created_at) values ($1, $1, 'X', $2, $3::timestamptz)`,
      [randomUUID(), `n${days}`, daysAgo(days)],
    );
  for (const days of [1, 364, 366])
    await db.execute(`insert into sys_told (event, about, at) values ('X', $1, $2::timestamptz)`, [
      `t${days}`,
      daysAgo(days),
    ]);
  await cleanUp(services);
  await cleanUp(services);
  const kept = await db.query<{ title: string }>(
    'select title from sys_notice where archived_at is null order by title',
  );
  expect(kept.map(({ title }) => title)).toEqual(['n1', 'n89']);
  const keys = await db.query<{ key: string }>('select key from sys_idempotency order by key');
  expect(keys.map(({ key }) => key)).toEqual(['k1', 'k6']);
  const told = await db.query<{ about: string }>(
    `select about from sys_told where event = 'X' order by about`,
  );
  expect(told.map(({ about }) => about)).toEqual(['t1', 't364']);
  const [codes] = await db.query<{ n: number }>('select count(*)::int as n from sys_sms_code');
  expect(codes?.n).toBe(2);
});
