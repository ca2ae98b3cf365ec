import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DatabaseFault } from '#server/kernel/db/database-fault.ts';
import { runAction } from '#server/records/action/run-action.ts';
import { createRecord, updateRecord } from '#server/records/write/save-record.ts';
import { FIXTURES } from '../data/fixtures.ts';
import { ADMIN, aWorld, type World } from '../data/world.ts';
import { cutBefore } from '../support/cut-connection.ts';
import { traceOf } from '../support/database-trace.ts';
import { QUARRIES } from './quarry.ts';

/** A long story on a busy machine. */
const STORY = { timeout: 300_000 };

let world: World;
beforeAll(async () => {
  world = await aWorld({ definitions: [...FIXTURES, ...QUARRIES] });
});
afterAll(() => world.close());

type Made = Record<string, unknown> & { id: string; version: number };

async function aQuarry(capacity: string): Promise<Made> {
  const fields = { name: `场 ${Math.random()}`, capacity, grade: 'A' };
  return (await createRecord(world.open(ADMIN, 'quarry', 'create'), fields)) as Made;
}

async function aHaul(quarryId: string, tons: readonly string[]): Promise<Made> {
  const loads = tons.map((each, index) => ({
    quarry_id: quarryId,
    tons: each,
    carrier: index === 0 ? '东' : '西',
  }));
  return (await createRecord(world.open(ADMIN, 'haul', 'create'), { loads })) as Made;
}

const act = ({ id, version }: Made, action: string): Promise<unknown> =>
  runAction(world.open(ADMIN, 'haul', 'read'), { id, action }, { version });

/**
 * Tries a write with the connection cut before its second statement, its third and so on (every `stride`), until it goes through: each time
 * nothing of it may be left. Gives how often it died.
 */
async function survives(write: () => Promise<unknown>, stride = 1): Promise<number> {
  const before = await traceOf(world.db);
  for (let statement = 2; ; statement += stride) {
    const mend = cutBefore(statement);
    const end = await write().then(
      () => 'written',
      (error: unknown) => error,
    );
    mend();
    if (end === 'written') return (statement - 2) / stride;
    expect([statement, end instanceof DatabaseFault ? end.kind : end]).toEqual([statement, 'unavailable']);
    expect([statement, await traceOf(world.db)]).toEqual([statement, before]);
  }
}

describe('a process that dies between any two steps of a write', () => {
  it(
    'leaves nothing of an action that makes documents, sets and moves others, under a limit',
    STORY,
    async () => {
      const quarry = await aQuarry('10');
      const haul = await aHaul(quarry.id, ['4', '6']);
      expect(await survives(() => act(haul, 'count'))).toBeGreaterThan(15);
      const [row] = await world.db.query(
        `select q.status, q."left"::text, q.seen_on::text, (select count(*)::int from bill where haul_id = $2) as bills
       from quarry q where q.id = $1`,
        [quarry.id, haul.id],
      );
      expect(row).toEqual({ status: 'empty', left: '0.0000', seen_on: '2026-03-31', bills: 2 });
    },
  );

  it('leaves nothing of a save with its lines, or of one that takes others back', STORY, async () => {
    const quarry = await aQuarry('10');
    const haul = await aHaul(quarry.id, ['4']);
    const save = () =>
      updateRecord(world.open(ADMIN, 'haul', 'update'), haul.id, {
        version: haul.version,
        note: '改',
        loads: [{ quarry_id: quarry.id, tons: '5', carrier: '南' }],
      });
    expect(await survives(save, 2)).toBeGreaterThan(5);
    await act({ ...haul, version: haul.version + 1 }, 'count');
    expect(await survives(() => act({ ...haul, version: haul.version + 2 }, 'cancel'), 3)).toBeGreaterThan(4);
    const bills = await world.db.query('select distinct status from bill where haul_id = $1', [haul.id]);
    expect(bills).toEqual([{ status: 'dropped' }]);
  });
});
