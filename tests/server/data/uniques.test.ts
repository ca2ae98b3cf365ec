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
    plate: { type: 'text', title: '牌号', max: 10 },
    items: {
      type: 'lines',
      title: '批次',
      fields: {
        batch: { type: 'text', title: '批号', max: 20 },
        lot: { type: 'text', title: '缸号', max: 20 },
        seal: { type: 'text', title: '封号', max: 20 },
        kind: { type: 'text', title: '种类', max: 20 },
      },
      unique: [
        { fields: ['parent.buyer', 'batch'], ignoreCase: true },
        { fields: ['batch', 'lot'], nulls: 'same' },
        {
          fields: ['seal', 'parent.co_code'],
          where: { 'parent.status': { ne: 'disabled' }, kind: { eq: 'lead' } },
        },
        { fields: ['kind'], where: { kind: { eq: 'sole' } } },
      ],
    },
  },
  unique: [
    { fields: ['buyer', 'season'], nulls: 'same' },
    { fields: ['plate'], where: { status: { nin: '@off' } } },
  ],
  lifecycle: {
    initial: 'active',
    groups: { off: ['disabled'] },
    states: { active: { title: '启用', edit: '*' }, disabled: { title: '停用' } },
    actions: { disable: { title: '停用', from: ['active'], to: 'disabled' } },
  },
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
  await expect(create({ buyer: 'A' })).rejects.toMatchObject({
    code: 'DUPLICATE',
    message: '“客户、季度”已存在',
  });
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
  await expect(
    create({ buyer: 'L1', season: '2', items: [{ batch: 'new' }, { batch: 'B-2' }] }),
  ).rejects.toMatchObject({
    code: 'DUPLICATE',
    problems: [{ path: 'items.1.batch', code: 'unique', message: '“批号”已在其他单据中' }],
  });
  const other = await create({ buyer: 'L2', season: '2', items: [{ batch: 'B-2' }] });
  await expect(
    updateRecord(world.open(SALES, 'quota', 'update'), String(other['id']), { version: 1, buyer: 'L1' }),
  ).rejects.toMatchObject({ code: 'DUPLICATE' });
  await updateRecord(world.open(SALES, 'quota', 'update'), String(other['id']), { version: 1, season: '3' });
  const raced = await Promise.allSettled(
    ['4', '5', '6', '7'].map((season) =>
      create({ buyer: 'L3', season, items: [{ batch: 'x' }, { batch: season }] }),
    ),
  );
  expect(raced.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
});

test('lines of one record repeat neither a pair nor an empty half of it', async () => {
  await expect(
    create({ buyer: 'P', season: '1', items: [{ batch: 'a' }, { batch: 'a' }] }),
  ).rejects.toMatchObject({
    problems: expect.arrayContaining([expect.objectContaining({ path: 'items.1.batch', code: 'unique' })]),
  });
});

test('lines change places, make room and close ranks within one save', async () => {
  const pairs = (batches: readonly string[]) => batches.map((batch) => ({ batch, lot: 'x' }));
  const made = await create({ buyer: 'R', season: '1', items: pairs(['1', '2', '3']) });
  const open = () => world.open(SALES, 'quota', 'update');
  const id = String(made['id']);
  const idsOf = (record: object) =>
    'items' in record ? (record.items as readonly { readonly id: string }[]) : [];
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

test('a condition says which lines take part, in the record and over all of them', async () => {
  const sealed = (buyer: string, ...items: object[]) => create({ buyer, items });
  await sealed(
    'W1',
    { batch: 'w1', seal: '7', kind: 'lead' },
    { batch: 'w2', seal: '7', kind: 'wax' },
    { batch: 'w3', seal: '8', kind: 'wax' },
  );
  await sealed('W2', { batch: 'w1', seal: '7', kind: 'wax' }, { batch: 'w2', seal: '8', kind: 'lead' });
  await expect(sealed('W3', { batch: 'w1' }, { batch: 'w2', seal: '7', kind: 'lead' })).rejects.toMatchObject(
    {
      problems: [{ path: 'items.1.seal', code: 'unique' }],
    },
  );
  await expect(
    sealed('W4', { batch: 'w1', kind: 'sole' }, { batch: 'w2', kind: 'sole' }),
  ).rejects.toMatchObject({
    problems: [{ path: 'items.1.kind' }],
  });
  await world.db.query(`update quota set status = 'disabled' where buyer = 'W1'`);
  await sealed('W5', { batch: 'w1', seal: '7', kind: 'lead' });
});

test('a condition may name a group of states, in the check and in the index', async () => {
  const first = await create({ buyer: 'P1', plate: 'X' });
  await expect(create({ buyer: 'P2', plate: 'X' })).rejects.toMatchObject({ problems: [{ path: 'plate' }] });
  await world.db.query(`update quota set status = 'disabled' where id = $1`, [first['id']]);
  await create({ buyer: 'P2', plate: 'X' });
  await expect(
    world.db.query(`update quota set status = 'active' where id = $1`, [first['id']]),
  ).rejects.toMatchObject({ kind: 'unique' });
});
