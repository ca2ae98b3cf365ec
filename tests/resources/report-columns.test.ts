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

it('a figure in dollars says so, and one in yuan does where its report shows a rate beside it', () => {
  const silent = Object.values(shippedDefinitions().setup.reports).flatMap(({ title, columns }) => {
    const shown = columns.filter(({ hidden, currency }) => hidden !== true && currency === undefined);
    const hasRate = columns.some((column) => /汇率|换汇/.test(column.title));
    return shown
      .filter(({ sum = '', as, title: name }) => {
        if (sum === '' || as !== undefined || /USD|CNY|美元|人民币|\{/.test(name)) return false;
        return sum.endsWith('usd') || hasRate;
      })
      .map((column) => `${title}：${column.title}`);
  });
  expect(silent).toEqual([]);
});
