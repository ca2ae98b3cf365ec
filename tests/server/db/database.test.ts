import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { type Database, openDatabase } from '#server/kernel/db/database.ts';
import { DatabaseFault } from '#server/kernel/db/database-fault.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';

let testDatabase: TestDatabase;
let db: Database;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  db = openDatabase({ url: testDatabase.url });
});
beforeEach(async () => {
  await db.query('drop table if exists account');
  await db.query(
    `create table account (id int primary key, name text constraint account_name unique, balance numeric(18,2) not null)`,
  );
  await db.query(`insert into account values (1, 'a', '100.00'), (2, 'b', '0.10')`);
});
afterAll(async () => {
  await db.close();
  await testDatabase.drop();
});

/** Withdraws 60 when all accounts together hold 100. */
function withdrawWhenCovered(id: number): Promise<boolean> {
  return db.serializable(async (tx) => {
    const [sum] = await tx.query<{ total: string }>('select sum(balance) as total from account');
    if (Number(sum?.total) < 100) return false;
    await tx.query('select pg_sleep(0.05)');
    await tx.execute('update account set balance = balance - 60 where id = $1', [id]);
    return true;
  });
}

async function faultOf(work: Promise<unknown>): Promise<DatabaseFault> {
  const error: unknown = await work.catch((thrown: unknown) => thrown);
  if (!(error instanceof DatabaseFault)) throw new TypeError('expected a DatabaseFault', { cause: error });
  return error;
}

describe('values', () => {
  it('keep dates, instants, decimals and big integers as text', async () => {
    const [row] = await db.query(
      `select date '2026-01-31' as day, timestamptz '2026-01-31 08:00:00.5+08' as instant, 12.50::numeric(9,2) as amount,
              9007199254740993::bigint as big, array[1.10::numeric, null] as amounts,
              array[timestamptz '2026-01-01 00:00:00+00'] as instants, 7 as small`,
    );
    expect(row).toEqual({
      day: '2026-01-31',
      instant: '2026-01-31T00:00:00.500Z',
      amount: '12.50',
      big: '9007199254740993',
      amounts: ['1.10', null],
      instants: ['2026-01-01T00:00:00.000Z'],
      small: 7,
    });
  });

  it('give back an instant that finds the row it came from', async () => {
    const [now] = await db.query<{ at: string }>('select clock_timestamp() as at');
    const [same] = await db.query('select $1::timestamptz::text as at, $1 as given', [now?.at]);
    expect(new Date(String(same?.['given'])).getTime()).toBeGreaterThan(0);
    expect(await db.query('select 1 where $1::timestamptz = $2::timestamptz', [now?.at, same?.['at']])).toHaveLength(1); // prettier-ignore
  });
});

describe('a transaction', () => {
  it('undoes everything when the work fails', async () => {
    await expect(
      db.transaction(async (tx) => {
        await tx.execute('update account set balance = 0');
        throw new RangeError('no');
      }),
    ).rejects.toThrow('no');
    expect(await db.query('select balance from account where id = 1')).toEqual([{ balance: '100.00' }]);
  });

  it('undoes only the savepoint when its work fails', async () => {
    await db.transaction(async (tx) => {
      await tx.execute(`update account set balance = 5 where id = 1`);
      await tx.savepoint(() => tx.execute(`insert into account values (1, 'c', 0)`)).catch(() => undefined);
    });
    expect(await db.query('select balance from account where id = 1')).toEqual([{ balance: '5.00' }]);
  });

  it('does not pass for done when the refusal of a statement was ignored', async () => {
    const work = db.transaction(async (tx) => {
      await tx.execute(`insert into account values (1, 'c', 0)`).catch(() => undefined);
    });
    await expect(work).rejects.toBeInstanceOf(DatabaseFault);
  });

  it('is run again when two serializable ones cross, so that both rules hold', async () => {
    const results = await Promise.all([withdrawWhenCovered(1), withdrawWhenCovered(2)]);
    expect(results.filter(Boolean)).toHaveLength(1);
  });

  it('fails without harm to the process when its connection is lost between two statements', async () => {
    const work = db.transaction(async (tx) => {
      const [own] = await tx.query<{ pid: number }>('select pg_backend_pid() as pid');
      await db.query('select pg_terminate_backend($1)', [own?.pid]);
      await new Promise((wake) => setTimeout(wake, 100));
      await tx.query('select 1');
    });
    expect((await faultOf(work)).kind).toBe('unavailable');
    expect(await db.query('select 1 as n')).toEqual([{ n: 1 }]);
  });

  describe('begins with its first statement', () => {
    let one: Database;

    beforeAll(() => {
      one = openDatabase({ url: testDatabase.url, poolSize: 1 });
    });
    afterAll(() => one.close());

    it('in the mode that is asked for, the second time on a connection as the first', async () => {
      const modes: unknown[] = [];
      for (const options of [{ isolation: 'serializable' }, {}, { isolation: 'repeatable read' }] as const)
        for (let time = 1; time <= 2; time += 1)
          modes.push(
            await one.transaction(async (tx) => {
              const [row] = await tx.query<{ mode: string }>(
                `select current_setting('transaction_isolation') as mode, $1::int as time`,
                [time],
                'mode',
              );
              return row?.mode;
            }, options),
          );
      expect(modes).toEqual([
        ...['serializable', 'serializable', 'read committed'],
        ...['read committed', 'repeatable read', 'repeatable read'],
      ]);
    });

    it('and undoes what followed it, also where that first statement is prepared', async () => {
      const leave = (id: number): Promise<unknown> =>
        one.transaction(async (tx) => {
          await tx.execute('update account set balance = balance - $1 where id = 1', ['1.00'], 'take');
          await tx.execute('insert into account values ($1, $2, 0)', [id, 'a'], 'put');
        });
      for (const id of [3, 4, 5]) expect((await faultOf(leave(id))).kind).toBe('unique');
      expect(await one.query('select balance from account where id = 1')).toEqual([{ balance: '100.00' }]);
    });

    it('and is begun anew after a first statement that was refused', async () => {
      const put = (id: number, name: string): Promise<number> =>
        one.transaction((tx) => tx.execute('insert into account values ($1, $2, 0)', [id, name], 'first'));
      expect(await put(3, 'c')).toBe(1);
      expect((await faultOf(put(4, 'c'))).kind).toBe('unique');
      expect((await faultOf(put(5, 'c'))).kind).toBe('unique');
      expect(await put(6, 'f')).toBe(1);
      expect(await one.query('select id from account order by id')).toEqual(
        [1, 2, 3, 6].map((id) => ({ id })),
      );
    });

    it('and a savepoint can be that', async () => {
      for (let time = 1; time <= 2; time += 1)
        await one.transaction(async (tx) => {
          const inner = tx.savepoint(() => tx.execute('insert into account values ($1, $2, 0)', [1, 'z']));
          expect((await faultOf(inner)).kind).toBe('unique');
          await tx.execute('update account set balance = balance + $1', [time]);
        });
      expect(await one.query('select balance from account where id = 2')).toEqual([{ balance: '3.10' }]);
    });

    it('and what goes before a statement goes in its message, once both are known', async () => {
      const client = await one.pool.connect();
      client.release();
      const sent = vi.spyOn(client, 'query');
      const first = { text: 'select id from account where id = $1 for update', values: [1], name: 'lock' };
      const counts: number[] = [];
      for (let time = 1; time <= 3; time += 1) {
        sent.mockClear();
        await one.transaction(async (tx) => {
          const rows = await tx.query('select name from account where id = $1', [2], 'read', first);
          expect(rows).toEqual([{ name: 'b' }]);
          expect(await tx.query('select name from account where id = $1', [1], 'read', first)).toEqual([
            { name: 'a' },
          ]);
        });
        counts.push(sent.mock.calls.length);
      }
      sent.mockRestore();
      // Two reads and the commit; the first time on a connection also `begin` and the lock.
      expect(counts.slice(1)).toEqual([3, 3]);
    });

    it('and one that is refused before it refuses it', async () => {
      const first = { text: 'select 6 / $1::int', values: [0], name: 'before' };
      const read = (by: number): Promise<unknown[]> =>
        one.transaction((tx) =>
          tx.query('select name from account where id = $1', [1], 'read', { ...first, values: [by] }),
        );
      expect(await read(2)).toEqual([{ name: 'a' }]);
      for (const by of [0, 0]) expect((await faultOf(read(by))).sqlState).toBe('22012');
      expect(await read(3)).toEqual([{ name: 'a' }]);
    });

    it('and one without any leaves the connection as it was', async () => {
      expect(await one.transaction(() => Promise.resolve(7))).toBe(7);
      const thrown = one.transaction(() => Promise.reject(new TypeError('not begun')));
      await expect(thrown).rejects.toThrow('not begun');
      expect(await one.query('select pg_current_xact_id_if_assigned() as xact')).toEqual([{ xact: null }]);
    });
  });

  it('is run again after a deadlock', async () => {
    const move = (from: number, to: number): Promise<void> =>
      db.transaction(async (tx) => {
        await tx.execute('update account set balance = balance - 1 where id = $1', [from]);
        await tx.query('select pg_sleep(0.1)');
        await tx.execute('update account set balance = balance + 1 where id = $1', [to]);
      });
    await Promise.all([move(1, 2), move(2, 1)]);
    expect(await db.query('select sum(balance) as total from account')).toEqual([{ total: '100.10' }]);
  });
});

describe('a refused statement', () => {
  it('names the violated unique constraint', async () => {
    const fault = await faultOf(db.query(`insert into account values (3, 'a', 0)`));
    expect(fault).toMatchObject({ kind: 'unique', constraint: 'account_name', table: 'account' });
  });

  it.each([
    ['not_null', `insert into account values (3, 'c', null)`],
    ['invalid_value', `select 'x'::int`],
    ['out_of_range', `insert into account values (3, 'c', 1e20)`],
    ['unknown_name', 'select * from nowhere'],
    ['other', 'select nowhere()'],
  ])('of kind %s is told apart', async (kind, text) => {
    expect((await faultOf(db.query(text))).kind).toBe(kind);
  });

  it('is unavailable when nobody listens', async () => {
    const nobody = openDatabase({ url: 'postgres://x:y@127.0.0.1:1/z' });
    expect((await faultOf(nobody.query('select 1'))).kind).toBe('unavailable');
    await nobody.close();
  });
});

describe('a named statement', () => {
  it('survives a change of the columns that it reads', async () => {
    const read = (): Promise<unknown[]> => db.query('select * from account where id = $1', [2], 'read');
    for (let round = 0; round < 20; round += 1) await Promise.all([read(), read()]);
    await db.query('alter table account add column note text');
    expect(await read()).toEqual([{ id: 2, name: 'b', balance: '0.10', note: null }]);
    await db.query('alter table account alter column balance type numeric(20,4)');
    const rows = await db.transaction((tx) => tx.query('select * from account where id = $1', [2], 'read'));
    expect(rows).toEqual([{ id: 2, name: 'b', balance: '0.1000', note: null }]);
  });

  it('reads every time what one without values or name reads, in and out of transactions, and after a refusal', async () => {
    const text = `select id, $1::text as asked, balance, current_date is not null as today, null::date as none,
                         array[balance] as amounts, jsonb_build_object('id', id) as whole from account order by id`;
    const plain = await db.query(text.replace('$1', "'x'"));
    expect(await db.query(text, ['x'])).toEqual(plain);
    const named = (): Promise<unknown[]> => db.query(text, ['x'], 'all');
    for (let round = 0; round < 4; round += 1)
      expect(await Promise.all([named(), named(), named()])).toEqual([plain, plain, plain]);
    await db.transaction(async (tx) => {
      for (let round = 0; round < 3; round += 1) expect(await tx.query(text, ['x'], 'all')).toEqual(plain);
    });
    const divide = (by: number): Promise<unknown[]> => db.query('select 6 / $1::int as part', [by], 'divide');
    for (const by of [2, 3, 6]) {
      expect(await divide(by)).toEqual([{ part: 6 / by }]);
      expect((await faultOf(divide(0))).sqlState).toBe('22012');
    }
    expect(await db.execute('update account set name = name where id < $1', [9], 'touch')).toBe(2);
    expect(await db.execute('update account set name = name where id < $1', [2], 'touch')).toBe(1);
    expect(await db.query('select id from account where id = $1', [99], 'nobody')).toEqual([]);
    expect(await db.query('select id from account where id = $1', [99], 'nobody')).toEqual([]);
  });
});
