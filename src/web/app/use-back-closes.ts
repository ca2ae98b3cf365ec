import { useEffect, useMemo, useRef } from 'react';
import { NavigationType, useBlocker, useLocation, useNavigate, useNavigationType } from 'react-router-dom';
import { isFirstPage } from './first-page.ts';
import { closeTopLayer, keptLayers, topLayer } from './top-layer.ts';

/** Marks the entry that a page without any before it gets while something stands over it. */
const STAND_IN = { isStandIn: true };

/**
 * The browser's Back closes the dialog or drawer in front, as its own close button does, and leaves the page only when
 * none is open. Nothing is put into the history for it, so Forward finds pages only. On the first page of a window Back
 * would leave the program: there an entry that stands in is put behind it when something opens, and stays. It is never
 * taken away by going back: whatever else led on at that moment would be undone.
 */
export function useBackCloses(isMenuOpen: boolean): void {
  const navigate = useNavigate();
  const location = useLocation();
  const blocker = useBlocker(
    ({ historyAction }) => historyAction === NavigationType.Pop && topLayer() !== null,
  );
  const { key } = location;
  const type = useNavigationType();
  // Told by the page that is shown: while Back is being taken back the history stands at another one.
  // oxlint-disable-next-line react-hooks/exhaustive-deps
  const isFirst = useMemo(() => type !== NavigationType.Push && isFirstPage(), [key, type]);
  useEffect(() => {
    if (blocker.state !== 'blocked') return undefined;
    const close = () => {
      blocker.reset();
      closeTopLayer();
    };
    // What follows may go on in the history: only once it is back where it was.
    if (entryKey() === key) return close();
    window.addEventListener('popstate', close, { once: true });
    return () => window.removeEventListener('popstate', close);
  }, [blocker, key]);
  const isStandIn = isStandInState(location.state);
  const address = location.pathname + location.search + location.hash;
  const before = useRef({ isStandIn, address });
  useEffect(() => {
    const was = before.current;
    before.current = { isStandIn, address };
    // Back from the entry that stood in comes to the same page once more: it goes on to where Back was meant to lead.
    const isTwice = was.isStandIn && was.address === address;
    if (isTwice && isFirst && type === NavigationType.Pop) void navigate(-1);
  }, [navigate, key, isFirst, isStandIn, type, address]);
  useEffect(() => {
    // A page with an entry before it has all it needs.
    if (!isFirst) return undefined;
    const look = () => {
      if (topLayer() === null) return;
      // As the history has it: a form that was just saved may have another address than is drawn yet.
      const { pathname, search, hash } = window.location;
      void navigate(pathname + search + hash, { state: STAND_IN });
    };
    // They are put at the end of the body; some stay there while they are hidden.
    const watch = new MutationObserver(() => follow());
    const follow = () => {
      watch.observe(document.body, { childList: true });
      for (const layer of keptLayers())
        watch.observe(layer, { attributes: true, attributeFilter: ['class', 'style'] });
      look();
    };
    follow();
    return () => watch.disconnect();
  }, [navigate, address, isFirst, isMenuOpen]);
}

/** The router's name of the entry at which the browser's history stands. */
function entryKey(): string {
  const state: unknown = window.history.state;
  return typeof state === 'object' && state !== null && 'key' in state ? String(state.key) : 'default';
}

function isStandInState(state: unknown): boolean {
  return typeof state === 'object' && state !== null && 'isStandIn' in state;
}
