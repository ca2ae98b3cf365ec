import { expect, it } from 'vitest';
import { hiddenNow, hidingRules } from '#engine/record/hidden-now.ts';
import type { RuleDefinition } from '#engine/schema/lifecycle-definition.ts';
import { context, exampleCatalog, resourceOf } from '../schema/example-files.ts';

const catalog = exampleCatalog();
const contract = resourceOf(catalog, 'export_contract');
const [FIRST, SECOND] = ['00000000-0000-7000-8000-0000000000a1', '00000000-0000-7000-8000-0000000000a2'];
const record = {
  status: 'draft',
  incoterm: 'FOB',
  items: [
    { id: FIRST, quantity: '1' },
    { id: SECOND, quantity: '5' },
  ],
};

function hidden(rules: readonly RuleDefinition[], closed: readonly string[] = []): readonly string[] {
  const resource = { ...contract, rules };
  const told = hidingRules(resource, (path) => !closed.includes(path));
  return hiddenNow(told, { resource, catalog, record, context: context() });
}

it('a field is hidden of a stored record where the condition of its form holds', () => {
  const when = (status: string): RuleDefinition => ({
    when: { status: { eq: status } },
    hide: ['lc_no', 'items.unit'],
  });
  expect(hidden([when('draft')])).toEqual(['lc_no', 'items.unit']);
  expect(hidden([when('approved')])).toEqual([]);
});

it('a cell is named by its line', () => {
  expect(hidden([{ each: 'items', when: { quantity: { gt: '2' } }, hide: ['unit'] }])).toEqual([
    `items.${SECOND}.unit`,
  ]);
});

it('what the reader does not see decides about nothing that he sees, and is not named', () => {
  const rules: RuleDefinition[] = [{ when: { incoterm: { eq: 'FOB' } }, hide: ['freight', 'lc_no'] }];
  expect(hidden(rules, ['incoterm'])).toEqual([]);
  expect(hidden(rules, ['freight'])).toEqual(['lc_no']);
});
