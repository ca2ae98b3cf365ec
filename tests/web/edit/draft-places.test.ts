import { describe, expect, test } from 'vitest';
import { type Draft, draftPlaces, newPlace, setAside } from '#web/pages/form/draft-store.ts';

const draft = (key: string, text: string): Draft => ({
  key,
  savedAt: '2026-03-01T08:00:00.000Z',
  version: null,
  base: null,
  form: { record: { text }, keys: {} },
  pending: null,
});

describe('where unsaved work lies', () => {
  test('that of an empty form, of copies and of what is made from a document, each by itself', () => {
    const made = { resource: 'a', id: '1', make: 'b' };
    // As they were called before copies had their own.
    expect(newPlace('/edit', { madeFrom: null, copyOf: null })).toBe('/edit');
    expect(newPlace('/edit', { madeFrom: made, copyOf: null })).toBe(`/edit ${JSON.stringify(made)}`);
    const copies = ['1', '2'].map((copyOf) => newPlace('/edit', { madeFrom: null, copyOf }));
    expect(new Set(['/edit', ...copies]).size).toBe(3);
  });

  test('what is offered goes aside once, before new work takes its place', () => {
    const [key = '', aside = ''] = draftPlaces('k');
    const offers = [draft(key, 'offered')];
    const moved = setAside(offers, key);
    expect(moved).toEqual([draft(aside, 'offered')]);
    expect(setAside(moved, key)).toBe(moved);
    expect(setAside([], key)).toEqual([]);
  });

  test('of two that nobody answered the newer one goes aside', () => {
    const [key = '', aside = ''] = draftPlaces('k');
    expect(setAside([draft(key, 'newer'), draft(aside, 'older')], key)).toEqual([draft(aside, 'newer')]);
  });
});
