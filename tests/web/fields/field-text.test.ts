import { expect, it } from 'vitest';
import { SYSTEM_ID } from '#engine/filter/read-context.ts';
import { expandField } from '#engine/schema/expand-resource.ts';
import { fieldText, isColumnKept, lineAmount, saysNothing } from '#web/fields/field-text.ts';

const payment = expandField('payout_id', { type: 'reference', title: '结余付款单', to: 'payment_request' });
const id = '01a207f0-5f5a-71f3-ac68-d3f7ccbef9ee';

it.each([
  ['its label', id, 'AAFK2026000012', 'AAFK2026000012'],
  ['nothing where there is none', null, undefined, ''],
  ['who did it by itself', SYSTEM_ID, undefined, '系统'],
  ['that it is not for the reader, never an id', id, undefined, '（不可见）'],
])('a reference shows %s', (_what, value, label, text) => {
  expect(fieldText(payment, value, label)).toBe(text);
});

it.each([
  ['parent.currency', '323,000'],
  ['CNY', '323,000.00'],
  ['currency', '323,000.00'],
])('an amount of a line in %s has the decimals of its currency: %s', (currency, text) => {
  const amount = expandField('amount', { type: 'money', title: '金额', currency });
  expect(lineAmount(amount, { amount: '323000.00', currency: 'USD' }, { currency: 'JPY' })).toBe(text);
});

it.each([
  ['one that the reader may know of', { payout_id: id, _labels: { payout_id: 'AAFK2026000012' } }, false],
  ['one that is not for the reader', { payout_id: id, _labels: {} }, true],
  ['what did it by itself', { payout_id: SYSTEM_ID }, false],
  ['none', { payout_id: null }, true],
])('a reference to %s says nothing or not', (_what, record, isNothing) => {
  expect(saysNothing(payment, record)).toBe(isNothing);
});

const open = { payout_id: id, _labels: { payout_id: 'AAFK2026000012' } };
const kept = { payout_id: id, _labels: {} };
const none = { payout_id: null };

it.each([
  ['only records that are not for the reader', [kept, none], true],
  ['one that the reader may know of beside others', [kept, open], false],
  ['none at all, which says that there are none', [none, none], false],
])('a column of references to %s is left out or not', (_what, lines, isLeftOut) => {
  expect(isColumnKept(payment, lines)).toBe(isLeftOut);
});
