import { expect, it } from 'vitest';
import { balancesInOrder } from '#server/records/face/balances-in-order.ts';

it('balances beside the entries of an account follow one another down from its own, whenever each was posted', () => {
  const ledger = { amount: 'amount', after: 'left' };
  const entries = [
    { amount: '8000.00', left: '345157.78' },
    { amount: '-50.00', left: '619947.98' },
    { amount: '98698.82', left: '98698.82' },
  ];
  expect(balancesInOrder(entries, ledger, '1271139.15').map(({ left }) => left)).toEqual([
    '1271139.15',
    '1263139.15',
    '1263189.15',
  ]);
});
