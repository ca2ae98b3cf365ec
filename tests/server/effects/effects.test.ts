import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runAction } from '#server/records/action/run-action.ts';
import { getRecord } from '#server/records/read/get-record.ts';
import { repointReferences } from '#server/business/suppliers/repoint-references.ts';
import { createRecord, updateRecord } from '#server/records/write/save-record.ts';
import { ADMIN, aWorld, type World } from '../data/world.ts';
import { FIXTURES } from '../data/fixtures.ts';
import { QUARRIES } from './quarry.ts';

let world: World;
beforeAll(async () => {
  world = await aWorld({ definitions: [...FIXTURES, ...QUARRIES] });
});
afterAll(() => world.close());

type Made = Record<string, unknown> & { id: string; version: number };

async function aQuarry(capacity: string, grade = 'A'): Promise<Made> {
  const name = `场 ${Math.random()}`;
  return (await createRecord(world.open(ADMIN, 'quarry', 'create'), { name, capacity, grade })) as Made;
}

async function aHaul(loads: readonly object[], fields: object = {}): Promise<Made> {
  return (await createRecord(world.open(ADMIN, 'haul', 'create'), {
    ...fields,
    loads: loads.map((load) => ({ carrier: '东', ...load })),
  })) as Made;
}

const act = (resource: string, record: Made, action: string): Promise<Record<string, unknown>> =>
  runAction(world.open(ADMIN, resource, 'read'), { id: record.id, action }, { version: record.version });
const quarry = (id: string): Promise<Record<string, unknown>> =>
  getRecord(world.open(ADMIN, 'quarry', 'read'), id);

describe('a limit', () => {
  it('refuses what goes beyond it, at the column that was summed, with the record and both figures', async () => {
    const { id } = await aQuarry('100');
    const haul = await aHaul([
      { quarry_id: id, tons: '40' },
      { quarry_id: id, tons: '60.0001' },
    ]);
    await expect(act('haul', haul, 'count')).rejects.toMatchObject({
      message: '采石吨数超过储量',
      problems: [
        {
          path: 'loads.0.tons',
          code: 'limit',
          detail: { resource: 'quarry', id, figure: '-0.0001', bound: '0' },
        },
      ],
    });
    expect(await quarry(id)).toMatchObject({ drawn: '0.0000', version: 1 });
  });

  it('passes what is equal to it', async () => {
    const { id } = await aQuarry('100');
    await act('haul', await aHaul([{ quarry_id: id, tons: '100' }]), 'count');
    expect(await quarry(id)).toMatchObject({ drawn: '100.0000', left: '0.0000' });
  });

  it('of 20 writers lets pass exactly as many as fit', async () => {
    const { id } = await aQuarry('1000');
    const hauls = await Promise.all(
      Array.from({ length: 20 }, () => aHaul([{ quarry_id: id, tons: '300' }])),
    );
    const ends = await Promise.allSettled(hauls.map((haul) => act('haul', haul, 'count')));
    const refused = ends.filter((end) => end.status === 'rejected');
    expect(refused).toHaveLength(17);
    for (const { reason } of refused) expect(reason).toMatchObject({ message: '采石吨数超过储量' });
    expect(await quarry(id)).toMatchObject({ drawn: '900.0000' });
  });

  it('refuses only what makes it worse', async () => {
    const made = await aQuarry('100');
    const haul = await aHaul([{ quarry_id: made.id, tons: '50' }]);
    await act('haul', haul, 'count');
    await world.db.execute(`update quarry set capacity = 10, "left" = -40 where id = $1`, [made.id]);
    const counted = (await getRecord(world.open(ADMIN, 'haul', 'read'), haul.id)) as Made;
    const better = await aHaul([{ quarry_id: made.id, tons: '1' }]);
    await expect(act('haul', better, 'count')).rejects.toMatchObject({ message: '采石吨数超过储量' });
    await act('haul', counted, 'cancel');
    expect(await quarry(made.id)).toMatchObject({ drawn: '0.0000', left: '10.0000' });
  });
});

describe('what follows', () => {
  it('makes documents for each value, remembers the lines, and sets fields of others', async () => {
    const [a, b] = [await aQuarry('100'), await aQuarry('100')];
    const haul = await aHaul([
      { quarry_id: a.id, carrier: '东', tons: '1' },
      { quarry_id: b.id, carrier: '西', tons: '2' },
      { quarry_id: b.id, carrier: '东', tons: '3' },
    ]);
    const counted = await act('haul', haul, 'count');
    expect(counted['_created']).toHaveLength(2);
    const bills = await world.db.query(
      `select carrier, total from bill where haul_id = $1 order by carrier`,
      [haul.id],
    );
    expect(bills).toEqual([
      { carrier: '东', total: '4.0000' },
      { carrier: '西', total: '2.0000' },
    ]);
    expect(counted).toMatchObject({
      loads: [{ billed: '1.0000' }, { billed: '2.0000' }, { billed: '3.0000' }],
    });
    expect(await quarry(a.id)).toMatchObject({ seen_on: '2026-03-31', version: 2 });
    const links = await world.db.query(
      `select count(*)::int as n from sys_chain where from_id = $1 and to_line is not null`,
      [haul.id],
    );
    expect(links).toEqual([{ n: 3 }]);
  });

  it('copies into lines what the line has, and of the head what only the head has', async () => {
    const { id } = await aQuarry('100');
    const loads = [
      { quarry_id: id, tons: '1', grade: 'B' },
      { quarry_id: id, tons: '2' },
    ];
    const haul = await aHaul(loads, { note: '夜班', grade: 'A' });
    const counted = (await act('haul', haul, 'count')) as Made;
    await act('haul', counted, 'say');
    const [bill] = await world.db.query(`select id from bill where haul_id = $1 and carrier = '说明'`, [
      haul.id,
    ]);
    expect(await getRecord(world.open(ADMIN, 'bill', 'read'), String(bill?.['id']))).toMatchObject({
      rows: [
        { tons: '1.0000', note: '夜班', grade: 'B' },
        { tons: '2.0000', note: '夜班', grade: null },
      ],
      copies: [
        { tons: null, carrier: '东', note: null },
        { tons: null, carrier: '东', note: null },
      ],
    });
  });

  it('makes one line of the document itself', async () => {
    const { id } = await aQuarry('100');
    const haul = await aHaul([
      { quarry_id: id, carrier: '东', tons: '1' },
      { quarry_id: id, carrier: '西', tons: '2.5' },
    ]);
    await act('haul', (await act('haul', haul, 'count')) as Made, 'sum_up');
    const whole = await world.db.query(
      `select r.tons from bill b join bill__rows r on r.parent_id = b.id where b.haul_id = $1 and b.carrier = '总单'`,
      [haul.id],
    );
    expect(whole).toEqual([{ tons: '3.5000' }]);
  });

  it('makes anew for the value whose document is dead, and for no other', async () => {
    const { id } = await aQuarry('100');
    const haul = await aHaul([
      { quarry_id: id, carrier: '东', tons: '1' },
      { quarry_id: id, carrier: '西', tons: '2' },
    ]);
    const counted = (await act('haul', haul, 'count')) as Made;
    await world.db.execute(`update bill set status = 'dropped' where haul_id = $1 and carrier = '西'`, [
      haul.id,
    ]);
    await act('haul', counted, 'bill_rest');
    expect(
      await world.db.query(`select carrier, status from bill where haul_id = $1 order by carrier, status`, [
        haul.id,
      ]),
    ).toEqual([
      { carrier: '东', status: 'open' },
      { carrier: '西', status: 'dropped' },
      { carrier: '西', status: 'open' },
    ]);
  });

  it('runs its action on the document that begins where there is none to add to', async () => {
    const { id } = await aQuarry('100');
    const counted = (await act('haul', await aHaul([{ quarry_id: id, tons: '1' }]), 'count')) as Made;
    await act('haul', counted, 'list');
    expect(
      await world.db.query(`select status from bill where haul_id = $1 and carrier = '清单'`, [counted.id]),
    ).toEqual([{ status: 'dropped' }]);
  });

  it('moves what was made when the document is cancelled', async () => {
    const { id } = await aQuarry('100');
    const haul = await aHaul([{ quarry_id: id, carrier: '东', tons: '1' }]);
    const counted = (await act('haul', haul, 'count')) as Made;
    await act('haul', counted, 'cancel');
    expect(await world.db.query(`select status from bill where haul_id = $1`, [haul.id])).toEqual([
      { status: 'dropped' },
    ]);
  });

  it('is told what fits the fields of its action, and found by a share as by any key', async () => {
    const share = '37.5000';
    const { id } = (await createRecord(world.open(ADMIN, 'quarry', 'create'), {
      name: '租',
      capacity: '9',
      share,
    })) as Made;
    const loads = [{ quarry_id: id, tons: '1' }];
    const haul = await aHaul(loads, { share, days: 30, rent: '100.00' });
    expect(await quarry(id)).toMatchObject({ same_share: 1 });
    await act('haul', haul, 'let');
    expect(await quarry(id)).toMatchObject({ rent_share: '37.5000', rent_days: 30, rent: '33.33' });
  });

  it('writes into the own record within the same version', async () => {
    const { id } = await aQuarry('100');
    const haul = await aHaul([
      { quarry_id: id, tons: '1', checked: true },
      { quarry_id: id, tons: '2' },
    ]);
    expect(haul).toMatchObject({ version: 1, loads: [{ checked: false }, { checked: false }] });
    const lines = haul['loads'] as { id: string }[];
    const changed = await updateRecord(world.open(ADMIN, 'haul', 'update'), haul.id, {
      version: 1,
      note: '复核',
      loads: [
        { id: lines[0]?.id, checked: true },
        { id: lines[1]?.id, checked: true, tons: '5' },
      ],
    });
    expect(changed).toMatchObject({ version: 2, touched: 1, loads: [{ checked: true }, { checked: false }] });
  });
});

describe('what was made', () => {
  it('keeps what was typed into it, and loses what its source no longer has', async () => {
    const { id } = await aQuarry('100');
    const haul = await aHaul([
      { quarry_id: id, tons: '1', carrier: '东' },
      { quarry_id: id, tons: '2', carrier: '东' },
    ]);
    const counted = (await act('haul', haul, 'count')) as Made;
    const [first, second] = counted['loads'] as { id: string }[];
    const [bill] = await world.db.query('select id, version from bill where haul_id = $1', [haul.id]);
    const rows = async () =>
      (await getRecord(world.open(ADMIN, 'bill', 'read'), String(bill?.['id'])))['rows'] as Made[];
    await updateRecord(world.open(ADMIN, 'bill', 'update'), String(bill?.['id']), {
      version: bill?.['version'],
      rows: [{ tons: '7', _before: (await rows())[0]?.id }],
    });
    const saved = (await updateRecord(world.open(ADMIN, 'haul', 'update'), haul.id, {
      version: counted.version,
      loads: [
        { id: first?.id, tons: '1.5' },
        { id: second?.id, _delete: true },
      ],
    })) as Made;
    await act('haul', saved, 'rebill');
    expect(await rows()).toMatchObject([
      { load: first?.id, tons: '1.5000' },
      { load: null, tons: '7.0000' },
    ]);
  });

  it.each<[string, readonly string[]]>([
    ['one document', ['东']],
    ['one of two', ['东', '西']],
  ])('has no lines when its source has none left for it, and has them again: %s', async (_, carriers) => {
    const { id } = await aQuarry('100');
    const haul = await aHaul(carriers.map((carrier) => ({ quarry_id: id, tons: '2', carrier })));
    const counted = (await act('haul', haul, 'count')) as Made;
    const [load] = counted['loads'] as { id: string }[];
    const rebilled = async (version: number, tons: string): Promise<Record<string, unknown>> => {
      const saved = await updateRecord(world.open(ADMIN, 'haul', 'update'), haul.id, {
        version,
        loads: [{ id: load?.id, tons }],
      });
      return act('haul', saved as Made, 'rebill');
    };
    const total = async () =>
      (await world.db.query(`select total from bill where haul_id = $1 and carrier = '东'`, [haul.id])).map(
        (bill) => bill['total'],
      );
    const none = await rebilled(counted.version, '0');
    expect(Number((await total())[0])).toBe(0);
    const some = await rebilled(Number(none['version']), '3');
    expect(await total()).toEqual(['3.0000']);
    await rebilled(Number(some['version']), '4');
    expect(await total()).toEqual(['4.0000']);
  });

  it('is mapped again document by document, each with the lines that came into it', async () => {
    const { id } = await aQuarry('100');
    const haul = await aHaul([
      { quarry_id: id, tons: '1', carrier: '东' },
      { quarry_id: id, tons: '2', carrier: '西' },
      { quarry_id: id, tons: '3', carrier: '西' },
    ]);
    const counted = (await act('haul', haul, 'count')) as Made;
    const loads = counted['loads'] as { id: string }[];
    const saved = (await updateRecord(world.open(ADMIN, 'haul', 'update'), haul.id, {
      version: counted.version,
      loads: [
        { id: loads[0]?.id, tons: '5' },
        { id: loads[2]?.id, tons: '4' },
      ],
    })) as Made;
    await act('haul', saved, 'rebill');
    const rows = await world.db.query(
      `select b.carrier, r.tons::text from bill b join bill__rows r on r.parent_id = b.id where b.haul_id = $1 order by b.carrier, r.line_order`,
      [haul.id],
    );
    expect(rows.map(({ carrier, tons }) => `${String(carrier)} ${String(tons)}`)).toEqual([
      '东 5.0000',
      '西 2.0000',
      '西 4.0000',
    ]);
  });

  it.each<[string, readonly string[], readonly string[], Readonly<Record<string, string>>]>([
    ['most lines go over', ['东', '东', '东', '西'], ['西', '西', '东', '西'], { 东: '3', 西: '1,2,4' }],
    ['all lines go over', ['东', '西'], ['西', '西'], { 东: '', 西: '1,2' }],
    [
      'none of three is left but one',
      ['东', '西', '南'],
      ['南', '南', '南'],
      { 东: '', 南: '1,2,3', 西: '' },
    ],
    ['two change places', ['东', '西'], ['西', '东'], { 东: '2', 西: '1' }],
    ['no line is of any', ['东', '西'], ['', ''], { 东: '', 西: '' }],
  ])('stays the document of its value of `per`: %s', async (_, before, after, bills) => {
    const { id } = await aQuarry('100');
    const haul = await aHaul(
      before.map((carrier, index) => ({ quarry_id: id, tons: String(index + 1), carrier })),
    );
    const counted = (await act('haul', haul, 'count')) as Made;
    const loads = counted['loads'] as { id: string }[];
    const saved = (await updateRecord(world.open(ADMIN, 'haul', 'update'), haul.id, {
      version: counted.version,
      loads: loads.map((load, index) => ({
        id: load.id,
        carrier: after[index] === '' ? null : after[index],
      })),
    })) as Made;
    const again = (await act('haul', saved, 'rebill')) as Made;
    expect(await rowsByCarrier(haul.id)).toEqual(bills);
    // Nothing is left to be undone: what was mapped again comes back as it was.
    const back = (await updateRecord(world.open(ADMIN, 'haul', 'update'), haul.id, {
      version: again.version,
      loads: loads.map((load, index) => ({ id: load.id, carrier: before[index] })),
    })) as Made;
    await act('haul', back, 'rebill');
    const first: Record<string, string> = {};
    for (const [index, carrier] of before.entries())
      first[carrier] = [...(first[carrier] === undefined ? [] : [first[carrier]]), index + 1].join();
    expect(await rowsByCarrier(haul.id)).toEqual(first);
  });

  it('has its lines made anew for a value of `per` that has no document yet', async () => {
    const { id } = await aQuarry('100');
    const haul = await aHaul(['1', '2'].map((tons) => ({ quarry_id: id, tons, carrier: '东' })));
    const counted = (await act('haul', haul, 'count')) as Made;
    const [load] = counted['loads'] as { id: string }[];
    const saved = (await updateRecord(world.open(ADMIN, 'haul', 'update'), haul.id, {
      version: counted.version,
      loads: [{ id: load?.id, carrier: '南' }],
    })) as Made;
    // As long as it stands in the old one it is not made a second time.
    const early = (await act('haul', saved, 'bill_rest')) as Made;
    expect(await rowsByCarrier(haul.id)).toEqual({ 东: '1,2' });
    const again = (await act('haul', early, 'rebill')) as Made;
    expect(await rowsByCarrier(haul.id)).toEqual({ 东: '2' });
    const rest = (await act('haul', again, 'bill_rest')) as Made;
    expect(await rowsByCarrier(haul.id)).toEqual({ 东: '2', 南: '1' });
    await act('haul', rest, 'bill_rest');
    expect(await rowsByCarrier(haul.id)).toEqual({ 东: '2', 南: '1' });
  });
});

/** The tons of each bill of a load of stones, by carrier. */
async function rowsByCarrier(haul: string): Promise<Record<string, string>> {
  const rows = await world.db.query(
    `select b.carrier, coalesce(string_agg(trunc(r.tons)::text, ',' order by r.line_order), '') as tons
     from bill b left join bill__rows r on r.parent_id = b.id where b.haul_id = $1 group by b.id, b.carrier`,
    [haul],
  );
  return Object.fromEntries(rows.map(({ carrier, tons }) => [String(carrier), String(tons)]));
}

describe('a record', () => {
  it('moves itself as soon as its condition holds, and back', async () => {
    const made = await aQuarry('10');
    const haul = await aHaul([{ quarry_id: made.id, tons: '10' }]);
    const counted = (await act('haul', haul, 'count')) as Made;
    expect(await quarry(made.id)).toMatchObject({ status: 'empty' });
    await act('haul', counted, 'cancel');
    expect(await quarry(made.id)).toMatchObject({ status: 'active' });
  });

  it('is not moved while others stand against it, who are named', async () => {
    const made = await aQuarry('10');
    const haul = await aHaul([{ quarry_id: made.id, tons: '1' }]);
    await expect(act('quarry', made, 'disable')).rejects.toMatchObject({
      message: '还有未完结的采石单',
      problems: [
        {
          code: 'blocked',
          detail: { count: 1, records: [{ resource: 'haul', id: haul.id, label: haul['haul_no'] }] },
        },
      ],
    });
  });

  it('keeps figures over records of equal keys', async () => {
    const grade = 'K7';
    const made = await aQuarry('10', grade);
    await act('haul', await aHaul([{ quarry_id: made.id, tons: '1' }], { grade }), 'count');
    expect(await quarry(made.id)).toMatchObject({ same_grade: 1 });
    expect(await aQuarry('10', grade)).toMatchObject({ same_grade: 1 });
  });
});

describe('a figure over rows that refer to a record', () => {
  it('is taken anew when the record changes what narrows it', async () => {
    const made = await aQuarry('100');
    await aHaul([
      { quarry_id: made.id, tons: '3' },
      { quarry_id: made.id, tons: '4' },
    ]);
    const { version } = await quarry(made.id);
    await updateRecord(world.open(ADMIN, 'quarry', 'update'), made.id, { version, worth_from: '4' });
    expect(await quarry(made.id)).toMatchObject({ worth: '4.0000' });
  });
});

describe('a write that waits for a record', () => {
  it('keeps the figure that came into a line of it meanwhile', async () => {
    const { id } = await aQuarry('100');
    const haul = await aHaul([{ quarry_id: id, tons: '5' }]);
    const [load] = haul['loads'] as readonly Made[];
    await whileHeld(haul.id, `update haul__loads set billed = 3 where parent_id = $1`, () =>
      updateRecord(world.open(ADMIN, 'haul', 'update'), haul.id, {
        version: haul.version,
        loads: [{ id: load?.id, quarry_id: id, tons: '5', carrier: '西' }],
      }),
    );
    expect(await getRecord(world.open(ADMIN, 'haul', 'read'), haul.id)).toMatchObject({
      loads: [{ carrier: '西', billed: '3.0000' }],
    });
  });

  it('keeps the line that came into it meanwhile', async () => {
    const [kept, replaced] = [await aQuarry('100'), await aQuarry('100')];
    const haul = await aHaul([{ quarry_id: replaced.id, tons: '5' }]);
    await whileHeld(
      haul.id,
      `insert into haul__loads (id, co_code, parent_id, line_order, quarry_id, carrier, tons)
       select gen_random_uuid(), co_code, $1, 2, quarry_id, '南', 2 from haul__loads where parent_id = $1`,
      () =>
        world.db.transaction((tx) =>
          repointReferences(
            { tx, services: world.services, caller: world.callerOf(ADMIN) },
            { resource: 'quarry', keep: kept.id, replaced: replaced.id },
          ),
        ),
    );
    expect(await getRecord(world.open(ADMIN, 'haul', 'read'), haul.id)).toMatchObject({
      loads: [
        { carrier: '东', quarry_id: kept.id },
        { carrier: '南', quarry_id: kept.id },
      ],
    });
  });
});

const WAITING = `select 1 from pg_locks l join pg_stat_activity a on a.pid = l.pid
  where not l.granted and a.datname = current_database()`;

/** Somebody else has the haul and writes into its lines; `work` begins, waits for him, and goes on when he is done. */
async function whileHeld(id: string, change: string, work: () => Promise<unknown>): Promise<void> {
  const other = await world.db.pool.connect();
  try {
    await other.query('begin');
    await other.query('select 1 from haul where id = $1 for update', [id]);
    await other.query(change, [id]);
    const waiting = work();
    await expect.poll(() => world.db.query(WAITING), { timeout: 10_000 }).not.toEqual([]);
    await other.query('commit');
    await waiting;
  } finally {
    await other.query('rollback');
    other.release();
  }
}

it('a rule speaks with its action only, and reads the line above', async () => {
  const { id } = await aQuarry('100');
  const haul = await aHaul([
    { quarry_id: id, tons: '5' },
    { quarry_id: id, tons: '4' },
  ]);
  await expect(act('haul', haul, 'count')).rejects.toMatchObject({
    problems: [{ path: 'loads.1.tons', message: '装载须由轻到重' }],
  });
});
