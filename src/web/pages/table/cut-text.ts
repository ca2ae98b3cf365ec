import type { MouseEvent } from 'react';

/** A text that is cut says the whole of itself on hover; looked at only then. */
export function tellCutText({ target }: MouseEvent<HTMLElement>): void {
  const cell = target instanceof Element ? target.closest<HTMLElement>('td, th') : null;
  if (cell === null || (cell.title !== '' && cell.dataset['cut'] === undefined)) return;
  const inner = cell.firstElementChild;
  const isCut =
    cell.scrollWidth > cell.clientWidth ||
    (inner instanceof HTMLElement && inner.scrollWidth > inner.clientWidth);
  cell.title = isCut ? (cell.textContent?.trim() ?? '') : '';
  cell.dataset['cut'] = '';
}
