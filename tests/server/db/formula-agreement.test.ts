import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { evaluate } from '#engine/expression/evaluate.ts';
import { parseExpression } from '#engine/expression/parse-expression.ts';
import { formulaToSql } from '#engine/filter/formula-sql.ts';
import { FilterSqlFault } from '#engine/filter/path-sql.ts';
import { filterToSql } from '#engine/filter/filter-to-sql.ts';
import { matchesFilter } from '#engine/filter/matches-filter.ts';
import type { Scope } from '#engine/filter/scope.ts';
import type { Filter } from '#engine/schema/definition.ts';
import type { ErpRecord } from '#engine/schema/resource.ts';
import { isPlainDecimal, roundDecimal } from '#engine/values/decimal.ts';
import { type Database, openDatabase } from '#server/kernel/db/database.ts';
import { context, resourceOf } from '../../engine/schema/example-files.ts';
import { createCatalogDatabase, type TestDatabase } from '../../support/database.ts';
import { agreementCatalog, fillTables } from './filter-agreement-data.ts';

const catalog = agreementCatalog();
const deal = resourceOf(catalog, 'deal');
const surroundings = context({ params: { LIMIT: '0.05' } });
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

/** Formulas of each kind over a head (`own` prefix empty) or over a line of it (`parent.`). */
function formulas(own: { readonly numbers: readonly string[]; readonly head: string }) {
  const { head } = own;
  return fc.letrec<Record<'number' | 'yes' | 'date' | 'text', string>>((tie) => {
    const two = (operator: string, kind: 'number' | 'yes' | 'date') =>
      fc.tuple(tie(kind), tie(kind)).map(([a, b]) => `(${a} ${operator} ${b})`);
    const places = fc.integer({ min: 0, max: 4 });
    return {
      number: fc.oneof(
        { depthSize: 'small', withCrossShrink: true },
        fc.constantFrom(...own.numbers, '0', '1', '3', '0.05', '12.345', "param('LIMIT')"),
        ...['+', '-', '*', '/'].map((operator) => two(operator, 'number')),
        fc.tuple(fc.constantFrom('round', 'floor', 'ceil'), tie('number'), places).map(([name, a, n]) => `${name}(${a}, ${n})`),
        fc.tuple(fc.constantFrom('min', 'max', 'coalesce'), tie('number'), tie('number')).map(([name, a, b]) => `${name}(${a}, ${b})`),
        fc.tuple(tie('yes'), tie('number'), tie('number')).map(([test, a, b]) => `if(${test}, ${a}, ${b})`),
        tie('number').map((a) => `-${a}`),
        tie('number').map((a) => `abs(${a})`),
        fc.tuple(tie('number'), fc.constantFrom('0.5', '7', '0')).map(([a, to]) => `step(${a}, ${to})`),
        fc.tuple(tie('date'), tie('date')).map(([a, b]) => `days(${a}, ${b})`),
        fc.tuple(fc.constantFrom('year', 'month', 'quarter'), tie('date')).map(([name, a]) => `${name}(${a})`),
      ),
      yes: fc.oneof(
        { depthSize: 'small', withCrossShrink: true },
        fc.constantFrom(`${head}is_urgent`, `${head}kind == 'a'`, `${head}buyer_id == null`, `${head}buyer_id.country_id.is_sanctioned`, `contains(${head}code, 'a')`, `${head}note != null`, `${head}code < 'b'`),
        ...['==', '!=', '<', '<=', '>', '>='].map((operator) => two(operator, 'number')),
        ...['==', '<', '>='].map((operator) => two(operator, 'date')),
        ...['&&', '||'].map((operator) => two(operator, 'yes')),
        tie('yes').map((a) => `!(${a})`),
      ),
      date: fc.oneof(
        { depthSize: 'small', withCrossShrink: true },
        fc.constantFrom(`${head}sign_date`, 'today', "'2028-02-29'"),
        fc.tuple(fc.constantFrom('addDays', 'addMonths'), tie('date'), fc.integer({ min: -40, max: 40 })).map(([name, a, n]) => `${name}(${a}, ${n})`),
        fc.tuple(tie('yes'), tie('date')).map(([test, a]) => `if(${test}, ${a}, null)`),
        fc.tuple(tie('date'), tie('date')).map(([a, b]) => `max(${a}, ${b})`),
      ),
      text: fc.oneof(
        fc.constantFrom(`${head}kind`, `${head}buyer_id.name`),
        fc.tuple(tie('yes'), tie('text'), tie('text')).map(([test, a, b]) => `if(${test}, ${a}, coalesce(${b}, 'none'))`),
      ),
    };
  });
} // prettier-ignore

const ofHead = formulas({
  head: '',
  numbers: [
    'amount', 'ratio', 'pieces', 'buyer_id.country_id.risk', 'sum(items.qty)', 'sum(items.qty * amount)', 'count(items)',
    'count(items.qty, items.is_gift)', 'sum(items.qty, items.qty > ratio && !items.is_gift)', 'max(items.qty)', 'min(items.qty, 1)',
    'avg(items.qty)', 'hours(seen_at, now())', 'first(items.maker_id.country_id.risk)', 'last(items.qty, items.is_gift)',
  ],
}); // prettier-ignore
const ofLine = formulas({
  head: 'parent.',
  numbers: ['qty', 'parent.amount', 'parent.ratio', 'maker_id.country_id.risk', 'sum(parent.items.qty)', 'qty * (1 + parent.ratio)'],
}); // prettier-ignore

const orders = fc.constantFrom('eq', 'ne', 'lt', 'lte', 'gt', 'gte');

async function bySql(formula: string, lines?: 'items'): Promise<ReadonlyMap<string, unknown>> {
  const values: unknown[] = [];
  const place = { resource: deal, catalog, alias: 't', context: surroundings, values };
  const at = lines === undefined ? place : { ...place, lines, parentAlias: 'h' };
  const { sql } = formulaToSql(parseExpression(formula), at);
  const from = lines === undefined ? '"deal" t' : '"deal__items" t join "deal" h on h.id = t.parent_id';
  const rows = await db.query<{ id: string; v: unknown }>(
    `select t.id, (${sql})::text as v from ${from}`,
    values,
  );
  return new Map(rows.map(({ id, v }) => [id, settled(v)]));
}

function inMemory(formula: string, lines?: 'items'): ReadonlyMap<string, unknown> {
  const expression = parseExpression(formula);
  const scopes = records.flatMap((record): readonly Scope[] => {
    const head = { resource: deal, catalog, record, context: surroundings };
    if (lines === undefined) return [head];
    const rows: unknown = record['items'];
    const own: readonly ErpRecord[] = Array.isArray(rows) ? rows : [];
    return own.map((line) => ({ ...head, record: line, parent: record, lines }));
  });
  return new Map(scopes.map((scope) => [String(scope.record['id']), settled(evaluate(expression, scope))]));
}

function compile(formula: string): string {
  const place = { resource: deal, catalog, alias: 't', context: surroundings, values: [] };
  return formulaToSql(parseExpression(formula), place).sql;
}

/** An untouched switch is a no. */
function asYesNo(values: ReadonlyMap<string, unknown>): ReadonlyMap<string, unknown> {
  return new Map([...values].map(([id, value]) => [id, value ?? 'false']));
}

/** Beyond these both have rounded what a product then made large. */
const DIGITS = 25;

/** Numbers to ten decimals, or as many digits as both keep; a yes or no as text. */
function settled(value: unknown): unknown {
  if (typeof value === 'boolean') return String(value);
  if (!isPlainDecimal(value)) return value ?? null;
  const whole = value.replace('-', '').split('.')[0]?.length ?? 0;
  return roundDecimal(value, Math.max(0, Math.min(10, DIGITS - whole)));
}

describe('a formula in PostgreSQL and in memory', () => {
  it.each(['number', 'yes', 'date', 'text'] as const)('gives the same %s for every record', async (kind) => {
    await fc.assert(
      fc.asyncProperty(ofHead[kind], async (formula) => {
        fc.pre(formula.length < 1_500);
        expect(await bySql(formula)).toEqual(kind === 'yes' ? asYesNo(inMemory(formula)) : inMemory(formula));
      }),
      { numRuns: 250 },
    );
  });

  it.each(['number', 'yes'] as const)('gives the same %s for every line', async (kind) => {
    await fc.assert(
      fc.asyncProperty(ofLine[kind], async (formula) => {
        fc.pre(formula.length < 1_500);
        const expected = inMemory(formula, 'items');
        expect(await bySql(formula, 'items')).toEqual(kind === 'yes' ? asYesNo(expected) : expected);
      }),
      { numRuns: 150 },
    );
  });

  it('chooses the same records where a filter compares with one', async () => {
    const filter = fc.oneof(
      fc.tuple(fc.constantFrom('amount', 'ratio', 'pieces', 'items.qty'), orders, ofHead.number),
      fc.tuple(fc.constantFrom('sign_date', 'seen_at'), orders, ofHead.date),
      fc.tuple(fc.constant('kind'), fc.constantFrom('eq', 'ne'), ofHead.text),
    );
    await fc.assert(
      fc.asyncProperty(filter, async ([field, operator, formula]) => {
        fc.pre(formula.length < 1_500);
        const condition: Filter = { [field]: { [operator]: { '=': formula } } };
        const values: unknown[] = [];
        const where = filterToSql(condition, {
          resource: deal,
          catalog,
          alias: 't',
          context: surroundings,
          values,
        });
        const rows = await db.query<{ id: string }>(`select t.id from "deal" t where ${where}`, values);
        const scope = { resource: deal, catalog, context: surroundings };
        const own = records.filter((record) => matchesFilter(condition, { ...scope, record }));
        expect(rows.map(({ id }) => id).toSorted()).toEqual(
          own.map((record) => String(record['id'])).toSorted(),
        );
      }),
      { numRuns: 250 },
    );
  });

  it('rounds half-up on both sides of zero and goes on with a quotient that does not end', async () => {
    for (const formula of ['round(amount / 3 * 1.5, 0)', 'round(-2.345, 2)', 'round(amount * 1.005, 2)', 'floor(-1.5)', "floor(amount, decimals('JPY'))"])
      expect(await bySql(formula)).toEqual(inMemory(formula));
  }); // prettier-ignore

  it('binds every value and refuses what has no SQL form', () => {
    expect(compile("if(kind == 'a', amount * 2, 31415)")).not.toMatch(/31415|'a'/);
    for (const formula of [
      "rate(kind, 'book')",
      'before.amount',
      'lookup(kind, kind)',
      'sum(tags)',
      'text(code)',
    ])
      expect(() => compile(formula)).toThrow(FilterSqlFault);
  });
});
