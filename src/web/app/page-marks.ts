import { useCallback, useEffect, useSyncExternalStore } from 'react';
import { keepValue, keptValue } from '#web/data/kept-values.ts';
import { tabKey } from './tab-store.ts';

/** A page that somebody comes back to. */
export interface PageMark {
  readonly address: string;
  readonly title: string;
}

export interface PageMarks {
  readonly recent: readonly PageMark[];
  readonly favourites: readonly PageMark[];
}

const MAXIMUM_RECENT = 12;
const MAXIMUM_FAVOURITES = 30;
const NONE: PageMarks = { recent: [], favourites: [] };

/** The marks after a page was looked at: it stands first, once, by the address that it had last. */
export function visited(marks: PageMarks, mark: PageMark): PageMarks {
  const others = marks.recent.filter((other) => !isSamePage(other, mark));
  return { ...marks, recent: [mark, ...others].slice(0, MAXIMUM_RECENT) };
}

/** The marks with a page put among the favourites, or taken from them. */
export function toggledFavourite(marks: PageMarks, mark: PageMark): PageMarks {
  const others = marks.favourites.filter((other) => !isSamePage(other, mark));
  if (others.length < marks.favourites.length) return { ...marks, favourites: others };
  return { ...marks, favourites: [...others, mark].slice(-MAXIMUM_FAVOURITES) };
}

/** A list is one page, whatever it is filtered by. */
function isSamePage(one: PageMark, other: PageMark): boolean {
  return tabKey(one.address) === tabKey(other.address);
}

let owner = '';
let current = NONE;
const listeners = new Set<() => void>();

/** Recent and favourite pages of a person, kept over logins on this computer. */
export function usePageMarks(person: string): {
  readonly marks: PageMarks;
  readonly visit: (mark: PageMark) => void;
  readonly toggle: (mark: PageMark) => void;
} {
  const marks = useSyncExternalStore(subscribe, () => current);
  useEffect(() => {
    if (owner === person) return;
    owner = person;
    set(NONE);
    void keptValue(keyOf(person)).then((kept) => {
      // Pages visited while it was read stay in front.
      if (owner === person && isMarks(kept)) set(current.recent.reduceRight(visited, kept));
    });
  }, [person]);
  const change = useCallback(
    (next: PageMarks) => {
      set(next);
      void keepValue(keyOf(person), next);
    },
    [person],
  );
  return {
    marks,
    visit: useCallback((mark) => change(visited(current, mark)), [change]),
    toggle: useCallback((mark) => change(toggledFavourite(current, mark)), [change]),
  };
}

function keyOf(person: string): string {
  return `pages|${person}`;
}

function set(marks: PageMarks): void {
  current = marks;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function isMarks(value: unknown): value is PageMarks {
  return typeof value === 'object' && value !== null && 'recent' in value && 'favourites' in value;
}
