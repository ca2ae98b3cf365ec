import { expect, it } from 'vitest';
import { listAddress, recordAddress } from '#engine/schema/record-address.ts';
import { addressFilter, linkedRecord, readAddress, writeAddress } from '#web/pages/list/list-address.ts';
import { shippedDefinitions } from '../../resources/shipped-definitions.ts';

it('a link to a record without a page of its own names it, other conditions name none', () => {
  const address = recordAddress([{ route: '/a/b', kind: 'list' }], 'x1') ?? '';
  expect(linkedRecord(readAddress(new URLSearchParams(address.split('?')[1])))).toBe('x1');
  for (const condition of [null, { status: { eq: 'draft' } }, { id: { in: ['x1'] } }])
    expect(linkedRecord({ condition })).toBeNull();
});

it('a list that was opened for what something counted has all of it, on whatever page', () => {
  const condition = { business_type: { eq: 'self' } };
  const narrowed: string[] = [];
  for (const { resource, pages } of Object.values(shippedDefinitions().catalog?.resources ?? {})) {
    const address = listAddress(pages, condition);
    if (address === null) continue;
    const [route = '', query = ''] = address.split('?');
    const params = new URLSearchParams(query);
    const { where } = pages.find((page) => page.route === route) ?? {};
    if (where !== undefined) narrowed.push(resource);
    const read = readAddress(params);
    expect([resource, addressFilter(read, where)]).toEqual([resource, condition]);
    // Another page, another order: it goes on.
    expect(writeAddress(params, { ...read, page: 2 }).get('all')).toBe(where === undefined ? null : '1');
    expect(addressFilter({ ...read, isWide: false }, where)).toEqual(
      where === undefined ? condition : { and: [where, condition] },
    );
  }
  expect(narrowed).toEqual(
    expect.arrayContaining(['payment_request', 'shipment', 'document_filing', 'fund_pool']),
  );
});
