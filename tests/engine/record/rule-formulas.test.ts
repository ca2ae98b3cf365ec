import { describe, expect, it } from 'vitest';
import { givenValues } from '#engine/record/apply-own.ts';
import { checkRecord } from '#engine/record/check-record.ts';
import { resourceAccess } from '#engine/access/resource-access.ts';
import { clientResource } from '#engine/schema/client-resource.ts';
import { lintDefinitions } from '#engine/schema/lint-resource.ts';
import type { ResourceDefinition } from '#engine/schema/definition.ts';
import type { AccessDefinition, RuleDefinition } from '#engine/schema/lifecycle-definition.ts';
import type { ErpRecord } from '#engine/schema/resource.ts';
import { readPaths } from '#engine/schema/read-paths.ts';
import { aCatalog, aContract, aCustomer } from '../../support/definitions.ts';
import { context, resourceOf, subject } from '../schema/example-files.ts';

const PIECES: RuleDefinition = {
  each: 'items',
  holds: 'quantity * 2 >= pieces',
  at: 'pieces',
  message: '{parent.contract_no}每件至少半吨，最多{quantity * 2}件',
};
const TAGS: RuleDefinition = {
  when: { contract_no: { null: false } },
  holds: 'sum(round(items.quantity * items.pieces, 0)) <= amount',
  at: 'amount',
  message: '金额不能少于{sum(round(items.quantity * items.pieces, 0))}',
};

function ferry(...rules: readonly RuleDefinition[]): ResourceDefinition {
  return aContract({ rules });
}

function problemsOf(record: ErpRecord, ...rules: readonly RuleDefinition[]): readonly string[] {
  const catalog = aCatalog(ferry(...rules), aCustomer());
  const resource = resourceOf(catalog, 'contract');
  const whole = { business_type: 'self', ...record };
  const scope = { resource, catalog, record: whole, context: context() };
  return checkRecord(resource, whole, scope, { complete: false }).map((it) => `${it.path} ${it.message}`);
}

describe('a rule with a formula', () => {
  it('is broken where the formula says no, and shows its figures', () => {
    const lines = [
      { id: 'a', quantity: '600.5', pieces: '1300' },
      { id: 'b', quantity: '600.5', pieces: '1201' },
    ];
    expect(problemsOf({ contract_no: 'K-7', items: lines }, PIECES)).toEqual([
      'items.0.pieces K-7每件至少半吨，最多1,201件',
    ]);
  });

  it('takes a rounded column for the column that it is', () => {
    const items = [
      { id: 'a', quantity: '1.4', pieces: '1' },
      { id: 'b', quantity: '1.4', pieces: '1' },
    ];
    expect(problemsOf({ contract_no: 'K-8', amount: '1.99', items }, TAGS)).toEqual(['amount 金额不能少于2']);
    expect(problemsOf({ contract_no: 'K-8', amount: '2.00', items }, TAGS)).toEqual([]);
  });

  it('is not broken where the formula leaves it open', () => {
    const open: RuleDefinition = { holds: 'isNumber(contract_no)', at: 'contract_no', message: '应为数字' };
    expect(problemsOf({ contract_no: null }, open)).toEqual([]);
    expect(problemsOf({ contract_no: '12a' }, open)).toEqual(['contract_no 应为数字']);
  });

  it.each([
    [{ ...PIECES, holds: 'quantity * 2' }, /不合字段/],
    [{ ...PIECES, holds: 'quantty > 1' }, /是否想写 "quantity"/],
    [{ ...PIECES, message: '最多{quantty}件' }, /是否想写 "quantity"/],
    [{ holds: 'count > 1', message: '太少' }, /有 "holds" 的规则须有 "at"/],
  ])('is looked at when it loads: %j', (rule, fault) => {
    const text = (definition: ResourceDefinition): string => JSON.stringify(definition, null, 1);
    const files = [ferry(rule), aCustomer()].map((definition) => ({
      path: `resources/${definition.resource}.json`,
      text: text(definition),
    }));
    expect(
      lintDefinitions(files)
        .map(({ message }) => message)
        .join('\n'),
    ).toMatch(fault);
  });

  it('has what its message reads loaded, and stays with the server where a field is hidden', () => {
    const rule: RuleDefinition = { holds: 'count > 1', at: 'count', message: '{buyer_id.name}的件数太少' };
    expect(readPaths(ferry(rule))).toContain('buyer_id.name');
    const rules = (grant: Partial<AccessDefinition>): number => {
      const access = [{ role: 'SP', do: ['read'], ...grant }];
      const catalog = aCatalog({ ...ferry(PIECES), access }, aCustomer());
      const contract = resourceOf(catalog, 'contract');
      return clientResource(contract, resourceAccess(contract, subject(), { catalog })).rules.length;
    };
    expect([rules({}), rules({ hide: ['contract_no'] })]).toEqual([1, 0]);
  });
});

describe('null for a list of lines', () => {
  it('empties it', () => {
    const catalog = aCatalog(ferry(), aCustomer());
    const resource = resourceOf(catalog, 'contract');
    const record = { items: [{ id: 'a' }], count: '3' };
    const scope = { resource, catalog, record, context: context() };
    expect(givenValues(resource.fields, { items: null, count: null }, scope)).toEqual({
      items: [],
      count: null,
    });
  });
});
