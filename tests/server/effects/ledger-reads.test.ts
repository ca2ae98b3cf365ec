import { afterAll, beforeAll, expect, test } from 'vitest';
import { openCall } from '#server/records/call/open-call.ts';
import { recordEntries } from '#server/records/ledger/record-entries.ts';
import { traceEntry } from '#server/records/ledger/trace-entry.ts';
import { FINANCE, FOREIGN, type World } from '../data/world.ts';
import { previewRecord } from '#server/records/prepare/preview-record.ts';
import { checkAnswer } from '../../support/contract-answers.ts';
import { traceOf } from '../support/database-trace.ts';
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
    { resource: 'payment', id: payment.id, label: '付款甲', amount: '12.00', currency: 'CNY' },
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

test('a preview tells the entries, holds and voucher that the action then writes, and writes none', async () => {
  const who = await owner(world);
  const lines = [{ amount: '30', fee: '1' }, { amount: '20' }];
  const deposit = await make(world, 'deposit', { title: '预', owner_id: who, lines });
  const look = async (made: { resource: string; id: string }, action: string) => {
    const before = await traceOf(world.db);
    const body = { id: made.id, version: 1, action };
    const data = await previewRecord(world.services, world.callerOf(FINANCE), { key: made.resource, body });
    checkAnswer('POST', `/erp/api/data/${made.resource}/preview`, 200, { data });
    expect(await traceOf(world.db)).toEqual(before);
    return data.plan;
  };
  const plan = await look(deposit, 'post');
  expect(plan).toMatchObject({
    isRefused: false,
    moved: [{ from: '草稿', to: '已过账' }],
    entries: [
      { ledger: '流水', type: 'IN', amount: '50.00', after: '50.00', count: 2, account: { label: 'main' } },
      { type: 'FEE', amount: '-1.00', after: '49.00', count: 1 },
    ],
    vouchers: [
      {
        lines: [
          { debit: '50.00', currency: 'CNY' },
          { credit: '50.00', currency: 'CNY' },
          { debit: '1.00' },
          { credit: '1.00' },
        ],
      },
    ],
  });
  await act(world, deposit, 'post');
  const purse = await purseOf(world, who, 'main');
  expect(purse.balance).toBe('49.00');

  const payment = await make(world, 'payment', { title: '付', purse_id: purse.id, amount: '12' });
  expect(await look(payment, 'submit')).toMatchObject({
    holds: [{ account: { resource: 'purse', id: purse.id }, amount: '12.00', available: '37.00' }],
    limits: [{ field: '可用', was: '49.00', figure: '37.00', bound: '0', level: 'ok' }],
  });
  const tooMuch = await make(world, 'payment', { title: '超', purse_id: purse.id, amount: '50' });
  expect(await look(tooMuch, 'submit')).toMatchObject({
    isRefused: true,
    problems: [{ path: 'amount', message: '可用余额不足' }],
    limits: [{ figure: '-1.00', level: 'error' }],
    holds: [],
  });
});
