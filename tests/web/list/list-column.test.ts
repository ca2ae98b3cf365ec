import { describe, expect, it } from 'vitest';
import { shippedDefinitions } from '../../resources/shipped-definitions.ts';
import { orderByImportance } from '#web/pages/table/list-column.ts';

const catalog = shippedDefinitions().catalog;

function orderOf(name: string): readonly string[] {
  const resource = catalog?.resources[name];
  return resource === undefined ? [] : orderByImportance(resource, resource.list.columns);
}

describe('the columns of a list as one reads them', () => {
  it('are number, state, parties, amount and date, then the rest', () => {
    expect(orderOf('receipt_split').slice(0, 6)).toEqual([
      'split_no',
      'status',
      'partner_id',
      'buyer_id',
      'total',
      'split_date',
    ]);
  });

  it.each([
    ['business_invoice', ['reg_no', 'invoice_number', 'status']],
    ['person', ['personid', 'name', 'status']],
    ['blacklist', ['kind', 'name', 'status']],
  ])('of %s begin with number, name and state wherever the file has the state', (name, first) => {
    expect(orderOf(name).slice(0, 3)).toEqual(first);
  });

  it('of a log stay as they are: it begins with its time', () => {
    expect(orderOf('invoice_check')[0]).toBe('created_at');
    expect(orderOf('invoice_check').indexOf('invoice_number')).toBe(3);
  });
});

describe('what a record is known by', () => {
  it('is its name where it has one, also of what no number is given to', () => {
    const named = (name: string) => catalog?.resources[name]?.isNamed;
    expect([named('blacklist'), named('approval_flow'), named('partner')]).toEqual([true, true, true]);
    expect([named('export_contract'), named('customs_declaration')]).toEqual([false, false]);
  });
});
