import { afterAll, beforeAll, expect, it } from 'vitest';
import type { ResourceDefinition } from '#engine/schema/definition.ts';
import { runAction } from '#server/records/action/run-action.ts';
import { getRecord } from '#server/records/read/get-record.ts';
import { createRecord, updateRecord } from '#server/records/write/save-record.ts';
import { FIXTURES } from './fixtures.ts';
import { ADMIN, aWorld, type World } from './world.ts';

const EVERYTHING = [{ role: 'AD', do: ['*'], rows: 'company' as const }];

/** Every sale renames its stall: what was read of it to work out the sale is old by the time of the answer. */
const STALL: ResourceDefinition = {
  resource: 'stall',
  title: '摊位',
  kind: 'master',
  mixins: ['scope'],
  label: 'name',
  fields: {
    name: { type: 'text', title: '名称', required: true, max: 60 },
    sold: { type: 'integer', title: '笔数', rollup: { of: 'sale', by: 'stall_id', count: true } },
    room: { type: 'integer', title: '可售', default: 100 },
  },
  limits: [{ assert: { sold: { lte: { '=': 'room' } } }, message: '售罄' }],
  access: EVERYTHING,
};

const SALE: ResourceDefinition = {
  resource: 'sale',
  title: '售出',
  kind: 'document',
  label: 'sale_no',
  number: { field: 'sale_no', pattern: 'S{seq:4}' },
  fields: {
    sale_no: { type: 'text', title: '单号', max: 20 },
    stall_id: { type: 'reference', title: '摊位', to: 'stall', required: true },
    other_id: { type: 'reference', title: '旁边', to: 'stall' },
    price: { type: 'money', title: '价', currency: 'CNY' },
    paid: { type: 'money', title: '已付', currency: 'CNY', default: '0' },
  },
  rules: [
    { assert: { 'stall_id.name': { ne: '禁用' } }, message: '摊位已禁用' },
    { assert: { 'other_id.room': { gte: 0 } }, message: '旁边没有位置' },
  ],
  limits: [{ assert: { paid: { lte: { '=': 'price' } } }, message: '付多了' }],
  then: { save: [{ to: 'stall_id', set: { name: "text(name, '*')" } }] },
  lifecycle: {
    initial: 'draft',
    states: { draft: { title: '草稿', edit: '*' }, done: { title: '完成' } },
    actions: {
      finish: {
        title: '完成',
        from: ['draft'],
        to: 'done',
        set: { paid: 'price' },
        then: [{ to: 'stall_id', set: { name: "text(name, '!')" } }],
      },
    },
  },
  access: EVERYTHING,
};

let world: World;
beforeAll(async () => {
  world = await aWorld({ definitions: [...FIXTURES, STALL, SALE] });
});
afterAll(() => world.close());

/** What a page shows of a write must be what it shows after it is loaded anew. */
it('the answer of a write is the record as it is read afterwards, with what the write changed in others', async () => {
  const call = (operation: string) => world.open(ADMIN, 'sale', operation);
  const stall = await createRecord(world.open(ADMIN, 'stall', 'create'), { name: '一号' });
  const made = await createRecord(call('create'), { stall_id: stall['id'], price: '9.5' });
  const id = String(made['id']);
  const read = (): Promise<object> => getRecord(call('read'), id);
  expect(made).toMatchObject({ _labels: { stall_id: '一号*' }, _paths: { 'stall_id.name': '一号*' } });
  expect(made).toEqual(await read());
  const changed = await updateRecord(call('update'), id, { version: made['version'], price: '8' });
  expect(changed).toMatchObject({ _labels: { stall_id: '一号**' }, price: '8.00' });
  expect(changed).toEqual(await read());
  const other = { version: changed['version'], other_id: stall['id'] };
  const twice = await updateRecord(call('update'), id, other);
  expect(twice).toEqual(await read());
  const done = await runAction(call('read'), { id, action: 'finish' }, { version: Number(twice['version']) });
  expect(done).toMatchObject({ status: 'done', paid: '8.00', _labels: { stall_id: '一号***!' } });
  expect(done).toEqual(await read());
});
