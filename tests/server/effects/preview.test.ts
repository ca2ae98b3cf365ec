import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Preview } from '#contract/records.ts';
import { runAction } from '#server/records/action/run-action.ts';
import { showChain } from '#server/records/follow/show-chain.ts';
import { previewRecord } from '#server/records/prepare/preview-record.ts';
import { createRecord } from '#server/records/write/save-record.ts';
import { checkAnswer } from '../../support/contract-answers.ts';
import { FIXTURES } from '../data/fixtures.ts';
import { ADMIN, aWorld, FINANCE, SALES, type World } from '../data/world.ts';
import { traceOf } from '../support/database-trace.ts';
import { QUARRIES } from './quarry.ts';

type Plan = NonNullable<Preview['plan']>;

/** Whoever hauls for others: sees neither quarries nor bills. */
const DRIVER = { role: 'SP', do: ['*'], rows: 'company' as const };

let world: World;
beforeAll(async () => {
  const definitions = QUARRIES.map((definition) =>
    definition.resource === 'haul'
      ? { ...definition, access: [...(definition.access ?? []), DRIVER] }
      : definition,
  );
  world = await aWorld({ definitions: [...FIXTURES, ...definitions] });
});
afterAll(() => world.close());

type Made = Record<string, unknown> & { id: string; version: number };

async function aQuarry(capacity: string): Promise<Made> {
  const fields = { name: `场 ${Math.random()}`, capacity, grade: 'A' };
  return (await createRecord(world.open(ADMIN, 'quarry', 'create'), fields)) as Made;
}

async function aHaul(quarryId: string, ...tons: string[]): Promise<Made> {
  const loads = tons.map((each, index) => ({
    quarry_id: quarryId,
    tons: each,
    carrier: index === 0 ? '东' : '西',
  }));
  return (await createRecord(world.open(ADMIN, 'haul', 'create'), { loads })) as Made;
}

async function preview(resource: string, body: object, person = ADMIN): Promise<Preview> {
  const data = await previewRecord(world.services, world.callerOf(person), { key: resource, body });
  checkAnswer('POST', `/erp/api/data/${resource}/preview`, 200, { data });
  return data;
}

async function planOf(haul: Made, action: string, person = ADMIN): Promise<Plan> {
  const { plan } = await preview('haul', { id: haul.id, version: haul.version, action }, person);
  if (plan === null) throw new Error('no plan');
  return plan;
}

test('tells exactly what the action then does, and leaves nothing behind', async () => {
  const { id, name } = await aQuarry('10');
  const haul = await aHaul(id, '4', '6');
  const before = await traceOf(world.db);
  const plan = await planOf(haul, 'count');
  expect(await traceOf(world.db)).toEqual(before);

  expect(plan).toMatchObject({
    isRefused: false,
    problems: [],
    moved: [
      { resource: 'haul', label: haul['haul_no'], action: '计量', from: '草稿', to: '已计量', isOwn: true },
      { resource: 'quarry', label: name, action: '采空', from: '启用', to: '采空', isOwn: false },
    ],
    made: [
      {
        resource: 'bill',
        title: '运单',
        label: null,
        state: '待运',
        lines: 1,
        form: { haul_id: haul.id, _labels: { haul_id: haul['haul_no'] } },
      },
      { resource: 'bill', title: '运单', label: null, state: '待运', lines: 1 },
    ],
    changed: [{ resource: 'quarry', id, changes: [{ title: '最近采石', old: null, new: '2026-03-31' }] }],
    limits: [
      { resource: 'quarry', field: '余量', was: '10.0000', figure: '0.0000', bound: '0', level: 'ok' },
    ],
    unseen: { made: 0, moved: 0, changed: 0 },
  });
  const done = await runAction(
    world.open(ADMIN, 'haul', 'read'),
    { id: haul.id, action: 'count' },
    { version: haul.version },
  );
  expect(done['status']).toBe('counted');
  expect(await world.db.query('select status from bill where haul_id = $1', [haul.id])).toHaveLength(2);
  const [quarry] = await world.db.query(
    'select "left"::text, status, seen_on::text from quarry where id = $1',
    [id],
  );
  expect(quarry).toEqual({ left: '0.0000', status: 'empty', seen_on: '2026-03-31' });
});

test('a form that is not saved yet is rehearsed with what it holds', async () => {
  const { id } = await aQuarry('10');
  const before = await traceOf(world.db);
  const loads = [{ quarry_id: id, tons: '3', carrier: '东' }];
  const created = await preview('haul', { loads, action: 'count' });
  expect(created.plan).toMatchObject({
    isRefused: false,
    moved: [{ to: '已计量' }],
    made: [{ title: '运单' }],
  });
  expect(await traceOf(world.db)).toEqual(before);
  const haul = await aHaul(id, '1');
  const body = { id: haul.id, version: haul.version, loads: [{ quarry_id: id, tons: '30', carrier: '西' }] };
  const { plan } = await preview('haul', { ...body, action: 'count' });
  expect(plan).toMatchObject({
    isRefused: true,
    problems: [{ path: 'loads.0.tons', message: '采石吨数超过储量', detail: { figure: '-21.0000' } }],
  });
});

test('a refusal is told with its limits and nothing else; a stale version and a foreign right are refused themselves', async () => {
  const { id } = await aQuarry('10');
  const haul = await aHaul(id, '11');
  const plan = await planOf(haul, 'count');
  expect(plan).toMatchObject({
    isRefused: true,
    problems: [{ path: 'loads.0.tons', code: 'limit', detail: { resource: 'quarry', id } }],
    limits: [{ field: '余量', figure: '-1.0000', bound: '0', operator: 'gte', level: 'error' }],
    moved: [],
    made: [],
  });
  await expect(planOf({ ...haul, version: 7 }, 'count')).rejects.toMatchObject({ code: 'STALE_VERSION' });
  await expect(planOf(haul, 'count', FINANCE)).rejects.toMatchObject({ code: 'FORBIDDEN' });
  await expect(planOf(haul, 'blow_up')).rejects.toMatchObject({ code: 'UNKNOWN_ACTION' });
  const { plan: blocked } = await preview('quarry', { id, version: 1, action: 'disable' });
  expect(blocked?.problems).toMatchObject([
    { code: 'blocked', detail: { count: 1, records: [{ resource: 'haul', label: haul['haul_no'] }] } },
  ]);
});

test('of records that the caller may not read it tells message and count only', async () => {
  const { id, name } = await aQuarry('10');
  const plan = await planOf(await aHaul(id, '4', '6'), 'count', SALES);
  expect(plan).toMatchObject({
    moved: [{ resource: 'haul' }],
    made: [],
    changed: [],
    limits: [],
    unseen: { moved: 1, made: 2, changed: 1 },
  });
  const refused = await planOf(await aHaul(id, '11'), 'count', SALES);
  expect(refused.problems).toEqual([{ path: 'loads.0.tons', code: 'limit', message: '采石吨数超过储量' }]);
  expect(refused.limits).toMatchObject([
    { message: '采石吨数超过储量', id: null, figure: null, bound: null },
  ]);
  for (const told of [plan, refused]) {
    expect(JSON.stringify(told)).not.toContain(id);
    expect(JSON.stringify(told)).not.toContain(name);
  }
});

test('gives way: a writer at the same record is not held up, and those who look get an answer or are told to wait', async () => {
  const { id } = await aQuarry('1000');
  const haul = await aHaul(id, '1');
  const looks = Array.from({ length: 6 }, () => planOf(haul, 'count').catch((error: Error) => error));
  const done = await runAction(
    world.open(ADMIN, 'haul', 'read'),
    { id: haul.id, action: 'count' },
    { version: haul.version },
  );
  expect(done['status']).toBe('counted');
  const ends = await Promise.all(looks);
  const told = ends.flatMap((end) => (end instanceof Error ? [] : [end]));
  const refused = ends.flatMap((end) => (end instanceof Error ? [String(Reflect.get(end, 'code'))] : []));
  expect(told.every((plan) => !plan.isRefused && plan.made[0]?.title === '运单')).toBe(true);
  expect(
    refused.filter((code) => !['CONFLICT', 'STALE_VERSION', 'RATE_LIMITED', 'TIMEOUT'].includes(code)),
  ).toEqual([]);
  expect(await world.db.query('select 1 from bill where haul_id = $1', [haul.id])).toHaveLength(1);
});

test('the chain tells what came from what, as far as the caller may read it', async () => {
  const { id } = await aQuarry('10');
  const haul = await aHaul(id, '4', '6');
  await runAction(world.open(ADMIN, 'haul', 'read'), { id: haul.id, action: 'count' }, { version: 1 });
  const chain = await showChain(world.open(ADMIN, 'haul', 'read'), haul.id);
  checkAnswer('GET', `/erp/api/data/haul/${haul.id}/chain`, 200, { data: chain });
  expect(chain).toMatchObject({
    documents: [
      { resource: 'haul', step: 0, label: haul['haul_no'], state: '已计量' },
      { resource: 'bill', step: 1, state: '待运', parent: `haul:${haul.id}` },
      { resource: 'bill', step: 1, state: '待运', parent: `haul:${haul.id}` },
    ],
    unseen: 0,
  });
  const [, bill] = chain.documents;
  const back = await showChain(world.open(ADMIN, 'bill', 'read'), bill?.id ?? '');
  expect(back.documents.map(({ resource, step }) => [resource, step])).toEqual([
    ['haul', -1],
    ['bill', 0],
  ]);
  const driver = await showChain(world.open(SALES, 'haul', 'read'), haul.id);
  expect(driver).toMatchObject({ documents: [{ resource: 'haul' }], unseen: 2 });
});
