import { expect, it } from 'vitest';
import type { ResourceEntry } from '#contract/meta.ts';
import { formAddress } from '../../../src/web/data/form-source.ts';

const page = (kind: string, route: string, where: Readonly<Record<string, string>>, edit?: string) => ({
  ...{ kind, route, title: route },
  where: Object.fromEntries(Object.entries(where).map(([name, value]) => [name, { eq: value }])),
  ...(edit === undefined ? {} : { edit }),
});
const ENTRIES = [
  {
    resource: 'payment_request',
    pages: [
      page('list', '/bxf', { business_type: 'agency', pay_type: 'premium' }, '/bxfedit'),
      page('edit', '/bxfedit', { business_type: 'agency', pay_type: 'premium' }),
      page('list', '/hk', { business_type: 'agency', pay_type: 'goods' }, '/hkedit'),
      page('edit', '/hkedit', { business_type: 'agency', pay_type: 'goods' }),
      page('list', '/zyhk', { business_type: 'self', pay_type: 'goods' }, '/zyhkedit'),
    ],
  },
] as unknown as readonly ResourceEntry[];
const source = { resource: 'shipment', id: '1', make: 'goods_payment' };

it.each([
  ['agency', { pay_type: 'goods' }, '/hkedit'],
  ['self', { pay_type: 'goods' }, '/zyhkedit'],
  // Nothing fits: the first form.
  ['agency', {}, '/bxfedit'],
])('a payment made from business of %s with %j opens in its own form', (business_type, fixed, form) => {
  const address = formAddress(ENTRIES, 'payment_request', {
    source,
    record: { id: '1', business_type },
    fixed,
  });
  expect(address?.split('?')[0]).toBe(form);
});

it('without a form of the resource there is no address', () => {
  expect(formAddress(ENTRIES, 'receipt', { source, record: { id: '1' }, fixed: {} })).toBeNull();
});
