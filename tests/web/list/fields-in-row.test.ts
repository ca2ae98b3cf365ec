import { expect, it } from 'vitest';
import { fieldsInRow } from '#web/pages/list/fields-in-row.ts';

it.each([
  ['a list on 1280 px', 1048, 3],
  ['a list beside its tree', 850, 2],
  ['a narrow one', 300, 1],
  ['a very wide one', 2328, 6],
])('%s has its filters and their buttons in one line', (_, formPx, fields) => {
  expect(fieldsInRow(formPx)).toBe(fields);
});
