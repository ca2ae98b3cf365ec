import { describe, expect, it } from 'vitest';
import type { ListColumn } from '#web/pages/table/list-column.ts';
import { fittedColumns, withArrow } from '#web/pages/table/fitted-columns.ts';

describe('columns fitted to the view', () => {
  const OWN = new Set<string>();
  it.each([
    ['stay as they are where they fit', [100, 100], 300, [100, 100]],
    ['get a little narrower so that one more is whole', [100, 100, 100], 280, [93, 93, 93]],
    ['get wider where the next would be cut', [100, 100, 100], 240, [120, 120, 100]],
    ['stay as they are where the first has no room', [300, 100], 200, [300, 100]],
  ])('%s', (_, widths, room, expected) => {
    expect(fittedColumns(columnsOf(widths), room, OWN).map(({ width }) => width)).toEqual(expected);
  });

  it('keep the width that the person gave one of them', () => {
    const fitted = fittedColumns(columnsOf([100, 100, 100]), 240, new Set(['c0']));
    expect(fitted.map(({ width }) => width)).toEqual([100, 140, 100]);
  });

  it('do not become narrower than their titles: the others give the room', () => {
    const [first, ...others] = columnsOf([96, 150, 150]);
    if (first === undefined) throw new Error('no column');
    const fitted = fittedColumns([{ ...first, leastWidth: 96 }, ...others], 366, OWN);
    expect(fitted.map(({ width }) => width)).toEqual([96, 135, 135]);
  });

  it('have room for the arrow of what the rows are sorted by, but where the person gave the width', () => {
    const columns = columnsOf([96, 150]).map((column) => ({ ...column, leastWidth: 83 }));
    expect(withArrow(columns, ['-c0', 'c1'], OWN).map(({ width }) => width)).toEqual([101, 150]);
    expect(withArrow(columns, ['c0'], new Set(['c0']))).toEqual(columns);
  });
});

function columnsOf(widths: readonly number[]): readonly ListColumn[] {
  return widths.map((width, place) => ({
    name: `c${place}`,
    title: '',
    field: { name: `c${place}`, type: 'text', title: '', required: false, standard: false, computed: false },
    width,
    hasTotal: false,
    isFrozen: false,
  }));
}
