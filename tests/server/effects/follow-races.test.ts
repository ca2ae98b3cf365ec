import { afterAll, beforeAll, expect, test } from 'vitest';
import { runAction } from '#server/records/action/run-action.ts';
import { getRecord } from '#server/records/read/get-record.ts';
import { createRecord } from '#server/records/write/save-record.ts';
import { ADMIN, aWorld, type World } from '../data/world.ts';
import { FIXTURES } from '../data/fixtures.ts';
import { QUARRIES } from './quarry.ts';

let world: World;
beforeAll(async () => {
  world = await aWorld({ definitions: [...FIXTURES, ...QUARRIES] });
});
afterAll(() => world.close());

type Made = Record<string, unknown> & { id: string; version: number };

const make = async (resource: string, body: object): Promise<Made> =>
  (await createRecord(world.open(ADMIN, resource, 'create'), body)) as Made;
const act = (record: Made, action: string): Promise<unknown> =>
  runAction(world.open(ADMIN, 'haul', 'read'), { id: record.id, action }, { version: record.version });

/** Hauls of a quarry, a grade and a share each: nothing that they sum up makes them wait for one another. */
async function hauls(many: number, note: string): Promise<readonly Made[]> {
  const all: Made[] = [];
  for (let index = 0; index < many; index += 1) {
    const quarry = await make('quarry', { name: `${note} ${index}`, capacity: '100' });
    const loads = [{ quarry_id: quarry.id, carrier: '东', tons: '1' }];
    all.push(await make('haul', { note, grade: `Z${index}`, share: '0.5', loads }));
  }
  return all;
}

async function counted(haul: Made): Promise<Made> {
  return (await runAction(
    world.open(ADMIN, 'haul', 'read'),
    { id: haul.id, action: 'count' },
    { version: haul.version },
  )) as Made;
}

const bills = (carrier: string): Promise<readonly object[]> =>
  world.db.query(
    `select b.status, count(r.id)::int as rows from bill b left join bill__rows r on r.parent_id = b.id
     where b.carrier = $1 group by b.id, b.status order by b.status`,
    [carrier],
  );

test('who waited for a record that another moved on leaves it out, as if he had come later', async () => {
  await make('quarry', { name: '已封', capacity: '100' });
  const [haul] = await hauls(1, '已封');
  if (haul === undefined) throw new TypeError('no haul');
  const move = `update quarry set status = 'disabled', version = version + 1 where name = '已封'`;
  await whileHolding(move, () => [act(haul, 'close')]);
  const closed = await getRecord(world.open(ADMIN, 'haul', 'read'), haul.id);
  expect(closed['version']).toBe(haul.version + 1);
});

test('several at once that find no document to add to begin one', async () => {
  const all: Made[] = [];
  for (const haul of await hauls(2, '并单')) all.push(await counted(haul));
  // Nobody else adds a document as long as this is held; to look for one is open.
  await whileHolding('lock table bill in share mode', () => all.map((haul) => act(haul, 'pool')));
  expect(await bills('并单')).toEqual([{ status: 'open', rows: 2 }]);
});

test('a document that was closed while one waited for it takes no more lines', async () => {
  const [first, second] = await hauls(2, '先关');
  if (first === undefined || second === undefined) throw new TypeError('no hauls');
  await act(await counted(first), 'pool');
  const waiting = await counted(second);
  const close = `update bill set status = 'dropped', version = version + 1 where carrier = '先关'`;
  await whileHolding(close, () => [act(waiting, 'pool')]);
  expect(await bills('先关')).toEqual([
    { status: 'dropped', rows: 1 },
    { status: 'open', rows: 1 },
  ]);
});

/** Begins some work while a statement holds what it needs, and lets it end when all of it waits. */
async function whileHolding(statement: string, begin: () => readonly Promise<unknown>[]): Promise<void> {
  let begun: readonly Promise<unknown>[] = [];
  await world.db.transaction(async (tx) => {
    await tx.query(statement);
    begun = begin();
    for (let waiting = 0; waiting < begun.length;)
      waiting = (
        await world.db.query(
          `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
        )
      ).length;
  });
  await Promise.all(begun);
}
