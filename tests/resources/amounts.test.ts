import { expect, test } from 'vitest';
import { mainAmount } from '#engine/record/main-amount.ts';
import type { Field } from '#engine/schema/resource.ts';
import { shipped, shippedDefinitions } from './shipped-definitions.ts';

/** Codes decide whether these are amounts or rates; tiers are of whatever their scheme counts; days of money are none. */
const NO_AMOUNTS = [
  ...['customs_declaration.freight', 'customs_declaration.insurance_fee', 'customs_declaration.misc_fee'],
  ...['commission_scheme.tiers.from_amount', 'commission_scheme.tiers.to_amount'],
  // In the currency of the export contract, which lines of the purchase cannot name: it is never shown.
  'purchase_contract.items.export_amount',
  ...['fund_ledger_entry.plain_amount', 'fund_ledger_entry.day_amount'],
];

test('every amount has a currency: what is called one is money', () => {
  const plain = Object.values(shippedDefinitions().catalog?.resources ?? {}).flatMap(({ resource, fields }) =>
    Object.values(fields).flatMap((field) => plainAmounts(field, resource)),
  );
  expect(plain.filter((path) => !NO_AMOUNTS.includes(path))).toEqual([]);
});

test.each([
  ['credit_line_application', 'apply_amount'],
  ['credit_investigation', 'apply_limit'],
  ['insurance_policy', 'max_liability'],
  ['business_invoice', 'total_amount'],
  ['commission_statement', 'payable'],
])('what is asked for with %s is its %s', (key, amount) => {
  expect(mainAmount(shipped(key))?.name).toBe(amount);
});

function plainAmounts(field: Field, place: string): readonly string[] {
  const path = `${place}.${field.name}`;
  if (field.type === 'lines')
    return Object.values(field.fields ?? {}).flatMap((cell) => plainAmounts(cell, path));
  const isCalledAmount = /金额|余额|占用|上限$|费$|_amount$/.test(`${field.title} ${field.name}`);
  return field.type === 'decimal' &&
    isCalledAmount &&
    !/数量|quantity|\(USD\)/.test(`${field.title} ${field.name}`)
    ? [path]
    : [];
}
