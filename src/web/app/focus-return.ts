import { topLayer } from './top-layer.ts';

/** What stands over a page, and menus that lead there: focus in them is not where one came from. */
const LAYERS = '.ant-modal-root, .ant-drawer, .ant-dropdown, .ant-popover';
/** Where one was, should what opened a dialog be gone by its end: a row, a menu that has shut. */
const REMEMBERED = 6;

/**
 * Gives the focus back to where it was when a dialog, drawer or bubble goes away without doing so itself, as those do that
 * are taken out of the page when they are done. Whoever works by keys would else begin at the top of the page.
 * @returns what ends it
 */
export function returnFocus(page: Document): () => void {
  const onPage: HTMLElement[] = [];
  const inLayers: HTMLElement[] = [];
  let isInLayer = false;
  const remember = ({ target }: FocusEvent): void => {
    if (!(target instanceof HTMLElement) || target === page.body) return;
    isInLayer = target.closest(LAYERS) !== null;
    const places = isInLayer ? inLayers : onPage;
    if (places.at(-1) !== target) places.push(target);
    if (places.length > REMEMBERED) places.shift();
  };
  // What is taken out is empty by then: it counts that the focus was in it and is nowhere now.
  const watch = new MutationObserver((changes) => {
    if (!isInLayer || changes.every(({ removedNodes }) => removedNodes.length === 0)) return;
    if (page.activeElement !== page.body && page.activeElement !== null) return;
    const layer = topLayer();
    const places = layer === null ? onPage : inLayers.filter((place) => layer.contains(place));
    places.findLast((place) => place.isConnected && isSeen(place))?.focus({ preventScroll: true });
  });
  page.addEventListener('focusin', remember);
  // Dialogs and drawers are put at the end of the body.
  watch.observe(page.body, { childList: true });
  return () => {
    page.removeEventListener('focusin', remember);
    watch.disconnect();
  };
}

function isSeen(element: HTMLElement): boolean {
  return typeof element.checkVisibility !== 'function' || element.checkVisibility();
}
