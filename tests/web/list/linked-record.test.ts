import { expect, it } from 'vitest';
import { recordAddress } from '#engine/schema/record-address.ts';
import { linkedRecord, readAddress } from '#web/pages/list/list-address.ts';

it('a link to a record without a page of its own names it, other conditions name none', () => {
  const address = recordAddress([{ route: '/a/b', kind: 'list' }], 'x1') ?? '';
  expect(linkedRecord(readAddress(new URLSearchParams(address.split('?')[1])))).toBe('x1');
  for (const condition of [null, { status: { eq: 'draft' } }, { id: { in: ['x1'] } }])
    expect(linkedRecord({ condition })).toBeNull();
});
