import { describe, expect, test } from 'vitest';
import { expandResource } from '#engine/schema/expand-resource.ts';
import { conflictsOf, defaultSide, mergeVersions, shownConflicts } from '#web/pages/form/merge-versions.ts';

const NOTE = expandResource(
  {
    resource: 'note',
    title: '便签',
    kind: 'master',
    label: 'name',
    fields: {
      name: { type: 'text', title: '名称' },
      place: { type: 'text', title: '地点' },
      items: { type: 'lines', title: '明细', fields: { quantity: { type: 'decimal', title: '数量' } } },
      steps: {
        type: 'lines',
        title: '步骤',
        fields: {
          no: { type: 'integer', title: '序号', default: { '=': 'coalesce(above.no, 0) + 1' } },
          what: { type: 'text', title: '内容' },
        },
      },
    },
  },
  'hash',
);
const BASE = {
  id: 'r',
  version: 1,
  name: 'a',
  place: 'x',
  items: [
    { id: 'l1', quantity: '1' },
    { id: 'l2', quantity: '2' },
  ],
};

describe('two versions of one record', () => {
  test('each place that somebody changed is a choice; who alone changed it is taken', () => {
    const mine = {
      ...BASE,
      name: 'mine',
      items: [
        { id: 'l1', quantity: '9' },
        { id: 'l2', quantity: '2' },
      ],
    };
    const theirs = { ...BASE, version: 2, name: 'theirs', place: 'y' };
    const conflicts = conflictsOf(NOTE, { base: BASE, mine, theirs });
    expect(conflicts.map(({ path, isBoth }) => [path, isBoth])).toEqual([
      ['name', true],
      ['place', false],
      ['items.l1.quantity', false],
    ]);
    const chosen = new Map(conflicts.map((conflict) => [conflict.path, defaultSide(conflict)]));
    expect(mergeVersions(NOTE, { mine, theirs }, chosen)).toMatchObject({
      version: 2,
      name: 'mine',
      place: 'y',
      items: [
        { id: 'l1', quantity: '9' },
        { id: 'l2', quantity: '2' },
      ],
    });
  });

  test('a line that I removed and one that I added come through', () => {
    const mine = { ...BASE, items: [{ id: 'l1', quantity: '1' }, { quantity: '7' }] };
    const theirs = { ...BASE, version: 2, items: [...BASE.items, { id: 'l3', quantity: '3' }] };
    const conflicts = conflictsOf(NOTE, { base: BASE, mine, theirs });
    const chosen = new Map(conflicts.map((conflict) => [conflict.path, defaultSide(conflict)]));
    const merged = mergeVersions(NOTE, { mine, theirs }, chosen);
    expect(merged['items']).toEqual([
      { id: 'l1', quantity: '1' },
      { id: 'l3', quantity: '3' },
      { quantity: '7' },
    ]);
  });

  test('a line that one side changed and the other removed is one question, and comes back when it is kept', () => {
    const mine = { ...BASE, items: [{ id: 'l1', quantity: '9' }] };
    const theirs = { ...BASE, version: 2, items: [{ id: 'l2', quantity: '8' }] };
    const conflicts = conflictsOf(NOTE, { base: BASE, mine, theirs });
    expect(conflicts).toMatchObject([
      { path: 'items.l2', title: '明细第2行', mine: null, theirs: { quantity: '8' }, isBoth: true },
      { path: 'items.l1', title: '明细第1行', mine: { quantity: '9' }, theirs: null, isBoth: true },
    ]);
    const merged = (side: 'mine' | 'theirs') =>
      mergeVersions(NOTE, { mine, theirs }, new Map(conflicts.map(({ path }) => [path, side])))['items'];
    expect(merged('theirs')).toEqual(theirs.items);
    // Its id is no more: it is a new line.
    expect(merged('mine')).toEqual([{ quantity: '9' }]);
  });

  test('a line is called by the number that it has before me, also where others of theirs are gone', () => {
    const theirs = { ...BASE, version: 2, items: [{ id: 'l2', quantity: '8' }] };
    const titles = conflictsOf(NOTE, { base: BASE, mine: BASE, theirs }).map(({ path, title }) => [
      path,
      title,
    ]);
    expect(titles).toEqual([
      ['items.l2.quantity', '明细第2行·数量'],
      ['items.l1', '明细第1行'],
    ]);
  });

  test('lines that both sides put in stand where each put them, numbered once', () => {
    const steps = (...lines: readonly (readonly [string | undefined, string])[]) =>
      lines.map(([id, what], at) => ({ ...(id === undefined ? {} : { id }), no: at + 1, what }));
    const base = { ...BASE, steps: steps(['s1', 'a'], ['s2', 'b']) };
    const mine = { ...base, steps: steps(['s1', 'a'], [undefined, 'mine'], ['s2', 'b']) };
    const theirs = { ...base, version: 2, steps: steps(['s1', 'a'], ['s2', 'b'], ['s3', 'theirs']) };
    expect(conflictsOf(NOTE, { base, mine, theirs }).map(({ path }) => path)).toEqual(['steps.s3']);
    expect(mergeVersions(NOTE, { mine, theirs }, new Map([['steps.s3', 'theirs']]))['steps']).toEqual([
      { id: 's1', no: 1, what: 'a' },
      { no: 2, what: 'mine' },
      { id: 's2', no: 3, what: 'b' },
      { id: 's3', no: 4, what: 'theirs' },
    ]);
  });

  test('what may not be written any more stays as it is saved', () => {
    const mine = { ...BASE, name: 'mine', place: 'mine', items: [...BASE.items, { quantity: '7' }] };
    const theirs = { ...BASE, version: 2, _editable: ['place'] };
    const conflicts = conflictsOf(NOTE, { base: BASE, mine, theirs });
    expect(conflicts.map(({ path, isClosed }) => [path, isClosed])).toEqual([
      ['name', true],
      ['place', false],
    ]);
    const chosen = new Map(conflicts.map((conflict) => [conflict.path, defaultSide(conflict)]));
    expect(mergeVersions(NOTE, { mine, theirs }, chosen)).toMatchObject({
      name: 'a',
      place: 'mine',
      items: BASE.items,
    });
  });

  test('of many differences those that need a choice are shown first, the others when asked for', () => {
    const lines = Array.from({ length: 12 }, (_, index) => ({ id: `l${index}`, quantity: '1' }));
    const base = { ...BASE, items: lines };
    const mine = { ...base, name: 'mine' };
    const theirs = {
      ...base,
      version: 2,
      name: 'theirs',
      items: lines.map((line) => ({ ...line, quantity: '2' })),
    };
    const conflicts = conflictsOf(NOTE, { base, mine, theirs });
    expect(shownConflicts(conflicts, false).map(({ path }) => path)).toEqual(['name']);
    expect(shownConflicts(conflicts, true)).toHaveLength(13);
    // Few are read at once, what both changed first.
    const few = conflictsOf(NOTE, { base, mine, theirs: { ...theirs, items: lines, place: 'y' } });
    expect(shownConflicts(few, false).map(({ path }) => path)).toEqual(['name', 'place']);
  });
});
