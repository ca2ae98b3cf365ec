import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkFilter } from '#engine/filter/check-filter.ts';
import { filterToSql } from '#engine/filter/filter-to-sql.ts';
import { matchesFilter } from '#engine/filter/matches-filter.ts';
import type { Filter } from '#engine/schema/definition.ts';
import type { ErpRecord } from '#engine/schema/resource.ts';
import { type Database, openDatabase } from '#server/kernel/db/database.ts';
import { context, resourceOf } from '../../engine/schema/example-files.ts';
import { createCatalogDatabase, type TestDatabase } from '../../support/database.ts';
import { agreementCatalog, fillTables, filters, lineFilters } from './filter-agreement-data.ts';

const catalog = agreementCatalog();
const deal = resourceOf(catalog, 'deal');
const surroundings = context();
let made: TestDatabase;
let db: Database;
let records: readonly ErpRecord[];

beforeAll(async () => {
  made = await createCatalogDatabase(catalog);
  db = openDatabase({ url: made.url });
  records = await fillTables(db);
});
afterAll(async () => {
  await db.close();
  await made.drop();
});

async function idsBySql(filter: Filter, lines?: string): Promise<readonly string[]> {
  const values: unknown[] = [];
  const place = { resource: deal, catalog, alias: 't', context: surroundings, values };
  const where = filterToSql(filter, lines === undefined ? place : { ...place, lines });
  const table = lines === undefined ? 'deal' : `deal__${lines}`;
  const rows = await db.query<{ id: string }>(`select t.id from "${table}" t where ${where}`, values);
  return rows.map(({ id }) => id).toSorted();
}

function idsByPredicate(filter: Filter): readonly string[] {
  return records
    .filter((record) => matchesFilter(filter, { resource: deal, catalog, record, context: surroundings }))
    .map((record) => String(record['id']))
    .toSorted();
}

function lineIdsByPredicate(filter: Filter): readonly string[] {
  return records
    .flatMap((parent) => {
      const lines: unknown = parent['items'];
      const own: readonly ErpRecord[] = Array.isArray(lines) ? lines : [];
      return own.filter((record) =>
        matchesFilter(filter, {
          resource: deal,
          catalog,
          record,
          parent,
          lines: 'items',
          context: surroundings,
        }),
      );
    })
    .map((line) => String(line['id']))
    .toSorted();
}

describe('a filter in PostgreSQL and in memory', () => {
  it('chooses the same records', async () => {
    await fc.assert(
      fc.asyncProperty(filters, async (filter) => {
        expect(checkFilter(filter, { resource: deal, catalog })).toEqual([]);
        expect(await idsBySql(filter)).toEqual(idsByPredicate(filter));
      }),
      { numRuns: 1_500 },
    );
  });

  it('chooses the same lines, which may read their head', async () => {
    await fc.assert(
      fc.asyncProperty(lineFilters, async (filter) => {
        expect(checkFilter(filter, { resource: deal, catalog, lines: 'items' })).toEqual([]);
        expect(await idsBySql(filter, 'items')).toEqual(lineIdsByPredicate(filter));
      }),
      { numRuns: 500 },
    );
  });

  it('never fails in SQL once it was checked', async () => {
    const wild = fc.dictionary(
      fc.constantFrom(
        ...Object.keys(deal.fields),
        'items.qty',
        'buyer_id.name',
        'buyer_id.country_id.risk',
        '__proto__',
        'toString',
      ),
      fc.dictionary(
        fc.constantFrom(
          'eq',
          'ne',
          'lt',
          'gte',
          'in',
          'nin',
          'contains',
          'startswith',
          'between',
          'null',
          'has',
          'hasAny',
        ),
        fc.oneof(wildValues, fc.array(wildValues, { maxLength: 3 })),
        { minKeys: 1, maxKeys: 2 },
      ),
      { maxKeys: 2 },
    );
    await fc.assert(
      fc.asyncProperty(wild, async (filter) => {
        fc.pre(checkFilter(filter, { resource: deal, catalog }).length === 0);
        expect(await idsBySql(filter as Filter)).toEqual(idsByPredicate(filter as Filter));
      }),
      { numRuns: 2_000 },
    );
  });
});

const wildValues = fc.oneof(
  fc.string(),
  fc.constantFrom<unknown>(
    null, true, 1, -3, 1.5, Number.MAX_SAFE_INTEGER, '1e400', 'NaN', 'Infinity', '\u0000', '2026-02-30', '2026-02-28',
    '9999-12-31', '2026-11-20T00:00:00+15:59', '2026-11-20T00:00:00+23:00', '-0', '00012', '123456789012345',
    '0.'.padEnd(30, '3'), '00000000-0000-7000-8000-000000000001', '{a,b}', "'; drop table deal; --", '\uD800',
    { $: 'today' }, { $: 'now' }, { $: 'user.id' }, { $: 'user.sales_ids' }, { $: 'user.partner_id' },
    { $: 'user.super_permission' }, { $: 'user.constructor' }, { $: 'param.NONE' },
  ), // prettier-ignore
);
