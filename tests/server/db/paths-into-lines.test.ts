import { afterAll, beforeAll, expect, it } from 'vitest';
import { computeRecord } from '#engine/record/compute-record.ts';
import { attachReferences, type OpenRecord } from '#server/records/read/attach-references.ts';
import { type Database, openDatabase } from '#server/kernel/db/database.ts';
import { registerTradeFunctions } from '#trade/formula-functions.ts';
import { context, resourceOf } from '../../engine/schema/example-files.ts';
import { createCatalogDatabase, type TestDatabase } from '../../support/database.ts';
import { aCatalog, aCustomer } from '../../support/definitions.ts';

registerTradeFunctions();
const catalog = aCatalog(
  aCustomer({
    resource: 'scheme',
    fields: {
      name: { type: 'text', title: '名称' },
      tiers: {
        type: 'lines',
        title: '阶梯',
        fields: {
          from_amount: { type: 'money', title: '下限', currency: 'CNY' },
          rate: { type: 'percent', title: '比例' },
        },
      },
    },
  }),
  aCustomer({
    resource: 'statement',
    fields: {
      name: { type: 'text', title: '名称' },
      scheme_id: { type: 'reference', title: '方案', to: 'scheme' },
      base: { type: 'money', title: '基数', currency: 'CNY' },
      bands: { type: 'integer', title: '档数', formula: 'count(scheme_id.tiers.rate)' },
      commission: {
        type: 'money',
        title: '提成',
        currency: 'CNY',
        formula: 'tiers(base, scheme_id.tiers.from_amount, scheme_id.tiers.rate, true)',
      },
    },
  }),
);
const SCHEME = '00000000-0000-7000-8000-000000000001';
let made: TestDatabase;
let db: Database;

beforeAll(async () => {
  made = await createCatalogDatabase(catalog);
  db = openDatabase({ url: made.url });
  await db.execute(`insert into scheme (id, co_code, version, status, name) values ($1, 'AA', 1, 'active', '方案')`, [SCHEME]);
  for (const [order, [from, rate]] of [['50000', '15'], ['0', '10'], ['200000', '20']].entries())
    await db.execute(
      `insert into scheme__tiers (id, parent_id, co_code, line_order, from_amount, rate) values (gen_random_uuid(), $1, 'AA', $2, $3, $4)`,
      [SCHEME, order, from, rate],
    );
}); // prettier-ignore
afterAll(async () => {
  await db.close();
  await made.drop();
});

it('a formula reads the lines of a referenced record as columns, in their order (T-10)', async () => {
  const resource = resourceOf(catalog, 'statement');
  const record: OpenRecord = { id: 'x', co_code: 'AA', scheme_id: SCHEME, base: '112064.35' };
  const request = { catalog, resource, records: [record], withPaths: true, withLabels: false, company: 'AA' };
  await attachReferences(db, request);
  expect(record['_paths']).toMatchObject({ 'scheme_id.tiers.rate': ['15.0000', '10.0000', '20.0000'] });
  const computed = computeRecord(resource, record, { resource, catalog, record, context: context() });
  expect(computed).toMatchObject({ bands: 3, commission: '14309.65' });
});
