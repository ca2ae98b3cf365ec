import { describe, expect, test } from 'vitest';
import { expandResource } from '#engine/schema/expand-resource.ts';
import { conflictsOf, defaultSide, mergeVersions } from '#web/pages/form/merge-versions.ts';

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
});
