import { describe, expect, it } from 'vitest';
import { shippedDefinitions } from '../../resources/shipped-definitions.ts';
import { fittedColumns } from '#web/pages/table/fitted-columns.ts';
import { type ListColumn, orderByImportance, shownColumns } from '#web/pages/table/list-column.ts';

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

describe('the column of a number', () => {
  it.each(['fund_ledger_entry', 'finance_voucher', 'bank_entry'])(
    'of %s has room for all of it, also where the columns are fitted to the view',
    (name) => {
      const resource = catalog?.resources[name];
      const columns = resource === undefined ? [] : shownColumns(resource, resource.list.columns, {});
      const number = columns.find((column) => column.name === resource?.number?.field);
      const [fitted] = fittedColumns(
        [number ?? A_COLUMN, A_COLUMN],
        (number?.width ?? 0) * 0.9 + 90,
        new Set(),
      );
      // Sixteen digits of 8 px, and the padding.
      expect(fitted?.width).toBeGreaterThanOrEqual(name === 'finance_voucher' ? 136 : 144);
    },
  );

  it('of short numbers is as wide as any text, and as wide as the person made it', () => {
    const resource = catalog?.resources['project_settlement'];
    const widths = (layout: object) =>
      resource === undefined ? [] : shownColumns(resource, resource.list.columns, layout);
    expect(widths({})[0]?.width).toBeLessThanOrEqual(146);
    expect(widths({ widths: { settle_no: 90 } })[0]?.width).toBe(90);
  });
});

const A_COLUMN: ListColumn = {
  name: 'other',
  title: '',
  field: { name: 'other', type: 'text', title: '', required: false, standard: false, computed: false },
  width: 100,
  hasTotal: false,
  isFrozen: false,
};

describe('what a record is known by', () => {
  it('is its name where it has one, also of what no number is given to', () => {
    const named = (name: string) => catalog?.resources[name]?.isNamed;
    expect([named('blacklist'), named('approval_flow'), named('partner')]).toEqual([true, true, true]);
    expect([named('export_contract'), named('customs_declaration')]).toEqual([false, false]);
  });
});

describe('the column of states', () => {
  it.each(['payment_request', 'shipment'])('of %s shows the longest of them whole', (name) => {
    const resource = catalog?.resources[name];
    const columns = resource === undefined ? [] : shownColumns(resource, resource.list.columns, {});
    const state = columns.find((column) => column.name === 'status');
    const longest = Math.max(
      ...Object.values(resource?.lifecycle?.states ?? {}).map(({ title }) => title.length),
    );
    // Twelve px a character, the tag's padding and the cell's.
    expect(state?.leastWidth).toBeGreaterThanOrEqual(Math.min(longest, 6) * 12 + 14 + 16);
  });
});

it('the name of a record has more room than where it comes from', () => {
  const buyer = catalog?.resources['buyer'];
  const columns = buyer === undefined ? [] : shownColumns(buyer, buyer.list.columns, {});
  const widthOf = (name: string) => columns.find((column) => column.name === name)?.width ?? 0;
  // Twenty-two letters of 8 px.
  expect(widthOf('name_en')).toBeGreaterThanOrEqual(22 * 8 + 16);
  expect(widthOf('country_id')).toBeLessThan(widthOf('partner_id'));
});
