import { afterAll, beforeAll, expect, it } from 'vitest';
import { parseListRequest } from '#server/records/list/list-request.ts';
import { queryRecords } from '#server/records/list/query-records.ts';
import { createRecord } from '#server/records/write/save-record.ts';
import { ADMIN, aWorld, type World } from './world.ts';

const ROWS = 20_000;
/** PostgreSQL looks at the values five times before it may keep a plan. */
const TIMES = 12;

let world: World;
beforeAll(async () => {
  world = await aWorld();
  await createRecord(world.open(ADMIN, 'buyer', 'create'), { name: '客户 0', country: 'US' });
  const columns = await world.db.query<{ name: string }>(
    `select column_name as name from information_schema.columns where table_name = 'buyer' and column_name not in ('id', 'name')`,
  );
  const same = columns.map(({ name }) => `"${name}"`).join(', ');
  await world.db.execute(
    `insert into buyer (id, name, ${same}) select gen_random_uuid(), '客户 ' || n, ${same} from buyer, generate_series(1, $1::int) n`,
    [ROWS],
  );
  await world.db.execute('analyze buyer');
});
afterAll(() => world.close());

/** A plan that is kept would go through all rows in the order asked for, to find none. */
it('a list is planned for what it is filtered by, however often', async () => {
  const call = world.open(ADMIN, 'buyer', 'list');
  for (let time = 0; time < TIMES; time += 1) {
    const asked = { filters: { name: { eq: '没有' } }, sorters: ['-created_at'], pageSize: 20 };
    expect(await queryRecords(call, parseListRequest(call, asked))).toMatchObject({ records: [], total: 0 });
  }
  // Page and count go over connections of their own.
  const clients = await Promise.all(
    Array.from({ length: world.db.pool.totalCount }, () => world.db.pool.connect()),
  );
  const kept = await Promise.all(clients.map((client) => client.query(KEPT)));
  for (const client of clients) client.release();
  expect(clients.length).toBeGreaterThan(1);
  expect(kept.flatMap(({ rows }) => rows as unknown[])).toEqual([]);
});

const KEPT = `select statement from pg_prepared_statements where generic_plans > 0 and statement like '%from "buyer" t where%'`;
