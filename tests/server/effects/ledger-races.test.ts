import fc from 'fast-check';
import { Client } from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { voucherLines } from '#engine/ledger/voucher-lines.ts';
import { addDecimals, compareDecimals, sumDecimals } from '#engine/values/decimal.ts';
import { AppError } from '#server/kernel/errors.ts';
import type { World } from '../data/world.ts';
import { aLedgerWorld } from './ledger-example.ts';
import { act, entriesIn, make, owner, purseOf } from './ledger-steps.ts';

let world: World;
beforeAll(async () => {
  world = await aLedgerWorld();
});
afterAll(() => world.close());

test('20 payments at once take exactly what is there; the rest are refused, and the chain does not fork', async () => {
  const who = await owner(world);
  const fund = await make(world, 'deposit', { title: 'f', owner_id: who, lines: [{ amount: '130' }] });
  await act(world, fund, 'post');
  const purse = (await purseOf(world, who, 'main')).id;
  const payments = [];
  for (let index = 0; index < 20; index += 1)
    payments.push(await make(world, 'payment', { title: `p${index}`, purse_id: purse, amount: '10' }));
  const ends = await Promise.allSettled(payments.map((payment) => act(world, payment, 'pay')));
  const refused = ends.flatMap((end) => (end.status === 'rejected' ? [end.reason as unknown] : []));
  expect(refused.map((error) => (error instanceof AppError ? error.message : String(error)))).toEqual(
    Array.from({ length: 7 }, () => '可用余额不足'),
  );
  expect((await purseOf(world, who, 'main')).balance).toBe('0.00');
  await expectChain(purse);
});

test('20 that open one account at once open one', async () => {
  const who = await owner(world);
  const deposits = [];
  for (let index = 0; index < 20; index += 1)
    deposits.push(
      await make(world, 'deposit', { title: `d${index}`, owner_id: who, lines: [{ amount: '1' }] }),
    );
  await Promise.all(deposits.map((deposit) => act(world, deposit, 'post')));
  const purse = await purseOf(world, who, 'main');
  expect(purse.balance).toBe('20.00');
  expect(await world.db.query('select 1 from purse where owner_id = $1', [who])).toHaveLength(1);
  await expectChain(purse.id);
});

test('two that reverse a document at once reverse it once', async () => {
  const who = await owner(world);
  const deposit = await make(world, 'deposit', { title: 'r', owner_id: who, lines: [{ amount: '5' }] });
  await act(world, deposit, 'post');
  const ends = await Promise.allSettled([act(world, deposit, 'reverse'), act(world, deposit, 'reverse')]);
  expect(ends.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  expect((await purseOf(world, who, 'main')).balance).toBe('0.00');
  expect(await world.db.query('select 1 from slip where source_id = $1', [deposit.id])).toHaveLength(2);
});

test('500 lines with three postings each are few statements, and one unbroken chain', async () => {
  const who = await owner(world);
  const lines = Array.from({ length: 500 }, (_one, index) => ({
    amount: `${index + 1}.10`,
    fee: '0.05',
    note: 'rent',
  }));
  const deposit = await make(world, 'deposit', { title: 'many', owner_id: who, lines });
  const started = Date.now();
  const statements = await statementsOf(() => act(world, deposit, 'post'));
  console.info(`500 lines posted in ${Date.now() - started} ms, ${statements} statements`);
  expect(statements).toBeLessThan(80);
  const purse = await purseOf(world, who, 'main');
  expect(purse.balance).toBe('125275.00');
  await expectChain(purse.id);
});

test('whatever is posted and taken back: the balance is the sum of the entries, and the chain is unbroken', async () => {
  const step = fc.record({
    cents: fc.integer({ min: 1, max: 99_999 }),
    fee: fc.integer({ min: 0, max: 500 }),
    undo: fc.boolean(),
  });
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(step, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 4 }),
      async (documents) => {
        const who = await owner(world);
        for (const lines of documents) {
          const deposit = await make(world, 'deposit', {
            title: 'x',
            owner_id: who,
            lines: lines.map(({ cents, fee, undo }) => ({
              amount: (cents / 100).toFixed(2),
              fee: (fee / 100).toFixed(2),
              undo,
            })),
          });
          await act(world, deposit, 'post');
          const took = await refusalOrNull(act(world, deposit, 'take_back'));
          expect(took === null || took.message === '可用余额不足').toBe(true);
        }
        const purse = await purseOf(world, who, 'main');
        await expectChain(purse.id);
        const entries = await entriesIn(world, purse.id);
        expect(compareDecimals(sumDecimals(entries.map(([, amount]) => amount)), purse.balance)).toBe(0);
        const slips = await world.db.query(
          'select 1 from slip where debit_total is distinct from credit_total',
        );
        expect(slips).toEqual([]);
      },
    ),
    { numRuns: 4 },
  );
});

test('the lines of a voucher balance, whatever its pairs', () => {
  const account = fc.constantFrom('BANK', 'POOL', 'FEE').map((key) => ({ kind: 'key' as const, key }));
  const dimensions = fc.constantFrom<Record<string, string>>({}, { a: '1' }, { a: '2' });
  const pair = fc.record({
    debit: account,
    credit: account,
    amount: fc.integer({ min: 1, max: 1e9 }).map((cents) => (cents / 100).toFixed(2)),
    foreign: fc.constant(null),
    with: fc.record({ debit: dimensions, credit: dimensions }),
  });
  fc.assert(
    fc.property(fc.array(pair, { maxLength: 20 }), (pairs) => {
      const lines = voucherLines(pairs, (known) => ({
        code: known.kind === 'key' ? known.key : '',
        name: '',
        key: null,
      }));
      const total = (side: string): string =>
        sumDecimals(lines.filter((line) => line.side === side).map(({ amount }) => amount));
      expect(compareDecimals(total('debit'), total('credit'))).toBe(0);
    }),
  );
});

async function expectChain(purse: string): Promise<void> {
  let balance = '0';
  for (const [, amount, after] of await entriesIn(world, purse)) {
    balance = addDecimals(balance, amount ?? '0');
    expect(compareDecimals(balance, after ?? '')).toBe(0);
  }
  const stored = await world.db.query<{ balance: string }>('select balance::text from purse where id = $1', [
    purse,
  ]);
  expect(compareDecimals(stored[0]?.balance ?? '', balance)).toBe(0);
}

async function refusalOrNull(work: Promise<unknown>): Promise<AppError | null> {
  try {
    await work;
    return null;
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
}

/** How many statements the connections of the pool ran. */
async function statementsOf(work: () => Promise<unknown>): Promise<number> {
  let count = 0;
  const original = Object.getOwnPropertyDescriptor(Client.prototype, 'query');
  if (original === undefined) throw new TypeError('the client has no query');
  const query: unknown = original.value;
  if (typeof query !== 'function') throw new TypeError('query is no function');
  Object.defineProperty(Client.prototype, 'query', {
    ...original,
    value: function counted(this: Client, ...args: unknown[]): unknown {
      count += 1;
      return Reflect.apply(query, this, args);
    },
  });
  try {
    await work();
  } finally {
    Object.defineProperty(Client.prototype, 'query', original);
  }
  return count;
}
