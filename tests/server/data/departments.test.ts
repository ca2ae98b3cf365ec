import { afterAll, beforeAll, expect, it } from 'vitest';
import type { ResourceDefinition } from '#engine/schema/definition.ts';
import { loadDictionaries } from '#server/records/definitions/dictionary-values.ts';
import { getRecord } from '#server/records/read/get-record.ts';
import { createRecord } from '#server/records/write/save-record.ts';
import { FIXTURES } from './fixtures.ts';
import { ADMIN, aWorld, FOREIGN, SALES, type World } from './world.ts';

const SAMPLE: ResourceDefinition = {
  resource: 'sample',
  title: '样品',
  kind: 'master',
  mixins: ['scope'],
  label: 'name',
  fields: {
    name: { type: 'text', title: '名称', required: true, max: 60 },
    unit: { type: 'dictionary', title: '归口部门', dictionary: 'department_code' },
  },
  access: [{ role: 'SP', do: ['*'], rows: 'company' }],
};

let world: World;
beforeAll(async () => {
  world = await aWorld({ definitions: [...FIXTURES, SAMPLE] });
  await world.db.query(
    `insert into department (id, co_code, name, code, sort_no, status) values
       (gen_random_uuid(), 'AE', '外公司一部', 'E1', null, 'active'), (gen_random_uuid(), 'AA', '业务二部', 'D2', 1, 'active')`,
  );
});
afterAll(() => world.close());

it('what a resource fills a dictionary with is read by its name, and kept by its code', async () => {
  const open = (operation: string) => world.open(SALES, 'sample', operation);
  const { id } = await createRecord(open('create'), { name: '杯', unit: 'D1' });
  expect(await getRecord(open('read'), String(id))).toMatchObject({
    unit: 'D1',
    _labels: { unit: '业务一部' },
  });
});

it('departments to choose from are those of the own company in their order, of all for who administers the group', async () => {
  const offered = async (person: Parameters<World['open']>[0]) => {
    const call = world.open(person, 'person', 'list');
    const { department_code: found } = await loadDictionaries(call, ['department_code']);
    return found?.items.map(({ label }) => label);
  };
  expect(await offered({ ...ADMIN })).toEqual(['业务二部', '业务一部']);
  expect(await offered({ ...FOREIGN, role_code: 'AD' })).toEqual(['外公司一部']);
  expect(await offered({ ...ADMIN, kind: 'partner' })).toEqual([]);
  expect(await offered({ ...ADMIN, super_permission: true })).toEqual(['业务二部', '业务一部', '外公司一部']);
});
