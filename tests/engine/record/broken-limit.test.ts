import fc from 'fast-check';
import { expect, it } from 'vitest';
import { matchesFilter } from '#engine/filter/matches-filter.ts';
import { brokenFilter, NoOpposite } from '#engine/record/broken-limit.ts';
import { assertionHolds } from '#engine/record/check-assertion.ts';
import { isWorse, limitBreach } from '#engine/record/check-limit.ts';
import type { Filter } from '#engine/schema/definition.ts';
import { aCatalog, aCustomer } from '../../support/definitions.ts';

const money = { type: 'money', title: '金额', currency: 'CNY' } as const;
const resource = aCustomer({
  fields: { name: { type: 'text', title: '名称' }, used: money, bound: money, spare: money },
});
const catalog = aCatalog(resource);
const compiled = catalog.resources[resource.resource];
if (compiled === undefined) throw new Error('no resource');
const context = { params: {}, rates: {}, tables: {}, today: '2026-11-22', now: '2026-11-22T00:00:00Z' };

const amount = fc.option(fc.integer({ min: -3, max: 3 }).map((value) => `${value}.00`));
const comparison = fc
  .tuple(
    fc.constantFrom('used', 'spare'),
    fc.constantFrom('lt', 'lte', 'gt', 'gte', 'eq'),
    fc.constantFrom({ '=': 'bound' }, '1.00'),
  )
  .map(([field, operator, value]): Filter => ({ [field]: { [operator]: value } }));
const { assertion } = fc.letrec<{ assertion: Filter }>((tie) => ({
  assertion: fc.oneof(
    { maxDepth: 3 },
    comparison,
    fc.array(tie('assertion'), { minLength: 1, maxLength: 3 }).map((parts): Filter => ({ and: parts })),
    fc.array(tie('assertion'), { minLength: 1, maxLength: 3 }).map((parts): Filter => ({ or: parts })),
  ),
}));

it('finds exactly the records that break an assertion', () => {
  fc.assert(
    fc.property(assertion, amount, amount, amount, (assert, used, bound, spare) => {
      const scope = { resource: compiled, catalog, record: { used, bound, spare }, context } as never;
      expect(matchesFilter(brokenFilter(assert), scope)).toBe(!assertionHolds(assert, scope));
    }),
  );
});

it('says so where an assertion has no opposite', () => {
  expect(() => brokenFilter({ used: { in: ['1'] } })).toThrow(NoOpposite);
});

it('is broken anew by each of its comparisons, whatever another was broken by before', () => {
  const limit = { assert: { used: { eq: '0' }, spare: { eq: '0' } }, message: '已停用' };
  const breach = (used: string, spare: string) =>
    limitBreach(limit, { resource: compiled, catalog, record: { used, spare }, context } as never);
  const isRefused = (was: readonly [string, string], now: readonly [string, string]): boolean => {
    const found = breach(...now);
    return found !== null && isWorse(found, breach(...was));
  };
  expect(isRefused(['5.00', '0.00'], ['5.00', '3.00'])).toBe(true);
  expect(isRefused(['5.00', '0.00'], ['0.00', '3.00'])).toBe(true);
  expect(isRefused(['5.00', '3.00'], ['5.00', '3.00'])).toBe(false);
  expect(isRefused(['5.00', '3.00'], ['4.00', '2.00'])).toBe(false);
});
