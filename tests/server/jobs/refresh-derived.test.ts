import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ResourceDefinition } from '#engine/schema/definition.ts';
import { expandResource } from '#engine/schema/expand-resource.ts';
import type { Catalog } from '#engine/schema/resource.ts';
import { migrate } from '#server/kernel/migrations/migrate.ts';
import { refreshDerived } from '#server/workflow/jobs/refresh-derived.ts';
import { keepStatesOfEmpty } from '#server/records/derive/derived-state.ts';
import { parseListRequest } from '#server/records/list/list-request.ts';
import { queryRecords } from '#server/records/list/query-records.ts';
import { createRecord, updateRecord } from '#server/records/write/save-record.ts';
import type { Services } from '#server/records/services.ts';
import { FIXTURES } from '../data/fixtures.ts';
import { ADMIN, aWorld, type World } from '../data/world.ts';

/** Nobody is kept from a field of these contracts, so all that lists filter by is searched. */
const DEFINITIONS: readonly ResourceDefinition[] = FIXTURES.map((definition) =>
  definition.resource === 'contract'
    ? { ...definition, access: [{ role: 'AD', do: ['*'], rows: 'all' }] }
    : definition,
);

let world: World;
let buyer: string;
let contract: string;

beforeAll(async () => {
  world = await aWorld({ definitions: DEFINITIONS });
  await keepStatesOfEmpty(world.db, world.services.definitions.catalog());
  buyer = String((await create('buyer', { name: '东方贸易', country: '美国' }))['id']);
  await world.db.execute(`update buyer set status = 'active'`);
  contract = String(
    (
      await create('contract', {
        buyer_id: buyer,
        incoterm: 'FOB',
        items: [{ goods_name: '杯', quantity: '3', unit_price: '2' }],
      })
    )['id'],
  );
}, 600_000);
afterAll(() => world.close());

const create = (key: string, values: Record<string, unknown>): Promise<Record<string, unknown>> =>
  createRecord(world.open(ADMIN, key, 'create'), values);

/** The server as the definitions would have it. */
function servicesWith(change: (definition: ResourceDefinition) => ResourceDefinition): Services {
  const { services } = world;
  const resources = DEFINITIONS.map(change).map((definition) => [
    definition.resource,
    expandResource(definition, JSON.stringify(definition)),
  ]);
  const catalog: Catalog = { ...services.definitions.catalog(), resources: Object.fromEntries(resources) };
  const { context } = world.callerOf(ADMIN);
  const definitions = {
    ...services.definitions,
    catalog: () => catalog,
    contextFor: (subject: typeof context.subject) => ({ ...context, subject }),
  };
  return { ...services, definitions };
}

const unchanged = (definition: ResourceDefinition): ResourceDefinition => definition;

function withField(
  key: string,
  name: string,
  field: ResourceDefinition['fields'][string],
): (definition: ResourceDefinition) => ResourceDefinition {
  return (definition) =>
    definition.resource === key
      ? { ...definition, fields: { ...definition.fields, [name]: field } }
      : definition;
}

async function found(query: string): Promise<number> {
  const call = world.open(ADMIN, 'contract', 'list');
  const { records } = await queryRecords(call, parseListRequest(call, { keyword: query }));
  return records.length;
}

async function storedOf(table: string, id: string): Promise<Record<string, unknown>> {
  const [row] = await world.db.query(`select * from ${table} where id = $1::uuid`, [id]);
  return row ?? {};
}

describe('what follows from other records', () => {
  it('finds a document by the new name of the customer it refers to', async () => {
    expect(await found('东方贸易')).toBe(1);
    const { version } = await storedOf('buyer', buyer);
    await updateRecord(world.open(ADMIN, 'buyer', 'update'), buyer, { name: '西方实业', version });
    const before = await storedOf('contract', contract);
    await refreshDerived(servicesWith(unchanged));
    expect(await found('西方实业')).toBe(1);
    expect(await found('xfsy')).toBe(1);
    expect(await found('东方贸易')).toBe(0);
    const after = await storedOf('contract', contract);
    expect([after['version'], after['updated_at']]).toEqual([before['version'], before['updated_at']]);
    expect(await world.db.query('select * from sys_renamed')).toEqual([]);
  });

  it('bears being run by two processes at once and being cut off', async () => {
    await world.db.execute(`insert into sys_renamed (resource, record_id) values ('buyer', $1::uuid)`, [
      buyer,
    ]);
    await world.db.execute(`update contract set search_text = ''`);
    const services = servicesWith(unchanged);
    await Promise.all([refreshDerived(services), refreshDerived(services)]);
    expect(await found('西方实业')).toBe(1);
  });
});

describe('what follows from the definitions', () => {
  it('fills a sum and a formula that are added later, and a search field', async () => {
    const services = servicesWith((definition) => {
      const wide = withField('buyer', 'quantity_total', {
        type: 'money',
        title: '最大合同额',
        currency: 'USD',
        rollup: { of: 'contract', by: 'buyer_id', max: 'total_amount' },
      })(
        withField('contract', 'half', {
          type: 'money',
          title: '一半',
          currency: 'currency',
          formula: 'total_amount / 2',
        })(definition),
      );
      return wide.resource === 'contract' ? { ...wide, caption: ['country'] } : wide;
    });
    await migrate(world.db, services.definitions.catalog());
    expect((await storedOf('buyer', buyer))['quantity_total']).toBeNull();
    await refreshDerived(services);
    expect((await storedOf('buyer', buyer))['quantity_total']).toBe('6.00');
    expect((await storedOf('contract', contract))['half']).toBe('3.00');
    expect(await found('美国')).toBe(1);
  });

  it('leaves what documents say when a formula is worded otherwise', async () => {
    const services = servicesWith(
      withField('buyer', 'double_total', {
        type: 'money',
        title: '三倍',
        currency: 'USD',
        formula: 'contract_total * 3',
      }),
    );
    const before = await storedOf('buyer', buyer);
    await refreshDerived(services);
    expect((await storedOf('buyer', buyer))['double_total']).toBe(before['double_total']);
  });

  it('takes a sum anew whose group of states is another one, or into which a state that is no more went', async () => {
    const withGroup =
      (members: readonly string[], retired: Readonly<Record<string, string>> = {}) =>
      (definition: ResourceDefinition): ResourceDefinition => {
        const { lifecycle } = definition;
        const wide = withField('buyer', 'counted', {
          type: 'integer',
          title: '计入合同数',
          rollup: { of: 'contract', by: 'buyer_id', count: true, where: { status: { in: '@counts' } } },
        })(definition);
        return wide.resource === 'contract' && lifecycle !== undefined
          ? { ...wide, lifecycle: { ...lifecycle, groups: { counts: members }, retired } }
          : wide;
      };
    const counted = async (change: ReturnType<typeof withGroup>): Promise<unknown> => {
      const services = servicesWith(change);
      await migrate(world.db, services.definitions.catalog());
      await refreshDerived(services);
      return (await storedOf('buyer', buyer))['counted'];
    };
    expect(await counted(withGroup(['approved']))).toBe('0');
    expect(await counted(withGroup(['approved', 'draft']))).toBe('1');
    expect(await counted(withGroup(['approved']))).toBe('0');
    // As the migration moves the rows of a state that is no more: past all operations.
    await world.db.execute(`update contract set status = 'approved' where id = $1::uuid`, [contract]);
    expect(await counted(withGroup(['approved'], { stale: 'approved' }))).toBe('1');
    await world.db.execute(`update contract set status = 'draft' where id = $1::uuid`, [contract]);
  });

  it('derives all that a record beyond a new limit would stop, and that record too', async () => {
    await create('contract', { buyer_id: buyer, incoterm: 'FOB', items: [] });
    const { version } = await storedOf('buyer', buyer);
    await updateRecord(world.open(ADMIN, 'buyer', 'update'), buyer, { name: '北方货运', version });
    const services = servicesWith((definition) => {
      const wide = withField('contract', 'third', {
        type: 'money',
        title: '三分之一',
        currency: 'currency',
        formula: 'total_amount / 3',
      })(definition);
      if (wide.resource !== 'buyer') return wide;
      const counted = withField('buyer', 'held', {
        type: 'integer',
        title: '已签合同数',
        rollup: { of: 'contract', by: 'buyer_id', count: true },
      })(wide);
      return { ...counted, limits: [{ assert: { held: { lte: 1 } }, message: '每个客户只能有一份合同' }] };
    });
    await migrate(world.db, services.definitions.catalog());
    await refreshDerived(services);
    expect((await storedOf('buyer', buyer))['held']).toBe('2');
    expect((await storedOf('contract', contract))['third']).toBe('2.00');
    expect(await found('北方货运')).toBe(2);
  });

  it('has nothing to do when nothing changed', async () => {
    const services = servicesWith(unchanged);
    await refreshDerived(services);
    await world.db.execute(`update contract set search_text = 'x' where id = $1::uuid`, [contract]);
    await refreshDerived(services);
    expect((await storedOf('contract', contract))['search_text']).toBe('x');
  });
});
