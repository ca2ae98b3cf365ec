import { expect, it } from 'vitest';
import { shippedDefinitions } from './shipped-definitions.ts';

/** So many columns stand in view at 1280 px beside the open menu. */
const IN_VIEW = 6;

it('a report of records shows how they stand without scrolling', () => {
  const behind = Object.values(shippedDefinitions().setup.reports).flatMap(({ title, rows, columns }) => {
    if (rows.each !== true) return [];
    const shown = columns.filter(({ hidden }) => hidden !== true);
    return shown
      .slice(IN_VIEW)
      .flatMap((column) => (column.title.endsWith('状态') ? [`${title}：${column.title}`] : []));
  });
  expect(behind).toEqual([]);
});
