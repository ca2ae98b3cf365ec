import { expect, it } from 'vitest';
import type { ResourceEntry } from '#contract/meta.ts';
import { noticeAddress } from '#web/app/notice-address.ts';

const entries = [
  { resource: 'partner', title: '委托方', pages: [{ route: '/customer/wtfDetails', kind: 'details' }] },
] as unknown as readonly ResourceEntry[];

it.each([
  ['a record', { resource: 'partner', record_id: 'a', link: '/x?id=a' }, '/customer/wtfDetails?id=a'],
  ['a record that the role has no page of', { resource: 'buyer', record_id: 'a', link: '/x?id=a' }, null],
  ['many records', { resource: 'partner', record_id: null, link: '/customer/wtfList' }, '/customer/wtfList'],
  ['a report', { resource: null, record_id: null, link: '/tjbb/yszl?by=buyer_id' }, '/tjbb/yszl?by=buyer_id'],
  ['no place', { resource: null, record_id: null, link: null }, null],
  ['another house', { resource: null, record_id: null, link: '//elsewhere.example/x' }, null],
  ['a script', { resource: null, record_id: null, link: 'javascript:alert(1)' }, null],
])('a notice of %s leads there', (_, notice, address) => {
  expect(noticeAddress(entries, notice)).toBe(address);
});
