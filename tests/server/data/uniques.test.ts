import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ResourceDefinition } from '#engine/schema/definition.ts';
import { createRecord, updateRecord } from '#server/records/write/save-record.ts';
import { FIXTURES } from './fixtures.ts';
import { aWorld, SALES, type World } from './world.ts';

/** One quota a partner and season, the empty season too; a batch number is used once for each buyer. */
const QUOTA: ResourceDefinition = {
  resource: 'quota',
  title: '配额',
  kind: 'master',
  mixins: ['scope'],
  label: 'season',
  fields: {
    buyer: { type: 'text', title: '客户', max: 20, required: true },
    season: { type: 'text', title: '季度', max: 10 },
    items: {
      type: 'lines',
      title: '批次',
      fields: {
        batch: { type: 'text', title: '批号', max: 20 },
        lot: { type: 'text', title: '缸号', max: 20 },
      },
      unique: [{ fields: ['parent.buyer', 'batch'], ignoreCase: true }, { fields: ['batch', 'lot'], nulls: 'same' }],
    },
  },
  unique: [{ fields: ['buyer', 'season'], nulls: 'same' }],
  access: [{ role: 'SP', do: ['list', 'read', 'create', 'update'], rows: 'company' }],
};

let world: World;
beforeAll(async () => {
  world = await aWorld({ definitions: [...FIXTURES, QUOTA] });
});
afterAll(() => world.close());

const create = (fields: object) => createRecord(world.open(SALES, 'quota', 'create'), fields);

test('an empty value equals an empty one where the unique says so, in the check and in the index', async () => {
  const first = await create({ buyer: 'A' });
  await expect(create({ buyer: 'A' })).rejects.toMatchObject({ code: 'DUPLICATE', message: '“客户、季度”已存在' });
  const second = await create({ buyer: 'A', season: 'Q1' });
  await expect(
    updateRecord(world.open(SALES, 'quota', 'update'), String(second['id']), { version: 1, season: null }),
  ).rejects.toMatchObject({ code: 'DUPLICATE' });
  await updateRecord(world.open(SALES, 'quota', 'update'), String(first['id']), { version: 1, buyer: 'B' });
  const raced = await Promise.allSettled([1, 2, 3, 4].map(() => create({ buyer: 'C' })));
  expect(raced.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
});

test('a unique of lines over a field of the head holds over all records, whoever writes at the same time', async () => {
  await create({ buyer: 'L1', season: '1', items: [{ batch: 'b-1' }, { batch: 'b-2' }] });
  await expect(create({ buyer: 'L1', season: '2', items: [{ batch: 'new' }, { batch: 'B-2' }] })).rejects.toMatchObject({
    code: 'DUPLICATE',
    problems: [{ path: 'items.1.batch', code: 'unique', message: '“批号”已在其他单据中' }],
  });
  const other = await create({ buyer: 'L2', season: '2', items: [{ batch: 'B-2' }] });
  await expect(
    updateRecord(world.open(SALES, 'quota', 'update'), String(other['id']), { version: 1, buyer: 'L1' }),
  ).rejects.toMatchObject({ code: 'DUPLICATE' });
  await updateRecord(world.open(SALES, 'quota', 'update'), String(other['id']), { version: 1, season: '3' });
  const raced = await Promise.allSettled(
    ['4', '5', '6', '7'].map((season) => create({ buyer: 'L3', season, items: [{ batch: 'x' }, { batch: season }] })),
  );
  expect(raced.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
});

test('lines of one record repeat neither a pair nor an empty half of it', async () => {
  await expect(create({ buyer: 'P', season: '1', items: [{ batch: 'a' }, { batch: 'a' }] })).rejects.toMatchObject({
    problems: expect.arrayContaining([expect.objectContaining({ path: 'items.1.batch', code: 'unique' })]),
  });
});

test('lines change places, make room and close ranks within one save', async () => {
  const pairs = (batches: readonly string[]) => batches.map((batch) => ({ batch, lot: 'x' }));
  const made = await create({ buyer: 'R', season: '1', items: pairs(['1', '2', '3']) });
  const open = () => world.open(SALES, 'quota', 'update');
  const id = String(made['id']);
  const idsOf = (record: object) => ('items' in record ? (record.items as readonly { readonly id: string }[]) : []);
  const [a, b, c] = idsOf(made).map((line) => line.id);
  const shown = { id: expect.any(String) as unknown };
  const inserted = await updateRecord(open(), id, {
    version: 1,
    items: [{ id: a }, { batch: '2', lot: 'x', _before: b }, { id: b, batch: '3' }, { id: c, batch: '4' }],
  });
  expect(inserted['items']).toMatchObject([
    { id: a, batch: '1' },
    { ...shown, batch: '2' },
    { id: b, batch: '3' },
    { id: c, batch: '4' },
  ]);
  const swapped = await updateRecord(open(), id, {
    version: 2,
    items: [
      { id: a, _delete: true },
      { id: c, batch: '3' },
      { id: b, batch: '4' },
      { batch: '1', lot: 'x' },
    ],
  });
  expect(swapped['items']).toMatchObject([
    { ...shown, batch: '2' },
    { id: b, batch: '4' },
    { id: c, batch: '3' },
    { ...shown, batch: '1' },
  ]);
});
