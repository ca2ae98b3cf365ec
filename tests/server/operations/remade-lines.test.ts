import { expect, test } from 'vitest';
import type { Field } from '#engine/schema/resource.ts';
import { remadeLines } from '#server/records/follow/remade-lines.ts';

const rows: Field = {
  name: 'rows',
  title: '明细',
  type: 'lines',
  required: false,
  standard: false,
  computed: false,
  unique: [{ fields: ['load'] }],
};
const current = {
  rows: [
    { id: 'a', load: '1', tons: '1', note: '手写' },
    { id: 'b', load: '2', tons: '2' },
    { id: 'c', load: null, tons: '9' },
    { id: 'd', load: '3', tons: '8' },
  ],
};
const links = new Map([
  ['1', 'a'],
  ['2', 'b'],
]);

test('a line that the mapping brings now is not kept beside it', () => {
  const mapped = [
    { load: '1', tons: '5' },
    { load: '3', tons: '3' },
  ];
  expect(remadeLines(rows, { mapped, sources: ['1', '3'], links, current })).toEqual([
    { id: 'a', load: '1', tons: '5', note: '手写' },
    { load: '3', tons: '3' },
    { id: 'c', load: null, tons: '9' },
  ]);
});

test('where lines come of no line all are replaced', () => {
  expect(remadeLines(rows, { mapped: [{ tons: '20' }], sources: [null], links: new Map(), current })).toEqual(
    [{ tons: '20' }],
  );
});
