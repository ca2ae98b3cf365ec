/** What stands over a page, and menus that lead there: focus in them is not where one came from. */
const LAYERS = '.ant-modal-root, .ant-modal-wrap, .ant-drawer, .ant-dropdown, .ant-popover';
/** Where one was, should what opened a dialog be gone by its end: a row, a menu that has shut. */
const REMEMBERED = 6;

/**
 * Gives the focus back to where it was when a dialog, drawer or bubble goes away without doing so itself, as those do that are
 * taken out of the page when they are done. Whoever works by keys would else begin at the top of the page.
 * @returns what ends it
 */
export function returnFocus(page: Document): () => void {
  const places: Element[] = [];
  const remember = ({ target }: FocusEvent): void => {
    if (!(target instanceof HTMLElement) || target === page.body || target.closest(LAYERS) !== null) return;
    if (places.at(-1) !== target) places.push(target);
    if (places.length > REMEMBERED) places.shift();
  };
  const watch = new MutationObserver((changes) => {
    if (!changes.some(({ removedNodes }) => [...removedNodes].some(isLayer))) return;
    // Something took it on purpose, or another dialog is still there.
    if (page.activeElement !== page.body && page.activeElement !== null) return;
    const place = places.findLast((one) => one.isConnected && isSeen(one));
    if (place instanceof HTMLElement) place.focus({ preventScroll: true });
  });
  page.addEventListener('focusin', remember);
  // Dialogs and drawers are put at the end of the body.
  watch.observe(page.body, { childList: true });
  return () => {
    page.removeEventListener('focusin', remember);
    watch.disconnect();
  };
}

function isLayer(node: Node): boolean {
  if (!(node instanceof Element)) return false;
  const layers = '.ant-modal-root, .ant-drawer, .ant-popover';
  return node.matches(layers) || node.querySelector(layers) !== null;
}

function isSeen(element: Element): boolean {
  return typeof element.checkVisibility !== 'function' || element.checkVisibility();
}
