import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ResourceDefinition } from '#engine/schema/definition.ts';
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

let world: World;
beforeAll(async () => {
  world = await aWorld({ definitions: [...FIXTURES, SHELF] });
});
afterAll(() => world.close());

type Shelf = Readonly<Record<string, unknown>>;
const add = (name: string, above?: Shelf): Promise<Shelf> =>
  createRecord(world.open({}, 'shelf', 'create'), { name, ...(above === undefined ? {} : { above_id: above['id'] }) });
const move = (shelf: Shelf, fields: Shelf): Promise<Shelf> =>
  updateRecord(world.open({}, 'shelf', 'update'), String(shelf['id']), { version: shelf['version'], ...fields });
const placeOf = async ({ id }: Shelf): Promise<unknown> => {
  const [row] = await world.db.query('select full_name, depth, version from shelf where id = $1', [id]);
  return [row?.['full_name'], row?.['depth'], row?.['version']];
};

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
