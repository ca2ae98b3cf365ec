import { expect, it } from 'vitest';
import { readListOrigin, writeListOrigin } from '#web/data/list-origin.ts';

it.each([
  { filter: null, keyword: '', sorters: [] },
  { filter: { status: { eq: 'draft' } }, keyword: '宁波 & 华联', sorters: ['partner_id', '-created_at'] },
])('a list that a record was opened from is the same when it is read again', (origin) => {
  expect(readListOrigin(writeListOrigin(origin))).toEqual(origin);
});

it.each([null, '', '{', '1', 'null', '{"f":null}', '{"s":"x"}'])(
  'is none where it cannot be read: %s',
  (text) => {
    expect(readListOrigin(text)).toBeNull();
  },
);
