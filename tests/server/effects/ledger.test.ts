import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parseListRequest } from '#server/records/list/list-request.ts';
import { queryRecords } from '#server/records/list/query-records.ts';
import { refreshDerived } from '#server/workflow/jobs/refresh-derived.ts';
import { FINANCE, type World } from '../data/world.ts';
import { aLedgerWorld } from './ledger-example.ts';
import { act, entriesIn, make, owner, purseOf, refusal } from './ledger-steps.ts';

let world: World;
beforeAll(async () => {
  world = await aLedgerWorld();
});
afterAll(() => world.close());

describe('postings', () => {
  test('each line posts, in the file order and then that of the lines, with a running balance; zero posts nothing', async () => {
    const who = await owner(world);
    const deposit = await make(world, 'deposit', {
      title: 'a',
      owner_id: who,
      lines: [{ amount: '100', fee: '1.50', note: 'rent' }, { amount: '50', fee: '0' }, { amount: '25' }],
    });
    await act(world, deposit, 'post');
    const main = await purseOf(world, who, 'main');
    expect(await entriesIn(world, main.id)).toEqual([
      ['IN', '100.00', '100.00', 'rent'],
      ['IN', '50.00', '150.00', null],
      ['IN', '25.00', '175.00', null],
      ['FEE', '-1.50', '173.50', 'rent'],
    ]);
    const deposited = await purseOf(world, who, 'deposit');
    expect(await entriesIn(world, deposited.id)).toEqual([['RENT', '10.00', '10.00', '押金']]);
    expect(main).toMatchObject({ balance: '173.50', available: '173.50', fees: '-1.50', live_count: 4 });
  });

  test('a reversal mirrors the live entries once, the last first, and leaves what was posted', async () => {
    const who = await owner(world);
    const deposit = await make(world, 'deposit', {
      title: 'b',
      owner_id: who,
      lines: [{ amount: '100', fee: '2' }],
    });
    await act(world, deposit, 'post');
    await act(world, deposit, 'reverse');
    const main = await purseOf(world, who, 'main');
    expect((await entriesIn(world, main.id)).map(([type, amount, after]) => [type, amount, after])).toEqual([
      ['IN', '100.00', '100.00'],
      ['FEE', '-2.00', '98.00'],
      ['REVERSE', '2.00', '100.00'],
      ['REVERSE', '-100.00', '0.00'],
    ]);
    expect(main).toMatchObject({ balance: '0.00', fees: '0.00', live_count: 0 });
    expect(await refusal(act(world, deposit, 'reverse'))).toMatchObject({ code: 'ACTION_NOT_ALLOWED' });
  });

  test('every entry says what the document says of all of them, its own words first, and a mirror the same', async () => {
    const who = await owner(world);
    const deposit = await make(world, 'deposit', {
      title: 's',
      origin: '甲户',
      owner_id: who,
      lines: [{ amount: '100', fee: '2', note: 'rent' }],
    });
    await act(world, deposit, 'post');
    await act(world, deposit, 'reverse');
    const said = await world.services.db.query<{ entry_type: string; said: string }>(
      'select entry_type, said from purse_entry where source_id = $1 order by id',
      [deposit.id],
    );
    expect(said.map((row) => [row.entry_type, row.said])).toEqual([
      ['IN', '来自 甲户'],
      ['FEE', '来自 甲户'],
      ['RENT', 'rent'],
      ['REVERSE', 'rent'],
      ['REVERSE', '来自 甲户'],
      ['REVERSE', '来自 甲户'],
    ]);
  });

  test('what repeats is a line: only the new one is posted; chosen lines are taken back alone', async () => {
    const who = await owner(world);
    const deposit = await make(world, 'deposit', {
      title: 'c',
      owner_id: who,
      amount: '99',
      lines: [{ amount: '10', undo: true }, { amount: '20' }],
    });
    await act(world, deposit, 'post');
    await act(world, deposit, 'top_up', { amount: '5' });
    await act(world, deposit, 'top_up', { amount: '7' });
    await act(world, deposit, 'take_back');
    await act(world, deposit, 'take_back');
    const main = await purseOf(world, who, 'main');
    expect((await entriesIn(world, main.id)).map(([type, amount]) => [type, amount])).toEqual([
      ['IN', '10.00'],
      ['IN', '20.00'],
      ['EXTRA', '5.00'],
      ['EXTRA', '7.00'],
      ['REVERSE', '-10.00'],
    ]);
    expect(main.balance).toBe('32.00');
    expect(await read(world, 'deposit', deposit.id)).toMatchObject({
      amount: '99.00',
      extra: [{ mark: '补' }, { mark: '补' }],
    });
  });

  test('a line that was taken back alone is not posted again with the next', async () => {
    const who = await owner(world);
    const deposit = await make(world, 'deposit', { title: 'z', owner_id: who, lines: [{ amount: '10' }] });
    await act(world, deposit, 'post');
    await act(world, deposit, 'top_up', { amount: '5' });
    await act(world, deposit, 'drop', { amount: '5' });
    await act(world, deposit, 'top_up', { amount: '7' });
    const main = await purseOf(world, who, 'main');
    expect((await entriesIn(world, main.id)).map(([type, amount]) => [type, amount])).toEqual([
      ['IN', '10.00'],
      ['EXTRA', '5.00'],
      ['REVERSE', '-5.00'],
      ['EXTRA', '7.00'],
    ]);
    expect(main.balance).toBe('17.00');
    const slips = await slipsOf(world, deposit.id);
    expect(slips.map(({ total, mirror }) => [total[0], mirror])).toEqual([
      ['10.00', false],
      ['5.00', false],
      ['5.00', true],
      ['7.00', false],
    ]);
  });

  test('a later amount sees what was posted before it in the same write', async () => {
    const { purse } = await funded(world, '100');
    const payment = await make(world, 'payment', { title: 'd', purse_id: purse, amount: '70', share: '50' });
    await act(world, payment, 'pay');
    expect((await entriesIn(world, purse)).slice(1).map(([type, amount]) => [type, amount])).toEqual([
      ['PAY', '-70.00'],
      ['SHARE', '-30.00'],
    ]);
  });

  test('no statement changes or removes an entry', async () => {
    await funded(world, '1');
    await expect(world.db.query('update purse_entry set amount = 0')).rejects.toMatchObject({
      kind: 'append_only',
    });
    await expect(world.db.query('delete from purse_entry')).rejects.toMatchObject({ kind: 'append_only' });
  });
});

describe('limits and holds', () => {
  test('money is not paid that is not there: the refusal stands at the posted column with both figures', async () => {
    const { purse } = await funded(world, '100');
    const payment = await make(world, 'payment', { title: 'e', purse_id: purse, amount: '100.01' });
    const refused = await refusal(act(world, payment, 'pay'));
    expect(refused).toMatchObject({
      code: 'RULE_REFUSED',
      message: '可用余额不足',
      problems: [{ path: 'amount', detail: { resource: 'purse', id: purse, figure: '-0.01', bound: '0' } }],
    });
    expect((await entriesIn(world, purse)).length).toBe(1);
  });

  test('a forced entry does not count, and tells the overdrawn purse; money into it is always taken', async () => {
    const { purse, who } = await funded(world, '100');
    const forced = await make(world, 'payment', {
      title: 'f',
      purse_id: purse,
      amount: '150',
      is_forced: true,
    });
    await act(world, forced, 'pay');
    expect(await purseOf(world, who, 'main')).toMatchObject({ balance: '-50.00' });
    expect(world.notices.map(({ event }) => event)).toContain('POOL_NEGATIVE');
    const more = await make(world, 'payment', { title: 'g', purse_id: purse, amount: '1' });
    expect(await refusal(act(world, more, 'pay'))).toMatchObject({ message: '可用余额不足' });
    const into = await make(world, 'deposit', { title: 'h', owner_id: who, lines: [{ amount: '10' }] });
    await act(world, into, 'post');
    expect(await purseOf(world, who, 'main')).toMatchObject({ balance: '-40.00' });
  });

  test('a hold begins with the submission, moves with the amount, and ends with the payment', async () => {
    const { purse, who } = await funded(world, '100');
    const payment = await make(world, 'payment', { title: 'i', purse_id: purse, amount: '60' });
    await act(world, payment, 'submit');
    expect(await purseOf(world, who, 'main')).toMatchObject({
      balance: '100.00',
      held: '60.00',
      available: '40.00',
    });
    const other = await make(world, 'payment', { title: 'j', purse_id: purse, amount: '41' });
    expect(await refusal(act(world, other, 'submit'))).toMatchObject({ message: '可用余额不足' });
    await act(world, payment, 'recall');
    expect(await purseOf(world, who, 'main')).toMatchObject({ held: '0.00', available: '100.00' });
    await act(world, payment, 'submit');
    await act(world, payment, 'agree');
    await act(world, payment, 'pay');
    expect(await purseOf(world, who, 'main')).toMatchObject({
      balance: '40.00',
      held: '0.00',
      available: '40.00',
    });
    expect(await world.db.query('select 1 from sys_hold where account_id = $1', [purse])).toEqual([]);
  });

  test('a hold of a state that holds no more ends by itself, and no other', async () => {
    const { purse, who } = await funded(world, '100');
    const pay = async (amount: string) => {
      const payment = await make(world, 'payment', { title: 's', purse_id: purse, amount });
      await act(world, payment, 'submit');
      return payment;
    };
    const left = await pay('30');
    await pay('20');
    // As the states of before go where definitions without them say.
    await world.db.execute(`update payment set status = 'reversed' where id = $1::uuid`, [left.id]);
    const { context } = world.callerOf(FINANCE);
    const contextFor = (subject: typeof context.subject) => ({ ...context, subject });
    const { services } = world;
    await refreshDerived({ ...services, definitions: { ...services.definitions, contextFor } });
    expect(await purseOf(world, who, 'main')).toMatchObject({ held: '20.00', available: '80.00' });
    expect(
      await world.db.query('select amount::text as n from sys_hold where account_id = $1', [purse]),
    ).toEqual([{ n: '20.00' }]);
  });

  test('a state of again asks as if the hold were new', async () => {
    const { purse } = await funded(world, '100');
    const payment = await make(world, 'payment', { title: 'k', purse_id: purse, amount: '60' });
    await act(world, payment, 'submit');
    const forced = await make(world, 'payment', {
      title: 'l',
      purse_id: purse,
      amount: '50',
      is_forced: true,
    });
    await act(world, forced, 'pay');
    expect(await refusal(act(world, payment, 'agree'))).toMatchObject({ message: '可用余额不足' });
  });
});

describe('vouchers', () => {
  test('debit equals credit, equal lines add up, numbers have no gaps, a reversal mirrors', async () => {
    const who = await owner(world);
    const deposit = await make(world, 'deposit', {
      title: 'm',
      owner_id: who,
      paid_on: '2026-03-05',
      lines: [
        { amount: '100', fee: '3', note: 'rent' },
        { amount: '50', fee: '1' },
      ],
    });
    await act(world, deposit, 'post');
    await act(world, deposit, 'reverse');
    const slips = await slipsOf(world, deposit.id);
    expect(slips.map(({ date, total, mirror }) => [date, total, mirror])).toEqual([
      ['2026-03-05', ['154.00', '154.00'], false],
      ['2026-03-31', ['154.00', '154.00'], true],
    ]);
    expect(slips[0]?.lines).toEqual([
      ['100201', '150.00', null],
      ['224102', null, '150.00'],
      ['224102', '4.00', null],
      ['605109', null, '3.00'],
      ['605101', null, '1.00'],
    ]);
    expect(slips[1]?.lines[0]).toEqual(['100201', null, '150.00']);
    const owners = await world.db.query<{ code: string; owner: string | null }>(
      `select code, owner_id::text as owner from slip__lines where debit = 150 or credit = 150`,
      [],
    );
    expect(new Set(owners.map(({ code, owner: of }) => `${code} ${of ?? '-'}`))).toEqual(
      new Set(['100201 -', `224102 ${who}`]),
    );
    const numbers = await world.db.query('select slip_no as no from slip order by slip_no');
    expect(numbers.map(({ no }) => Number(String(no).slice(-5)))).toEqual(
      numbers.map((_row, index) => index + 1),
    );
  });

  test('lines whose voucher is mirrored for another line are vouched anew', async () => {
    const who = await owner(world);
    const deposit = await make(world, 'deposit', {
      title: 'k',
      owner_id: who,
      paid_on: '2026-03-05',
      lines: [{ amount: '10', undo: true }, { amount: '20' }, { amount: '30' }],
    });
    await act(world, deposit, 'post');
    await act(world, deposit, 'take_back');
    await act(world, deposit, 'take_back');
    const seen = async () =>
      (await slipsOf(world, deposit.id)).map(({ date, total, mirror }) => [date, total[0], mirror]);
    const vouched = [
      ['2026-03-05', '60.00', false],
      ['2026-03-31', '60.00', true],
      ['2026-03-31', '50.00', false],
    ];
    expect(await seen()).toEqual(vouched);
    await act(world, deposit, 'reverse');
    expect(await seen()).toEqual([...vouched, ['2026-03-31', '50.00', true]]);
  });

  test('a company maps a key to another account', async () => {
    const who = await owner(world);
    const row = await make(world, 'chart', { code: '1002', name: '本公司银行', posting_key: 'BANK' });
    const deposit = await make(world, 'deposit', { title: 'n', owner_id: who, lines: [{ amount: '1' }] });
    await act(world, deposit, 'post');
    expect((await slipsOf(world, deposit.id))[0]?.lines[0]?.[0]).toBe('1002');
    await act(world, row, 'disable');
  });

  test('nothing is posted into a closed month, and nothing stays of it', async () => {
    const who = await owner(world);
    const month = await make(world, 'month', {
      month: '202601',
      start_date: '2026-01-01',
      end_date: '2026-01-31',
    });
    await act(world, month, 'close');
    const deposit = await make(world, 'deposit', {
      title: 'o',
      owner_id: who,
      paid_on: '2026-01-31',
      lines: [{ amount: '1' }],
    });
    expect(await refusal(act(world, deposit, 'post'))).toMatchObject({
      message: '会计期间已结账，不能操作（2026-01）',
    });
    expect(await world.db.query('select 1 from purse where owner_id = $1', [who])).toEqual([]);
  });
});

describe('what is posted', () => {
  test('a list of entries is grouped by whether they live', async () => {
    const who = await owner(world);
    const lines = [{ amount: '7' }];
    const kept = await make(world, 'deposit', { title: 'g', owner_id: who, lines });
    const undone = await make(world, 'deposit', { title: 'h', owner_id: who, lines });
    for (const [deposit, action] of [[kept, 'post'], [undone, 'post'], [undone, 'reverse']] as const) await act(world, deposit, action); // prettier-ignore
    const call = world.open(FINANCE, 'purse_entry', 'list');
    const filters = { source_id: { in: [kept.id, undone.id] }, entry_type: { eq: 'IN' } };
    const { groups } = await queryRecords(call, parseListRequest(call, { filters, group: 'live' }));
    expect(groups?.map(({ label }) => label)).toEqual(['否', '是']);
  });

  test('fields that an entry read are closed while it lives, others stay open', async () => {
    const { updateRecord } = await import('#server/records/write/save-record.ts');
    const who = await owner(world);
    const deposit = await make(world, 'deposit', {
      title: 'p',
      owner_id: who,
      lines: [{ amount: '9', note: 'x' }],
    });
    await act(world, deposit, 'post');
    const stored = await read(world, 'deposit', deposit.id);
    const version = Number(stored['version']);
    const [line] = stored['lines'] as { id: string }[];
    const patch = (body: object) =>
      updateRecord(world.open(FINANCE, 'deposit', 'update'), deposit.id, { version, ...body });
    expect(await refusal(patch({ lines: [{ id: line?.id, amount: '8' }] }))).toMatchObject({
      problems: [{ path: 'lines.0.amount', code: 'posted' }],
    });
    expect(await refusal(patch({ lines: [{ id: line?.id, _delete: true }] }))).toMatchObject({
      problems: [{ path: 'lines', code: 'posted', message: '第1行已过账，不能删除，请先冲销' }],
    });
    expect(await refusal(patch({ owner_id: await owner(world) }))).toMatchObject({
      problems: [{ path: 'owner_id', code: 'posted' }],
    });
    expect(await refusal(patch({ origin: '乙户' }))).toMatchObject({
      problems: [{ path: 'origin', code: 'posted' }],
    });
    await patch({ title: 'q', lines: [{ id: line?.id, undo: true }] });
  });

  test('what an entry copies is closed too where a reference names the account', async () => {
    const { updateRecord } = await import('#server/records/write/save-record.ts');
    const { purse } = await funded(world, '10');
    const payment = await make(world, 'payment', { title: 'p', purse_id: purse, amount: '5', note: '先' });
    await act(world, payment, 'pay');
    const { version } = await read(world, 'payment', payment.id);
    const patch = (body: object) =>
      updateRecord(world.open(FINANCE, 'payment', 'update'), payment.id, { version, ...body });
    expect(await refusal(patch({ note: '后' }))).toMatchObject({
      problems: [{ path: 'note', code: 'posted' }],
    });
    await patch({ remark: '甲' });
  });
});

async function funded(on: World, amount: string): Promise<{ purse: string; who: string }> {
  const who = await owner(on);
  const deposit = await make(on, 'deposit', { title: 'fund', owner_id: who, lines: [{ amount }] });
  await act(on, deposit, 'post');
  return { purse: (await purseOf(on, who, 'main')).id, who };
}

async function read(on: World, resource: string, id: string): Promise<Record<string, unknown>> {
  const { getRecord } = await import('#server/records/read/get-record.ts');
  return getRecord(on.open(FINANCE, resource, 'read'), id);
}

async function slipsOf(on: World, id: string) {
  const rows = await on.db.query(
    'select id, slip_date::text as date, debit_total::text as debit, credit_total::text as credit, reverse_of from slip where source_id = $1 order by id',
    [id],
  );
  return Promise.all(
    rows.map(async (row) => ({
      date: row['date'],
      total: [row['debit'], row['credit']],
      mirror: row['reverse_of'] !== null,
      lines: (
        await on.db.query(
          'select code, debit::text as debit, credit::text as credit from slip__lines where parent_id = $1 order by line_order',
          [row['id']],
        )
      ).map((line) => [line['code'], line['debit'], line['credit']]),
    })),
  );
}
