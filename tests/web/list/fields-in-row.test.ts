import { expect, it } from 'vitest';
import { fieldsInRow } from '#web/pages/list/fields-in-row.ts';

const NARROW = Array.from({ length: 9 }, () => false);
const WITH_SPAN = [false, false, true, false];

it.each([
  ['a list on 1280 px', 1048, NARROW, 3],
  ['one with a span of days', 1048, WITH_SPAN, 3],
  ['one with two', 1048, [false, true, true, false], 2],
  ['a list beside its tree', 850, NARROW, 2],
  ['a narrow one', 300, NARROW, 1],
  ['a narrow one of a span', 300, [true, true], 1],
  ['a very wide one', 2328, NARROW, 6],
  ['one with few filters', 2328, [false, true], 2],
])('%s has its filters and their buttons in one line', (_, formPx, areSpans, fields) => {
  expect(fieldsInRow(formPx, areSpans).count).toBe(fields);
});

it('a full line leaves no room, one that is not full leaves it at the end', () => {
  expect(fieldsInRow(1208, WITH_SPAN).columns).toBe(5 + 5 + 6 + 5);
  expect(fieldsInRow(1208, [false]).columns).toBe(24);
});

it('two whole days fit in the narrowest span', () => {
  // 13 px figures, 10 of them, with padding and lines of both pickers: 76 + 16 px each, beside a title of 84 px.
  for (let formPx = 540; formPx < 2600; formPx += 1) {
    const { columns } = fieldsInRow(formPx, WITH_SPAN);
    const columnPx = (formPx - 24 - (columns - 1) * 12) / columns;
    expect(columnPx * 6 + 5 * 12 - 84).toBeGreaterThan(2 * (76 + 16));
  }
});
