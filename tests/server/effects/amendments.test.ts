import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ResourceDefinition } from '#engine/schema/definition.ts';
import { runAction } from '#server/records/action/run-action.ts';
import { applyAmendment } from '#server/records/follow/amendment.ts';
import { readChanges } from '#server/records/follow/amendment-changes.ts';
import { getRecord } from '#server/records/read/get-record.ts';
import { deleteRecord } from '#server/records/write/delete-record.ts';
import { createRecord, updateRecord } from '#server/records/write/save-record.ts';
import { FIXTURES } from '../data/fixtures.ts';
import { ADMIN, aWorld, type World } from '../data/world.ts';
import { refusal } from './ledger-steps.ts';

const EVERYTHING = [{ role: 'AD', do: ['*'], rows: 'company' as const }];
const SEATS = { type: 'integer' as const, title: '座位' };

const HALL: ResourceDefinition = {
  resource: 'hall',
  title: '大厅',
  kind: 'master',
  mixins: ['scope'],
  label: 'name',
  fields: {
    name: { type: 'text', title: '名称', max: 20 },
    seats: SEATS,
    fee: { type: 'integer', title: '场租' },
    taken: {
      ...SEATS,
      rollup: { of: 'booking', by: 'hall_id', where: { status: { eq: 'booked' } }, sum: 'seats' },
    },
  },
  limits: [{ assert: { taken: { lte: { '=': 'seats' } } }, message: '座位不足' }],
  access: EVERYTHING,
};

const BOOKING: ResourceDefinition = {
  resource: 'booking',
  title: '预订',
  kind: 'document',
  label: 'guest',
  fields: {
    guest: { type: 'text', title: '客人', max: 20 },
    hall_id: { type: 'reference', title: '大厅', to: 'hall' },
    seats: SEATS,
    fee: { type: 'integer', title: '场租', formula: 'hall_id.fee', until: ['booked'] },
    told_fee: { type: 'integer', title: '告知场租', formula: 'hall_id.fee', until: ['over'] },
  },
  lifecycle: {
    initial: 'booked',
    states: {
      booked: { title: '已订', edit: ['guest'] },
      changing: { title: '变更中' },
      over: { title: '已办', edit: ['guest'] },
    },
    actions: {
      open: { title: '变更', from: ['booked', 'over'], to: 'changing', system: true },
      close: { title: '变更完', from: ['changing'], to: '$previous', system: true },
      hold: { title: '举办', from: ['booked'], to: 'over' },
    },
  },
  access: EVERYTHING,
};

const CHANGE: ResourceDefinition = {
  resource: 'booking_change',
  title: '变更单',
  kind: 'document',
  label: 'note',
  fields: {
    note: { type: 'text', title: '说明', max: 20 },
    booking_id: { type: 'reference', title: '预订', to: 'booking' },
    changes: {
      type: 'lines',
      title: '变更',
      fields: {
        field: { type: 'text', title: '字段', max: 20 },
        old_value: { type: 'text', title: '变更前', max: 200, system: true },
        new_value: { type: 'text', title: '变更后', max: 200 },
      },
    },
  },
  amendment: {
    of: 'booking',
    by: 'booking_id',
    changes: 'changes',
    open: 'open',
    close: 'close',
    fields: ['seats'],
  },
  lifecycle: {
    initial: 'draft',
    groups: { final: ['done', 'void'], dead: ['void'] },
    states: {
      draft: { title: '草稿', edit: '*' },
      pending: { title: '待审' },
      done: { title: '生效' },
      void: { title: '作废' },
    },
    actions: {
      submit: {
        title: '提交',
        from: ['draft'],
        to: 'pending',
        approval: { approved: 'done', rejected: 'draft', withdrawn: 'draft' },
      },
      void: { title: '作废', from: ['draft'], to: 'void' },
    },
  },
  access: EVERYTHING,
};

let world: World;
beforeAll(async () => {
  world = await aWorld({ definitions: [...FIXTURES, HALL, BOOKING, CHANGE] });
});
afterAll(() => world.close());

type Made = Record<string, unknown> & { id: string; version: number };

async function make(resource: string, fields: object): Promise<Made> {
  return (await createRecord(world.open(ADMIN, resource, 'create'), fields)) as Made;
}

const aBooking = (hall: Made, seats = 10): Promise<Made> =>
  make('booking', { guest: '甲', hall_id: hall.id, seats });
const aHall = (): Promise<Made> => make('hall', { name: '一', seats: 15, fee: 5 });
const aChange = (booking: Made, seats = '5'): Promise<Made> =>
  make('booking_change', {
    note: '变',
    booking_id: booking.id,
    changes: [{ field: 'seats', new_value: seats }],
  });

async function stateOf(booking: Made): Promise<unknown> {
  return (await getRecord(world.open(ADMIN, 'booking', 'read'), booking.id))['status'];
}

test('one amendment is open at a time: the second names the first, two at once are one', async () => {
  const booking = await aBooking(await aHall());
  const ends = await Promise.allSettled([aChange(booking), aChange(booking)]);
  const made = ends.flatMap((end) => (end.status === 'fulfilled' ? [end.value] : []));
  expect(made).toHaveLength(1);
  expect(await refusal(aChange(booking))).toMatchObject({
    code: 'RULE_REFUSED',
    message: '预订已有未完成的变更单',
    problems: [
      {
        path: 'booking_id',
        code: 'blocked',
        detail: { count: 1, records: [{ resource: 'booking_change', id: made[0]?.id, label: '变' }] },
      },
    ],
  });
});

test('what is deleted, dead or moved to another target lets its own go', async () => {
  const hall = await aHall();
  const [first, second] = [await aBooking(hall, 3), await aBooking(hall, 3)];
  const deleted = await aChange(first);
  expect(await stateOf(first)).toBe('changing');
  await deleteRecord(world.open(ADMIN, 'booking_change', 'delete'), deleted.id, 1);
  expect(await stateOf(first)).toBe('booked');
  const voided = await aChange(first);
  await runAction(
    world.open(ADMIN, 'booking_change', 'read'),
    { id: voided.id, action: 'void' },
    { version: 1 },
  );
  expect(await stateOf(first)).toBe('booked');
  const moved = await aChange(first);
  await updateRecord(world.open(ADMIN, 'booking_change', 'update'), moved.id, {
    version: 1,
    booking_id: second.id,
  });
  expect([await stateOf(first), await stateOf(second)]).toEqual(['booked', 'changing']);
  await aChange(first);
});

test('what the target would break once it is closed again is not submitted, and the fault stands at the change', async () => {
  const booking = await aBooking(await aHall());
  const change = await aChange(booking, '16');
  const submitted = runAction(
    world.open(ADMIN, 'booking_change', 'read'),
    { id: change.id, action: 'submit' },
    { version: change.version },
  );
  expect(await refusal(submitted)).toMatchObject({
    message: '座位不足',
    problems: [{ path: 'changes.0.new_value' }],
  });
});

test('what ends without an approval takes nothing anew of what the target has frozen; what is approved does', async () => {
  const hall = await aHall();
  const booking = await aBooking(hall);
  const feeNow = async () => (await getRecord(world.open(ADMIN, 'booking', 'read'), booking.id))['fee'];
  await updateRecord(world.open(ADMIN, 'hall', 'update'), hall.id, { version: 1, fee: 7 });
  const act = async (id: string, action: string): Promise<void> => {
    const call = world.open(ADMIN, 'booking_change', 'read');
    const { version } = await getRecord(call, id);
    await runAction(call, { id, action }, { version: Number(version) });
  };
  await act((await aChange(booking)).id, 'void');
  expect([await stateOf(booking), await feeNow()]).toEqual(['booked', 5]);
  const deleted = await aChange(booking);
  await deleteRecord(world.open(ADMIN, 'booking_change', 'delete'), deleted.id, 1);
  expect([await stateOf(booking), await feeNow()]).toEqual(['booked', 5]);
  const change = await aChange(booking);
  const call = world.open(ADMIN, 'booking_change', 'read');
  await world.services.db.transaction(async (tx) => {
    const record = await getRecord(call, change.id);
    await applyAmendment({ tx, services: world.services, caller: call.caller, created: [] }, call, record);
  });
  expect([await stateOf(booking), await feeNow()]).toEqual(['booked', 7]);
});

test('a change that begins where a value is frozen takes it anew only with its approval', async () => {
  const hall = await aHall();
  const booking = await aBooking(hall);
  const act = async (resource: string, id: string, action: string): Promise<void> => {
    const call = world.open(ADMIN, resource, 'read');
    const { version } = await getRecord(call, id);
    await runAction(call, { id, action }, { version: Number(version) });
  };
  const feeNow = async () => (await getRecord(world.open(ADMIN, 'booking', 'read'), booking.id))['told_fee'];
  await act('booking', booking.id, 'hold');
  await updateRecord(world.open(ADMIN, 'hall', 'update'), hall.id, { version: 1, fee: 7 });
  const given = await aChange(booking);
  expect([await stateOf(booking), await feeNow()]).toEqual(['changing', 5]);
  await act('booking_change', given.id, 'void');
  expect([await stateOf(booking), await feeNow()]).toEqual(['over', 5]);
  const change = await aChange(booking);
  const call = world.open(ADMIN, 'booking_change', 'read');
  await world.services.db.transaction(async (tx) => {
    const record = await getRecord(call, change.id);
    await applyAmendment({ tx, services: world.services, caller: call.caller, created: [] }, call, record);
  });
  expect([await stateOf(booking), await feeNow()]).toEqual(['over', 7]);
});

test('columns of a new line are told apart by its number, without which they are refused', () => {
  const { resource } = world.open(ADMIN, 'contract', 'read');
  const amendment = {
    of: 'contract',
    by: 'contract_id',
    changes: 'changes',
    open: 'open',
    close: 'close',
    fields: [],
    lines: { items: ['add'] },
  } as const;
  const added = (goods: string, line_no: number | null) => ({
    field: 'items.goods_name',
    op: 'add',
    line_no,
    new_value: goods,
  });
  const read = (...changes: readonly object[]) =>
    readChanges(amendment, { record: { changes }, target: { items: [] }, resource });
  expect(read(added('甲', 1), added('乙', 2)).problems).toEqual([]);
  expect(read(added('甲', 1), added('乙', null)).problems).toEqual([
    { path: 'changes.1.line_no', code: 'change', message: '请填写新增行的行号，同一行的各项填同一个' },
  ]);
});
