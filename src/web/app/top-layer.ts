/** What stands over a page, and what closes it: the first that is there, else a click beside its content. */
const CLOSERS: Readonly<Record<string, readonly string[]>> = {
  // A question is answered with no.
  '.ant-modal-wrap': [
    '.ant-modal-close',
    '.ant-modal-confirm-btns > button:not(.ant-btn-primary)',
    '.ant-modal-confirm-btns > button',
  ],
  '.ant-drawer-open': ['.ant-drawer-close'],
  // The menu on phones.
  '.menu-shade': [],
};

/** The dialog or drawer in front, null when there is none; one that is going away already does not count. */
export function topLayer(): HTMLElement | null {
  const open = [...document.querySelectorAll<HTMLElement>(Object.keys(CLOSERS).join(','))].filter(isStanding);
  // Of two at the same height the later one is in front.
  return open.reduce<HTMLElement | null>(
    (top, layer) => (top !== null && heightOf(layer) < heightOf(top) ? top : layer),
    null,
  );
}

/** Dialogs and drawers that are there, hidden ones too. */
export function keptLayers(): Iterable<Element> {
  return document.querySelectorAll('.ant-modal-wrap, .ant-drawer');
}

/** Closes the layer in front as its own button does, which may ask about what was typed. */
export function closeTopLayer(): void {
  const layer = topLayer();
  if (layer === null) return;
  const closers = Object.entries(CLOSERS).find(([kind]) => layer.matches(kind))?.[1] ?? [];
  const [button] = closers.flatMap((closer) => [...layer.querySelectorAll<HTMLElement>(closer)]);
  (button ?? layer).click();
}

function isStanding(layer: HTMLElement): boolean {
  return layer.getClientRects().length > 0 && layer.querySelector(':scope > [class*="-leave"]') === null;
}

function heightOf(layer: HTMLElement): number {
  const height = Number(getComputedStyle(layer).zIndex);
  return Number.isNaN(height) ? 0 : height;
}
