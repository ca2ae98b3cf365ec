import { expect, test } from 'vitest';
import { headKeyOf, moveOfKey, steppedName, stepOfKey } from '#web/app/step-of-key.ts';
import { movedColumn } from '#web/pages/table/list-column.ts';

const plain = { altKey: false, shiftKey: false, ctrlKey: false, metaKey: false };
const both = { ...plain, altKey: true, shiftKey: true };

test.each([
  [{ ...both, key: 'ArrowLeft' }, -1, null],
  [{ ...both, key: 'ArrowDown' }, 1, null],
  [{ ...both, key: 'a' }, null, null],
  [{ ...both, ctrlKey: true, key: 'ArrowLeft' }, null, null],
  [{ ...plain, key: 'ArrowRight' }, null, 1],
  [{ ...plain, altKey: true, key: 'ArrowRight' }, null, null],
  [{ ...plain, key: 'Enter' }, null, null],
])('of the keys, Alt+Shift and an arrow move, an arrow alone steps: %o', (pressed, move, step) => {
  expect([moveOfKey(pressed), stepOfKey(pressed)]).toEqual([move, step]);
});

test.each<[name: string, step: -1 | 1, order: string]>([
  ['a', -1, 'a x b c'],
  ['a', 1, 'b a x c'],
  ['c', -1, 'a x c b'],
  ['c', 1, 'a x b c'],
  ['gone', 1, 'a x b c'],
])(
  'a column goes past its neighbour on the page, whatever is hidden between: %s by %i',
  (name, step, order) => {
    const stepped = steppedName(['a', 'b', 'c'], name, step);
    const names = ['a', 'x', 'b', 'c'];
    expect(stepped === null ? names : movedColumn(names, stepped.moved, stepped.before)).toEqual(
      order.split(' '),
    );
  },
);

test.each([
  ['goes to the head before', { ...plain, key: 'ArrowLeft' }, { does: 'go', step: -1 }],
  ['makes the column wider', { ...plain, key: 'ArrowRight', shiftKey: true }, { does: 'size', step: 1 }],
  ['opens the filter', { ...plain, key: 'ArrowDown', altKey: true }, { does: 'filter' }],
  ['leaves Back to the browser', { ...plain, key: 'ArrowLeft', altKey: true }, null],
  ['leaves the rows to their scrolling', { ...plain, key: 'ArrowDown' }, null],
  ['leaves the moving of columns alone', { ...both, key: 'ArrowLeft' }, null],
])('a key in the head of a column %s', (_, pressed, asked) => {
  expect(headKeyOf(pressed)).toEqual(asked);
});
