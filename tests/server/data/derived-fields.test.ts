import { afterAll, beforeAll, expect, test } from 'vitest';
import { recordHistory } from '#server/records/read/record-history.ts';
import { createRecord, updateRecord } from '#server/records/write/save-record.ts';
import { updateRecordFields } from '#server/records/write/system-write.ts';
import type { ResourceDefinition } from '#engine/schema/definition.ts';
import { FIXTURES } from './fixtures.ts';
import { aWorld, SALES, type World } from './world.ts';

const PARCEL: ResourceDefinition = {
  resource: 'parcel',
  title: '包裹',
  kind: 'master',
  mixins: ['scope'],
  label: 'name',
  fields: {
    name: { type: 'text', title: '名称', max: 20, required: true },
    mark: { type: 'text', title: '唛头', max: 40, system: true },
    items: { type: 'lines', title: '明细', fields: { text: { type: 'text', title: '内容' }, mark: { type: 'text', title: '行唛头', max: 40 } } },
  },
  effects: { create: ['mark'], update: ['mark'] },
  access: [{ role: 'SP', do: ['list', 'read', 'create', 'update'], rows: 'company' }],
}; // prettier-ignore

let world: World;
beforeAll(async () => {
  world = await aWorld({
    definitions: [...FIXTURES, PARCEL],
    rules: {
      effects: {
        mark: async (call) => {
          const lines = Array.isArray(call.record['items']) ? call.record['items'] : [];
          const items = lines.map((line: Record<string, unknown>) => ({ ...line, mark: 'M' }));
          const fields = { mark: `# ${String(call.record['name'])}`, items };
          await updateRecordFields(call, 'parcel', {
            id: String(call.record['id']),
            fields,
            isSameWrite: true,
          });
        },
      },
    },
  });
});
afterAll(() => world.close());

test('what a save derives is in the history, once, and only where it changed', async () => {
  const made = await createRecord(world.open(SALES, 'parcel', 'create'), { name: 'A', items: [{ text: 'x' }] });
  const id = String(made['id']);
  const update = (fields: object) => updateRecord(world.open(SALES, 'parcel', 'update'), id, fields);
  await update({ version: 1, name: 'B' });
  await update({ version: 2, items: [{ text: 'y' }] });
  const history = await recordHistory(world.open(SALES, 'parcel', 'read'), id);
  expect(history.map(({ action, action_title, changes }) => [action, action_title, changes.map(({ old, new: now }) => [old, now])])).toMatchObject([
    ['derive', '系统补全', [[null, 'M']]],
    ['update', '修改', [expect.anything()]],
    ['derive', '系统补全', [['# A', '# B']]],
    ['update', '修改', [['A', 'B']]],
    ['derive', '系统补全', [[null, '# A'], [null, 'M']]],
    ['create', '新增', expect.anything()],
  ]);
}); // prettier-ignore
