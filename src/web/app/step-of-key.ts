import type { KeyboardEvent } from 'react';

const STEPS: Readonly<Record<string, -1 | 1>> = {
  ArrowLeft: -1,
  ArrowUp: -1,
  ArrowRight: 1,
  ArrowDown: 1,
};

type Pressed = Pick<KeyboardEvent, 'key' | 'altKey' | 'shiftKey' | 'ctrlKey' | 'metaKey'>;

/** Where Alt+Shift and an arrow move what has the focus: one place before or after; null for every other key. */
export function moveOfKey({ key, altKey, shiftKey, ctrlKey, metaKey }: Pressed): -1 | 1 | null {
  return altKey && shiftKey && !ctrlKey && !metaKey ? (STEPS[key] ?? null) : null;
}

/** Where an arrow alone moves a separator. */
export function stepOfKey({ key, altKey, shiftKey, ctrlKey, metaKey }: Pressed): -1 | 1 | null {
  return altKey || shiftKey || ctrlKey || metaKey ? null : (STEPS[key] ?? null);
}

/** What a key does in the head of a column. */
export type HeadKey =
  { readonly does: 'go' | 'size'; readonly step: -1 | 1 } | { readonly does: 'filter' } | null;

/** Arrows go from head to head, with Shift they make the column wider and narrower; Alt and down opens its filter. */
export function headKeyOf({ key, altKey, shiftKey, ctrlKey, metaKey }: Pressed): HeadKey {
  if (ctrlKey || metaKey) return null;
  if (altKey) return key === 'ArrowDown' && !shiftKey ? { does: 'filter' } : null;
  if (key !== 'ArrowLeft' && key !== 'ArrowRight') return null;
  return { does: shiftKey ? 'size' : 'go', step: key === 'ArrowLeft' ? -1 : 1 };
}

/** How a name goes one place on among those shown: which is put in front of which; null at the ends. */
export function steppedName(
  shown: readonly string[],
  name: string,
  step: -1 | 1,
): { readonly moved: string; readonly before: string } | null {
  const neighbour = shown[shown.indexOf(name) + step];
  if (neighbour === undefined || !shown.includes(name)) return null;
  return step < 0 ? { moved: name, before: neighbour } : { moved: neighbour, before: name };
}
