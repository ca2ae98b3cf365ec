import { expect, test } from 'vitest';
import { totalledColumns } from '#web/pages/form/totalled-columns.ts';
import { shipped } from '../../resources/shipped-definitions.ts';

test('balances and amounts of two sides are not added up, what they come to is', () => {
  expect([...totalledColumns(shipped('accounting_period'), 'revaluations')]).toEqual(['gain']);
  expect([...totalledColumns(shipped('bank_statement'), 'days')]).toEqual([]);
  expect([...totalledColumns(shipped('bank_statement'), 'lines')]).toEqual(['amount']);
});
