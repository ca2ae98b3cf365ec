import { ADDRESS } from '#web/data/addresses.ts';
import { createRoot, hydrateRoot } from 'react-dom/client';
import { noteFault } from '#web/faults/fault-boundary.tsx';
import { FaultView } from '#web/faults/fault-view.tsx';
import { keepLookShown } from '#web/data/look.ts';
import { loadSite } from '#web/data/site.ts';
import { clearStored, LOGIN_REASON_KEY, storedAuthorization, storedPerson } from '#web/data/stored-person.ts';
import { isAsWritten } from '#web/features/login/login-page.tsx';
import { BLOCKED_TEXT, guard, guardAtOnce, isGuardedAtOnce, withoutToken } from '#web/app/guard.ts';
import { isOutside, leadsNowhere, outsidePage } from '#web/app/outside-pages.tsx';
import { ROOT } from '#web/app/root.ts';
import { showSignedIn } from '#web/app/show-signed-in.ts';
import './styles/tokens.css';
import './styles/base.css';

/** Two ways in: a page outside the layout, light; or the shell with everything else. */
async function start(): Promise<void> {
  keepLookShown();
  await loadSite();
  const element = document.getElementById('root');
  if (element === null) return;
  if (location.pathname === '/') history.replaceState(null, '', `/login${location.search}`);
  const path = location.pathname;
  const query = new URLSearchParams(location.search);
  // Guard step 1 (spec section 4).
  if (path === ADDRESS.login || path === ADDRESS.register) clearStored();
  if (path === ADDRESS.login && isAsWritten(element.dataset['login'])) {
    ROOT.current = hydrateRoot(element, outsidePage(path));
    return;
  }
  ROOT.current = createRoot(element);
  if (isOutside(path)) return ROOT.current.render(outsidePage(path));
  // The whole guard before the shell is loaded: nothing is asked of the server without a session.
  if (!isGuardedAtOnce(query)) {
    await guard(path, query);
    history.replaceState(null, '', withoutToken(path, query));
  }
  // What a browser has lost or somebody has written over is no session: there would be nobody to show the page to.
  if (storedAuthorization() !== null && storedPerson() === null) clearStored();
  if (storedAuthorization() === null) {
    if (await leadsNowhere(path)) return ROOT.current.render(outsidePage(path));
    if (guardAtOnce(path) === 'blocked') sessionStorage.setItem(LOGIN_REASON_KEY, BLOCKED_TEXT);
    history.replaceState(null, '', `${ADDRESS.login}?back=${encodeURIComponent(path + location.search)}`);
    return ROOT.current.render(outsidePage(ADDRESS.login));
  }
  await showSignedIn();
}

function showFault(fault: unknown): void {
  noteFault(fault);
  ROOT.current?.render(
    <FaultView what="系统界面" isSmall={false} fault={fault} onRetry={() => location.reload()} />,
  );
}

window.addEventListener('error', ({ error }) => noteFault(error));
window.addEventListener('unhandledrejection', ({ reason }) => noteFault(reason));
start().catch(showFault);
