import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Example, startExample } from '../support/running-example.ts';

let example: Example;
beforeAll(async () => {
  example = await startExample();
});
afterAll(() => example.close());

it('a session ends at once, however many calls are reading it at that moment', async () => {
  for (let round = 0; round < 15; round += 1) {
    const token = await example.signIn('dc.aa');
    // Nothing is cached any more, so that every call reads the session anew while it ends.
    example.advance(5_001);
    const read = () => example.call('GET', '/erp/api/sys/session', { token });
    const reading = Array.from({ length: 10 }, read);
    await example.call('POST', '/erp/api/sys/logout', { token });
    await Promise.all(reading);
    expect((await read()).status).toBe(401);
  }
});

it('ends for somebody who signed in often and never out', async () => {
  const token = await example.signIn('dc.aa');
  const { db, sessions, bus } = example.server.services;
  const [person] = await db.query("select id from person where personid = 'dc.aa'");
  await db.execute(
    `insert into sys_session (token_hash, person_id, stage, subject, created_at, last_seen_at, address, user_agent)
     select sha256(n::text::bytea), $1, 'full', '{}', now() - interval '20 days', now() - interval '20 days', '', ''
     from generate_series(1, 350) n`,
    [person?.['id']],
  );
  const told = new Set<string>();
  const stop = bus.listen('session', ({ ids }) => ids.forEach((id) => told.add(id)));
  await db.transaction((tx) => sessions.revokePeople(tx, [String(person?.['id'])]));
  expect((await example.call('GET', '/erp/api/sys/session', { token })).status).toBe(401);
  await expect.poll(() => told.size).toBeGreaterThan(350);
  stop();
});
