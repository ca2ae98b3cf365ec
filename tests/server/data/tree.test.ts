import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Filter, ResourceDefinition } from '#engine/schema/definition.ts';
import type { Subject } from '#engine/schema/resource.ts';
import { AppError } from '#server/kernel/errors.ts';
import { parseListRequest } from '#server/records/list/list-request.ts';
import { queryRecords } from '#server/records/list/query-records.ts';
import { createRecord, updateRecord } from '#server/records/write/save-record.ts';
import { FIXTURES } from './fixtures.ts';
import { aWorld, type World } from './world.ts';

const SHELF: ResourceDefinition = {
  resource: 'shelf',
  title: '架位',
  kind: 'master',
  label: 'name',
  fields: {
    name: { type: 'text', title: '名称', max: 20, required: true },
    above_id: { type: 'reference', title: '上级架位', to: 'shelf' },
    full_name: { type: 'text', title: '全名', max: 200, system: true },
    depth: { type: 'integer', title: '层级', system: true },
  },
  tree: { parent: 'above_id', path: 'full_name', depth: 'depth', max: 4 },
  access: [{ role: '*', do: ['list', 'read', 'create', 'update'], rows: 'company' }],
};

/** Stands on a shelf; seen by the branch of the reader's department, closed for what stands in the branch of its rival. */
const CRATE: ResourceDefinition = {
  resource: 'crate',
  title: '箱',
  kind: 'config',
  label: 'name',
  fields: {
    name: { type: 'text', title: '名称', max: 20, required: true },
    shelf_id: { type: 'reference', title: '架位', to: 'shelf' },
    barred_id: { type: 'reference', title: '不得在', to: 'shelf' },
    hall_id: { type: 'reference', title: '所在厅', to: 'shelf', formula: 'shelf_id.above_id' },
    lots: {
      type: 'lines',
      title: '批次',
      fields: {
        shelf_id: { type: 'reference', title: '架位', to: 'shelf' },
        hall_id: { type: 'reference', title: '所在厅', to: 'shelf', formula: 'shelf_id.above_id' },
      },
    },
  },
  rules: [
    {
      when: { shelf_id: { under: { $: 'record.barred_id' } } },
      assert: { name: { eq: '无' } },
      message: '不得放在此处',
    },
  ],
  access: [
    { role: 'SP', do: ['list', 'read', 'create', 'update'], rows: 'company' },
    { role: 'FN', do: ['list', 'read'], rows: { shelf_id: { under: { $: 'user.dept_id' } } } },
  ],
};

let world: World;
beforeAll(async () => {
  world = await aWorld({ definitions: [...FIXTURES, SHELF, CRATE] });
});
afterAll(() => world.close());

type Shelf = Readonly<Record<string, unknown>>;
const add = (name: string, above?: Shelf): Promise<Shelf> =>
  createRecord(world.open({}, 'shelf', 'create'), {
    name,
    ...(above === undefined ? {} : { above_id: above['id'] }),
  });
const move = (shelf: Shelf, fields: Shelf): Promise<Shelf> =>
  updateRecord(world.open({}, 'shelf', 'update'), String(shelf['id']), {
    version: shelf['version'],
    ...fields,
  });
const placeOf = async ({ id }: Shelf): Promise<unknown> => {
  const [row] = await world.db.query('select full_name, depth, version from shelf where id = $1', [id]);
  return [row?.['full_name'], row?.['depth'], row?.['version']];
};

const put = (fields: Shelf): Promise<Shelf> => createRecord(world.open({}, 'crate', 'create'), fields);
const seen = async (person: Partial<Subject>, filters: unknown): Promise<readonly unknown[]> => {
  const call = world.open(person, 'crate', 'list');
  const { records } = await queryRecords(
    call,
    parseListRequest(call, { filters: filters as Filter, sorters: ['name'] }),
  );
  return records.map(({ name }) => name);
};

describe('a branch of a tree', () => {
  it('is asked for by lists, paths, lines, rights and rules alike', async () => {
    const [east, west] = [await add('东区'), await add('西区')];
    const row = await add('东一排', east);
    await put({ name: '上', shelf_id: east['id'] });
    const low = await put({ name: '下', shelf_id: row['id'], lots: [{ shelf_id: west['id'] }] });
    await put({ name: '别处', shelf_id: west['id'] });
    await put({ name: '无架' });
    expect(await seen({}, { shelf_id: { under: east['id'] } })).toEqual(['上', '下']);
    expect(await seen({}, { shelf_id: { under: row['id'] } })).toEqual(['下']);
    expect(await seen({}, { shelf_id: { under: [row['id'], west['id']] } })).toEqual(['下', '别处']);
    expect(await seen({}, { 'shelf_id.above_id': { under: east['id'] } })).toEqual(['下']);
    expect(await seen({}, { 'lots.shelf_id': { under: west['id'] } })).toEqual(['下']);
    expect(await seen({ role_code: 'FN', dept_id: String(east['id']) }, {})).toEqual(['上', '下']);
    expect(await seen({ role_code: 'FN', dept_id: null }, {})).toEqual([]);
    await expect(put({ name: '错', shelf_id: row['id'], barred_id: east['id'] })).rejects.toThrow(
      '不得放在此处',
    );
    expect(await put({ name: '对', shelf_id: row['id'], barred_id: west['id'] })).toMatchObject({
      version: 1,
    });

    // What moves takes its boxes along at once.
    await move(row, { above_id: west['id'] });
    expect(await seen({ role_code: 'FN', dept_id: String(east['id']) }, {})).toEqual(['上']);
    await expect(
      updateRecord(world.open({}, 'crate', 'update'), String(low['id']), {
        version: 1,
        barred_id: west['id'],
      }),
    ).rejects.toThrow('不得放在此处');
  });

  it('can be asked for of references into a tree only', async () => {
    await expect(seen({}, { name: { under: 'x' } })).rejects.toThrow(/[\u4e00-\u9fff]/);
    await expect(seen({}, { shelf_id: { under: 'no id' } })).rejects.toThrow(/[\u4e00-\u9fff]/);
  });
});

describe('a reference that a formula gives', () => {
  it('points where the formula says: another value is refused at its field, at creation, in changes and in lines', async () => {
    const [hall, other] = [await add('甲厅'), await add('乙厅')];
    const row = await add('甲厅一排', hall);
    const [shelf_id, hall_id, forged] = [row['id'], hall['id'], other['id']];
    const refusedAt = async (write: Promise<unknown>): Promise<readonly string[]> => {
      const error: unknown = await write.catch((refused: unknown) => refused);
      return error instanceof AppError ? error.problems.map(({ path }) => path) : ['written'];
    };
    expect(await refusedAt(put({ name: '伪', shelf_id, hall_id: forged }))).toEqual(['hall_id']);
    expect(await refusedAt(put({ name: '伪', hall_id: forged }))).toEqual(['hall_id']);
    expect(await refusedAt(put({ name: '伪', lots: [{ shelf_id, hall_id: forged }] }))).toEqual([
      'lots.0.hall_id',
    ]);
    const made = await put({ name: '真', shelf_id, hall_id, lots: [{ shelf_id }] });
    const change = (fields: Shelf) =>
      updateRecord(world.open({}, 'crate', 'update'), String(made['id']), { version: 1, ...fields });
    expect(await refusedAt(change({ hall_id: forged }))).toEqual(['hall_id']);
    const [lot] = made['lots'] as readonly Shelf[];
    expect(await refusedAt(change({ lots: [{ id: lot?.['id'], hall_id: forged }] }))).toEqual([
      'lots.0.hall_id',
    ]);
    const [found] = await world.db.query(
      'select c.hall_id, l.hall_id as lot_hall from crate c join crate__lots l on l.parent_id = c.id where c.id = $1',
      [made['id']],
    );
    expect(found).toEqual({ hall_id, lot_hall: hall_id });
  });
});

describe('a tree', () => {
  it('keeps path and depth, of what lies below too, when a record is renamed or moved', async () => {
    const hall = await add('一号厅');
    const row = await add('甲排', hall);
    const box = await add('3格', row);
    expect(await placeOf(box)).toEqual(['一号厅/甲排/3格', '3', 1]);
    await move(hall, { name: '二号厅' });
    expect(await placeOf(box)).toEqual(['二号厅/甲排/3格', '3', 2]);
    const moved = await world.db.query('select version from shelf where id = $1', [row['id']]);
    await move({ ...row, version: moved[0]?.['version'] }, { above_id: null });
    expect(await placeOf(box)).toEqual(['甲排/3格', '2', 3]);
  });

  it('has no circles and no more levels than it may', async () => {
    const first = await add('1');
    const second = await add('2', first);
    await expect(move(first, { above_id: second['id'] })).rejects.toThrow('上级架位不能是本架位或其下级');
    await expect(move(first, { above_id: first['id'] })).rejects.toThrow('上级架位不能是本架位或其下级');
    const fourth = await add('4', await add('3', second));
    await expect(add('5', fourth)).rejects.toThrow('架位最多4级');
    await expect(move(first, { above_id: (await add('0'))['id'] })).rejects.toThrow('架位最多4级');
  });

  it('closes no circle when two records are moved below each other at once', async () => {
    const [left, right] = [await add('左'), await add('右')];
    const moves = await Promise.allSettled([
      move(left, { above_id: right['id'] }),
      move(right, { above_id: left['id'] }),
    ]);
    expect(moves.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
  });
});
