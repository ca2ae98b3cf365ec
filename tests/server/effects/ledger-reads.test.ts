import { afterAll, beforeAll, expect, test } from 'vitest';
import { openCall } from '#server/records/call/open-call.ts';
import { recordEntries } from '#server/records/ledger/record-entries.ts';
import { traceEntry } from '#server/records/ledger/trace-entry.ts';
import { FINANCE, FOREIGN, type World } from '../data/world.ts';
import { aLedgerWorld } from './ledger-example.ts';
import { act, make, owner, purseOf, refusal } from './ledger-steps.ts';

let world: World;
beforeAll(async () => {
  world = await aLedgerWorld();
});
afterAll(() => world.close());

test('a document shows its entries and vouchers, an account who holds it; another company sees none of it', async () => {
  const who = await owner(world);
  const deposit = await make(world, 'deposit', {
    title: 'a',
    owner_id: who,
    lines: [{ amount: '30' }, { amount: '20' }],
  });
  await act(world, deposit, 'post');
  const read = openCall(world.services, world.callerOf(FINANCE), 'deposit', 'read');
  const shown = await recordEntries(read, deposit.id);
  expect(shown.entries.map(({ ledger, records }) => [ledger, records.map(({ amount }) => amount)])).toEqual([
    ['purse_entry', ['30.00', '20.00']],
  ]);
  expect(shown.vouchers.map(({ lines }) => lines.map(({ code }) => code))).toEqual([['100201', '224102']]);

  const purse = (await purseOf(world, who, 'main')).id;
  const payment = await make(world, 'payment', { title: '付款甲', purse_id: purse, amount: '12' });
  await act(world, payment, 'submit');
  const account = openCall(world.services, world.callerOf(FINANCE), 'purse', 'read');
  expect((await recordEntries(account, purse)).holds).toMatchObject([
    { resource: 'payment', id: payment.id, label: '付款甲', amount: '12.00' },
  ]);

  const foreign = openCall(world.services, world.callerOf(FOREIGN), 'deposit', 'read');
  expect(await refusal(recordEntries(foreign, deposit.id))).toMatchObject({ code: 'NOT_FOUND' });
});

test('money paid out is traced to what came in first, and money in to where it went', async () => {
  const who = await owner(world);
  for (const [title, amount] of [
    ['一', '30'],
    ['二', '50'],
  ] as const)
    await act(world, await make(world, 'deposit', { title, owner_id: who, lines: [{ amount }] }), 'post');
  const purse = (await purseOf(world, who, 'main')).id;
  for (const amount of ['20', '40'])
    await act(world, await make(world, 'payment', { title: amount, purse_id: purse, amount }), 'pay');
  const rows = await world.db.query<{ id: string; amount: string }>(
    'select id, amount::text from purse_entry where purse_id = $1 order by posted_seq',
    [purse],
  );
  const ledger = openCall(world.services, world.callerOf(FINANCE), 'purse_entry', 'read');
  const out = await traceEntry(ledger, rows[3]?.id ?? '');
  expect(out).toMatchObject({ direction: 'from', rest: '0', source: { label: '40' } });
  expect(out.parts.map(({ amount, source }) => [source?.label, Number(amount)])).toEqual([
    ['一', 10],
    ['二', 30],
  ]);
  const into = await traceEntry(ledger, rows[1]?.id ?? '');
  expect(into.parts.map(({ amount, source }) => [source?.label, Number(amount)])).toEqual([['40', 30]]);
  expect(Number(into.rest)).toBe(20);
  const foreign = openCall(world.services, world.callerOf(FOREIGN), 'purse_entry', 'read');
  expect(await refusal(traceEntry(foreign, rows[3]?.id ?? ''))).toMatchObject({ code: 'NOT_FOUND' });
});
