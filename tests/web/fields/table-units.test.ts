import { describe, expect, it } from 'vitest';
import { expandField } from '#engine/schema/expand-resource.ts';
import { tableUnits } from '#web/fields/table-units.ts';

const debit = expandField('debit', { type: 'money', title: '借方', currency: 'CNY' });
const foreign = expandField('fc_amount', { type: 'money', title: '原币金额', currency: 'currency' });
const ofHead = expandField('amount', { type: 'money', title: '金额', currency: 'parent.currency' });
const name = expandField('name', { type: 'text', title: '科目' });

describe('the currencies of a table of lines', () => {
  it('stand in the heads where its columns differ: yuan beside dollars', () => {
    const lines = [
      { debit: '193257.25', currency: 'CNY' },
      { debit: null, currency: 'USD', fc_amount: '28114.86' },
    ];
    const { heads, cells } = tableUnits([name, debit, foreign], lines, {});
    expect([...heads]).toEqual([
      ['debit', 'CNY'],
      ['fc_amount', 'USD'],
    ]);
    expect(cells.size).toBe(0);
  });

  it('stand in the cells of a column whose lines differ', () => {
    const lines = [
      { debit: '7', currency: 'EUR', fc_amount: '1' },
      { debit: '7', currency: 'USD', fc_amount: '1' },
    ];
    const { heads, cells } = tableUnits([debit, foreign], lines, {});
    expect([...heads]).toEqual([['debit', 'CNY']]);
    expect([...cells]).toEqual(['fc_amount']);
  });

  it('are left to the totals where the whole table has one', () => {
    const { heads, cells } = tableUnits([ofHead, name], [{ amount: '1' }, { amount: '2' }], {
      currency: 'USD',
    });
    expect([heads.size, cells.size]).toEqual([0, 0]);
  });
});
