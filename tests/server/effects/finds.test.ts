import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { ResourceDefinition } from '#engine/schema/definition.ts';
import type { Subject } from '#engine/schema/resource.ts';
import { lintDefinitions } from '#engine/schema/lint-resource.ts';
import { runAction } from '#server/records/action/run-action.ts';
import { previewRecord } from '#server/records/prepare/preview-record.ts';
import { parseListRequest } from '#server/records/list/list-request.ts';
import { queryRecords } from '#server/records/list/query-records.ts';
import { getRecord } from '#server/records/read/get-record.ts';
import { recomputeRecords, type RecomputedStretch } from '#server/records/recompute/recompute-records.ts';
import { decideTask } from '#server/workflow/approvals/decide-task.ts';
import { createRecord, updateRecord } from '#server/records/write/save-record.ts';
import { ADMIN, aWorld, BOSS, FINANCE, type World } from '../data/world.ts';
import { FIXTURES } from '../data/fixtures.ts';
import { AMOUNT, FERRIES } from './ferry.ts';

let world: World;
beforeAll(async () => {
  world = await aWorld({ definitions: [...FIXTURES, ...FERRIES] });
});
afterAll(() => world.close());

type Made = Record<string, unknown> & { id: string; version: number };

const make = async (resource: string, body: object): Promise<Made> =>
  (await createRecord(world.open({ ...ADMIN, super_permission: true }, resource, 'create'), body)) as Made;
const read = async (id: string): Promise<Made> =>
  (await getRecord(world.open(ADMIN, 'crossing', 'read'), id)) as Made;
const act = async (record: Made, action: string): Promise<Made> =>
  (await runAction(
    world.open(ADMIN, 'crossing', 'read'),
    { id: record.id, action },
    { version: record.version },
  )) as Made;
const change = async (record: Made, fields: object): Promise<Made> =>
  (await updateRecord(world.open(ADMIN, 'crossing', 'update'), record.id, {
    version: record.version,
    ...fields,
  })) as Made;

/** A harbour with two versions of its tariff, and the fares of its zone. */
async function aHarbour(): Promise<{
  id: string;
  code: string;
  zone: string;
  tariffs: Made[];
  fares: Made[];
}> {
  const code = `H${Math.random().toString(36).slice(2, 8)}`;
  const zone = `Z${code.slice(1)}`;
  const { id } = await make('harbour', { name: code, code });
  const tariff = { harbour_code: code, zone };
  const fare = { kind: 'ore', zone, unit: '吨' };
  return {
    id,
    code,
    zone,
    tariffs: [
      await make('tariff', { ...tariff, name: '旧', surcharge: '10', valid_from: '2026-01-01' }),
      await make('tariff', { ...tariff, name: '新', surcharge: '20', valid_from: '2026-03-01' }),
    ],
    fares: [
      await make('fare', { ...fare, name: '矿石', price: '100', valid_from: '2026-01-01' }),
      await make('fare', { ...fare, name: '矿石二', price: '200', valid_from: '2026-03-01' }),
    ],
  };
}

describe('a find', () => {
  it('is its own, though another of that name reads the same values', async () => {
    const { id, fares } = await aHarbour();
    const lines = [{ kind: 'ore' }];
    const made = await make('crossing', { harbour_id: id, day: '2026-04-01', cargo: lines, spare: lines });
    expect(made['cargo']).toMatchObject([{ fare_id: fares[1]?.id }]);
    expect(made['spare']).toMatchObject([{ fare_id: fares[0]?.id }]);
  });

  it('takes the first match with all that needs it, in order of need', async () => {
    const { id, tariffs, fares, zone } = await aHarbour();
    const made = await make('crossing', {
      harbour_id: id,
      day: '2026-02-15',
      cargo: [
        { kind: 'ore', pieces: 3 },
        { kind: 'coal', pieces: 1 },
      ],
    });
    expect(made).toMatchObject({
      tariff_id: tariffs[0]?.id,
      zone,
      surcharge: '10.00',
      total: '330.00',
      cargo: [
        { fare_id: fares[0]?.id, unit: '吨', amount: '330.00' },
        { fare_id: null, unit: null, amount: null },
      ],
    });
    expect(await read(made.id)).toMatchObject({ tariff_id: tariffs[0]?.id, total: '330.00' });
  });

  it('is taken again at every write, and gives nothing where there is none', async () => {
    const { id, tariffs } = await aHarbour();
    const made = await make('crossing', {
      harbour_id: id,
      day: '2026-02-15',
      cargo: [{ kind: 'ore', pieces: 1 }],
    });
    const later = await change(made, { day: '2026-03-02' });
    expect(later).toMatchObject({ tariff_id: tariffs[1]?.id, total: '240.00' });
    const none = await change(later, { day: '2025-12-31' });
    expect(none).toMatchObject({ tariff_id: null, zone: null, total: '0.00', cargo: [{ fare_id: null }] });
  });

  it('sees neither deleted records nor those of another company', async () => {
    const { id, tariffs } = await aHarbour();
    await world.db.execute(`update tariff set is_deleted = true where id = $1`, [tariffs[1]?.id]);
    const deleted = await make('crossing', { harbour_id: id, day: '2026-03-15' });
    expect(deleted['tariff_id']).toBe(tariffs[0]?.id);
    await world.db.execute(`update tariff set co_code = 'AE' where id = $1`, [tariffs[0]?.id]);
    expect((await change(deleted, { day: '2026-03-16' }))['tariff_id']).toBeNull();
  });

  it('is what a preview shows, by its name', async () => {
    const { id, tariffs } = await aHarbour();
    const { record, states } = await previewRecord(world.services, world.callerOf(ADMIN), {
      key: 'crossing',
      body: { harbour_id: id, day: '2026-03-15', cargo: [{ kind: 'ore', pieces: 1 }] },
    });
    expect(record).toMatchObject({
      tariff_id: tariffs[1]?.id,
      _labels: { tariff_id: '新' },
      cargo: [{ _labels: { fare_id: '矿石二' } }],
      total: '240.00',
    });
    expect(states['tariff_id']?.readOnly).toBe('自动取第一条符合的记录，进入「已开航」时取值，之后不再变化');
    expect(states['wait']?.readOnly).toBe('由公式在查看时计算');
  });

  it('is not for the client to say', async () => {
    const { id, tariffs, fares } = await aHarbour();
    const body = { harbour_id: id, day: '2026-02-15', cargo: [{ kind: 'ore', fare_id: fares[1]?.id }] };
    await expect(make('crossing', { ...body, tariff_id: tariffs[1]?.id })).rejects.toMatchObject({
      problems: [
        { path: 'cargo.0.fare_id', code: 'server_decided' },
        { path: 'tariff_id', code: 'server_decided' },
      ],
    });
  });

  it('takes as many statements for a hundred lines as for one', async () => {
    const { id } = await aHarbour();
    const count = async (lines: number): Promise<number> => {
      const spy = vi.spyOn(world.db, 'query');
      const cargo = Array.from({ length: lines }, (_, pieces) => ({
        kind: pieces % 2 === 0 ? 'ore' : null,
        pieces,
      }));
      const { record } = await previewRecord(world.services, world.callerOf(ADMIN), {
        key: 'crossing',
        body: { harbour_id: id, day: '2026-03-15', cargo },
      });
      expect(record['cargo']).toHaveLength(lines);
      const calls = spy.mock.calls.length;
      spy.mockRestore();
      return calls;
    };
    const few = await count(2);
    expect(await count(100)).toBe(few);
  });
});

describe('a frozen value', () => {
  it('stays as it was when the record entered its state, whatever comes later', async () => {
    const { id, code, zone, tariffs } = await aHarbour();
    const made = await make('crossing', {
      harbour_id: id,
      day: '2026-03-15',
      cargo: [{ kind: 'ore', pieces: 1 }],
    });
    const sailed = await act(made, 'sail');
    const newer = { harbour_code: code, zone, name: '最新', surcharge: '50', valid_from: '2026-03-10' };
    const { id: newest } = await make('tariff', newer);
    await world.db.execute(`update tariff set surcharge = 90 where id = $1`, [tariffs[1]?.id]);
    const other = await aHarbour();
    const kept = await change(sailed, { harbour_id: other.id });
    expect(kept).toMatchObject({ tariff_id: tariffs[1]?.id, surcharge: '20.00' });
    const back = await act(await change(kept, { harbour_id: id }), 'recount');
    expect(back).toMatchObject({ tariff_id: newest, surcharge: '50.00', total: '300.00' });
  });
});

describe('a frozen figure', () => {
  it('follows until the record enters its state, and is taken anew when an action says so', async () => {
    const { id } = await aHarbour();
    const made = await make('crossing', { harbour_id: id, day: '2026-03-15' });
    await make('ticket', { crossing_id: made.id, amount: '30' });
    expect(await read(made.id)).toMatchObject({ sold: '30.00', taken: '30.00', version: 1 });
    const sailed = await act(made, 'sail');
    await make('ticket', { crossing_id: made.id, amount: '12' });
    expect(await read(made.id)).toMatchObject({ sold: '30.00', taken: '30.00' });
    expect(await act(sailed, 'recount')).toMatchObject({ sold: '42.00', taken: '42.00' });
  });

  it('holds for as many as were there, whoever writes at the same time', async () => {
    const { id } = await aHarbour();
    const made = await make('crossing', { harbour_id: id, day: '2026-03-15' });
    const tickets = Array.from({ length: 6 }, () => make('ticket', { crossing_id: made.id, amount: '1' }));
    const [sailed] = await Promise.all([act(made, 'sail'), ...tickets]);
    const then = await read(made.id);
    expect(Number(then['sold'])).toBeLessThanOrEqual(6);
    const counted = await act(sailed, 'recount');
    expect(counted['sold']).toBe('6.00');
    expect((await act(counted, 'pay'))['status']).toBe('paid');
  });

  it('that would now be another refuses what asks for fresh ones, with both figures', async () => {
    const { id, code, zone, tariffs } = await aHarbour();
    const made = await make('crossing', { harbour_id: id, day: '2026-03-15' });
    const sailed = await act(made, 'sail');
    await make('ticket', { crossing_id: made.id, amount: '7.5' });
    await make('tariff', {
      harbour_code: code,
      zone,
      name: '更新',
      surcharge: '20',
      valid_from: '2026-03-09',
    });
    const about = { resource: 'crossing', id: made.id };
    await expect(act(sailed, 'pay')).rejects.toMatchObject({
      code: 'RULE_REFUSED',
      message: '资费已变化，请重新取价',
      problems: [
        { path: 'tariff_id', code: 'fresh', detail: { ...about, figure: '新', bound: '更新' } },
        { path: 'sold', code: 'fresh', detail: { ...about, figure: '0.00', bound: '7.50' } },
      ],
    });
    expect(await read(made.id)).toMatchObject({ status: 'sailed', tariff_id: tariffs[1]?.id });
    expect(await act(await act(sailed, 'recount'), 'pay')).toMatchObject({ status: 'paid', sold: '7.50' });
  });
});

describe('the last level of an approval', () => {
  const decide = async (person: Partial<Subject>, id: string): Promise<unknown> => {
    const [task] = await world.db.query(
      `select id from approval_task where record_id = $1 and status = 'pending'`,
      [id],
    );
    const decision = { kind: 'approve' as const, version: null, opinion: '同意' };
    return decideTask(world.services, world.callerOf(person), { taskId: String(task?.['id']), decision });
  };

  it('asks for fresh values and for what references ask again; the levels before it do not', async () => {
    const level = async (code: string, level_no: number): Promise<object> => {
      const [role] = await world.db.query('select id from role where code = $1', [code]);
      return { level_no, title: code, approver_kind: 'role', role_ids: [role?.['id']], mode: 'any' };
    };
    const levels = [await level('FN', 1), await level('GM', 2)];
    await make('approval_flow', { name: '航次', resource: 'crossing', priority: 1, levels });
    const { id, code, zone } = await aHarbour();
    const boat = await make('boat', { name: code });
    const made = await make('crossing', { harbour_id: id, day: '2026-03-15', boat_id: boat.id });
    await act(await act(made, 'sail'), 'bill');
    const late = await make('tariff', {
      harbour_code: code,
      zone,
      name: '更新',
      surcharge: '20',
      valid_from: '2026-03-09',
    });
    await world.db.execute(`update boat set status = 'disabled' where id = $1`, [boat.id]);
    await decide(FINANCE, made.id);
    await expect(decide(BOSS, made.id)).rejects.toMatchObject({
      code: 'RULE_REFUSED',
      message: '资费已变化，请驳回后重新取价',
      problems: [{ path: 'tariff_id', code: 'fresh', detail: { figure: '新', bound: '更新' } }],
    });
    await world.db.execute('update tariff set is_deleted = true where id = $1', [late.id]);
    await expect(decide(BOSS, made.id)).rejects.toMatchObject({
      problems: [{ path: 'boat_id', message: '船只已停用，不能开航' }],
    });
    expect((await read(made.id))['status']).toBe('pending');
    await world.db.execute(`update boat set status = 'active' where id = $1`, [boat.id]);
    await decide(BOSS, made.id);
    expect((await read(made.id))['status']).toBe('paid');
  });
});

describe('what needs a column', () => {
  it.each<[string, string, object, string]>([
    [
      'a limit',
      'crossing',
      { limits: [{ assert: { due: { gte: '0' } }, message: '应收不能为负' }] },
      '"due" 不保存，不能用于限额',
    ],
    ['a unique', 'crossing', { unique: [{ fields: ['pieces'] }] }, '"pieces" 不保存，不能用于唯一约束'],
    ['an index', 'crossing', { indexes: [['-due']] }, '"-due" 不保存，不能用于索引'],
    [
      'a figure',
      'harbour',
      { due: { ...AMOUNT, rollup: { of: 'crossing', by: 'harbour_id', sum: 'due' } } },
      '"due" 不保存，不能用于汇总',
    ],
    [
      'a path',
      'ticket',
      { due: { ...AMOUNT, formula: 'crossing_id.due' } },
      '"crossing_id.due" 不保存，不能用于经引用取值',
    ],
  ])('%s over a formula that is not stored is a load error', (_, resource, changed, message) => {
    const files = [...FIXTURES, ...FERRIES].map((definition) => {
      const isField = definition.resource === resource && resource !== 'crossing';
      const mine = isField ? { fields: { ...definition.fields, ...changed } } : changed;
      const file = definition.resource === resource ? { ...definition, ...mine } : definition;
      return { path: `${definition.resource}.json`, text: JSON.stringify(file) };
    });
    const faults = lintDefinitions(files).filter(({ path }) => path === `${resource}.json`);
    expect(faults.map((fault) => fault.message).join('\n')).toContain(message);
  });
});

describe('computing anew', () => {
  it('counts what would change, does it once with an audit row, and leaves what is frozen', async () => {
    const { id, tariffs } = await aHarbour();
    const [open, sailing] = [
      await make('crossing', { harbour_id: id, day: '2026-03-15' }),
      await make('crossing', { harbour_id: id, day: '2026-03-15' }),
    ];
    const sailed = await act(sailing, 'sail');
    await world.db.execute(`update tariff set surcharge = 33 where id = $1`, [tariffs[1]?.id]);
    const asked = { key: 'crossing', after: null };
    const all = async (isApplied: boolean): Promise<readonly RecomputedStretch['first'][number][]> => {
      const found: RecomputedStretch['first'][number][] = [];
      for (let after: string | null | undefined; after !== null;) {
        const stretch = await recomputeRecords(world.services, world.callerOf(ADMIN), {
          ...asked,
          after: after ?? null,
          isApplied,
        });
        found.push(...stretch.first);
        after = stretch.next;
      }
      return found.filter((one) => one.id === open.id || one.id === sailed.id);
    };
    expect(await all(false)).toMatchObject([
      { id: open.id, changes: [{ field: 'surcharge', old: '20.00', new: '33.00' }] },
    ]);
    expect(await read(open.id)).toMatchObject({ surcharge: '20.00', version: 1 });
    const only = (fields: readonly string[]): Promise<RecomputedStretch> =>
      recomputeRecords(world.services, world.callerOf(ADMIN), { ...asked, isApplied: true, fields });
    await only(['total', 'cargo.amount']);
    expect(await read(open.id)).toMatchObject({ surcharge: '20.00', version: 1 });
    await expect(only(['day'])).rejects.toMatchObject({ code: 'UNKNOWN_FIELD' });
    await Promise.all([all(true), all(true)]);
    expect(await read(open.id)).toMatchObject({ surcharge: '33.00', version: 2 });
    expect(await read(sailed.id)).toMatchObject({ surcharge: '20.00', version: sailed.version });
    const audits = `select person_name from sys_audit where record_id = $1 and action = 'recompute'`;
    expect(await world.db.query(audits, [open.id])).toEqual([{ person_name: '管理员' }]);
    expect(await all(true)).toEqual([]);
  });

  it('of what all companies share takes an administrator of the group', async () => {
    const { callerOf, services } = world;
    const asked = { key: 'harbour', after: null, isApplied: true };
    await expect(recomputeRecords(services, callerOf(ADMIN), asked)).rejects.toMatchObject({
      code: 'FORBIDDEN',
    });
  });
});

describe('a reference with a condition', () => {
  it('is asked when it is picked and again at its moments, with its own message', async () => {
    const boat = await make('boat', { name: '甲' });
    const made = await make('crossing', { boat_id: boat.id, day: '2026-03-15' });
    await world.db.execute(`update boat set status = 'disabled' where id = $1`, [boat.id]);
    const problems = [{ path: 'boat_id', code: 'reference', message: '船只已停用，不能开航' }];
    await expect(make('crossing', { boat_id: boat.id })).rejects.toMatchObject({ problems });
    const kept = await change(made, { day: '2026-03-16' });
    await expect(act(kept, 'sail')).rejects.toMatchObject({ problems });
    await world.db.execute(`update boat set status = 'active' where id = $1`, [boat.id]);
    expect((await act(kept, 'sail'))['status']).toBe('sailed');
  });
});

describe('a formula that is not stored', () => {
  it('is worked out when it is read: in details, lists, filters and orders, and after the day has gone on', async () => {
    const { id } = await aHarbour();
    const body = {
      harbour_id: id,
      day: '2026-04-02',
      cargo: [
        { kind: 'ore', pieces: 1 },
        { kind: 'coal', pieces: 2 },
      ],
    };
    const made = await make('crossing', body);
    const due = { total: '240.00', due: '253.20', wait: 2, pieces: 3, tax: '6.67' };
    expect(made).toMatchObject({ ...due, cargo: [{ after: null }, { after: 'ore' }] });
    expect(await read(made.id)).toMatchObject({ ...due, cargo: [{ after: null }, { after: 'ore' }] });
    const call = world.open(ADMIN, 'crossing', 'list');
    const { records } = await queryRecords(
      call,
      parseListRequest(call, {
        filters: { due: { eq: '253.2' }, wait: { gt: 1 }, harbour_id: { eq: id } },
        sorters: ['-due', 'tax'],
      }),
    );
    expect(records).toMatchObject([{ id: made.id, ...due }]);
    world.setClock('2026-04-01T02:00:00Z');
    expect((await read(made.id))['wait']).toBe(1);
    world.setClock('2026-03-31T02:00:00Z');
    const columns = await world.db.query(
      `select column_name from information_schema.columns where table_name like 'crossing%' and column_name = any($1)`,
      [['due', 'tax', 'wait', 'after']],
    );
    expect(columns).toEqual([]);
  });

  it('is no change of the record', async () => {
    const { id } = await aHarbour();
    const made = await make('crossing', {
      harbour_id: id,
      day: '2026-04-02',
      cargo: [{ kind: 'ore', pieces: 1 }],
    });
    world.setClock('2026-04-01T02:00:00Z');
    await change(made, { day: '2026-04-03' });
    world.setClock('2026-03-31T02:00:00Z');
    const [row] = await world.db.query(
      `select changes from sys_audit where record_id = $1 and action = 'update'`,
      [made.id],
    );
    expect(JSON.stringify(row?.['changes'])).not.toContain('wait');
  });
});

describe('wrong definitions', () => {
  it.each<[string, (fields: Record<string, Record<string, unknown>>) => void, string]>([
    [
      'a find on text',
      (fields) => (fields['zone'] = { type: 'text', title: '区', find: { where: {} } }),
      '"find" 不适用于类型 text',
    ],
    [
      'a picker beside it',
      (fields) => (fields['tariff_id'] = { ...fields['tariff_id'], where: {} }),
      '"find" 与 "where" 不能同时使用',
    ],
    [
      'an unknown field of the target',
      (fields) =>
        (fields['tariff_id'] = { ...fields['tariff_id'], find: { where: { harbour: { eq: '1' } } } }),
      '未知字段 "harbour"',
    ],
    [
      'an unknown order',
      (fields) =>
        (fields['tariff_id'] = { ...fields['tariff_id'], find: { where: {}, order: ['-valid_form'] } }),
      '未知字段 "valid_form"',
    ],
    [
      'a circle',
      (fields) =>
        (fields['tariff_id'] = {
          ...fields['tariff_id'],
          find: { where: { zone: { eq: { '=': 'source.zone' } } } },
        }),
      '公式循环引用：zone → tariff_id → zone',
    ],
    [
      'an unknown state',
      (fields) => (fields['tariff_id'] = { ...fields['tariff_id'], until: ['saild'] }),
      '未知状态 "saild"',
    ],
    [
      'a frozen field of the client',
      (fields) => (fields['day'] = { ...fields['day'], until: ['sailed'] }),
      '"until" 只用于',
    ],
    [
      'an unknown moment',
      (fields) => (fields['boat_id'] = { ...fields['boat_id'], again: ['sial'] }),
      '未知动作 "sial"',
    ],
    [
      'a moment without a condition',
      (fields) => (fields['harbour_id'] = { ...fields['harbour_id'], again: ['sail'] }),
      '"again" 须与引用的 "where" 一起使用',
    ],
    [
      'a figure that is not stored',
      (fields) => (fields['sold'] = { ...fields['sold'], stored: false }),
      '"stored" 只用于公式',
    ],
    [
      'a frozen formula that is not stored',
      (fields) => (fields['surcharge'] = { ...fields['surcharge'], stored: false }),
      '"stored": false 与 "until" 不能同时使用',
    ],
    [
      'a list by what SQL cannot say',
      (fields) => (fields['due'] = { ...fields['due'], formula: "rate(zone, 'book', day)" }),
      '"due" 的公式不能用于查询',
    ],
    [
      'freshness of nothing',
      (fields) => {
        for (const field of Object.values(fields)) Reflect.deleteProperty(field, 'until');
      },
      '没有字段有 "until"',
    ],
  ])('%s is a load error', (_, wrong, message) => {
    const crossing = structuredClone(FERRIES[3]) as ResourceDefinition & {
      fields: Record<string, Record<string, unknown>>;
    };
    wrong(crossing.fields);
    const files = [...FIXTURES, ...FERRIES.filter(({ resource }) => resource !== 'crossing'), crossing].map(
      (definition) => ({
        path: `${definition.resource}.json`,
        text: JSON.stringify(definition),
      }),
    );
    const faults = lintDefinitions(files).filter(({ path }) => path === 'crossing.json');
    expect(faults.map((fault) => fault.message).join('\n')).toContain(message);
  });
});
