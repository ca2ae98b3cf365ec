import { describe, expect, it } from 'vitest';
import { expandField } from '#engine/schema/expand-resource.ts';
import { columnTotal } from '#web/fields/column-total.ts';

const foreign = expandField('fc_amount', { type: 'money', title: '原币余额', currency: 'currency' });
const ofHead = expandField('amount', { type: 'money', title: '金额', currency: 'parent.currency' });

describe('the total under a column of lines', () => {
  it('adds up what is of one currency', () => {
    const lines = [{ amount: '1000.10' }, { amount: '0.20' }, { amount: null }];
    expect(columnTotal(ofHead, lines, { currency: 'EUR' }).text).toBe('1,000.30 EUR');
  });

  it('never adds dollars to euros: the dollars stand there, all of them on hover', () => {
    const lines = [
      { currency: 'EUR', fc_amount: '20633.59' },
      { currency: 'USD', fc_amount: '103728.40' },
      { currency: 'USD', fc_amount: '38892.00' },
    ];
    expect(columnTotal(foreign, lines, {})).toEqual({
      text: '142,620.40 USD 等2币种',
      whole: '142,620.40 USD\n20,633.59 EUR',
    });
  });

  it('is nothing of the currency of the head where there are no lines', () => {
    expect(columnTotal(ofHead, [], { currency: 'CNY' }).text).toBe('0.00 CNY');
  });
});
