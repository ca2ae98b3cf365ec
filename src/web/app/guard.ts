import { MENU_GUARDED, PUBLIC_PATHS } from '#web/data/addresses.ts';
import { callApi } from '#web/data/http.ts';
import type { MenuEntry } from '#contract/shape.ts';
import { storePerson, storedAuthorization, storedMenu } from '#web/data/stored-person.ts';

/** The navigation guard of spec section 4, in its order. Step 1 (login and registration clear everything) happens where those pages start. */
export type GuardAnswer = 'proceed' | 'login' | 'blocked';

/** Pages that a link with erpToken opened in this window: step 3 proceeds before the menu is asked. */
const openedByToken = new Set<string>();

/** Whether an address may be shown. A link with erpToken signs in silently first; the server judges the token. */
export async function guard(path: string, query: URLSearchParams): Promise<GuardAnswer> {
  const [erpToken, id] = [query.get('erpToken'), query.get('id')];
  if (!PUBLIC_PATHS.has(path) && erpToken !== null && id !== null && (await signInSilently(id, erpToken)))
    openedByToken.add(path);
  return guardAtOnce(path);
}

/** True where no silent sign-in is asked for, so that the answer is known at once. */
export function isGuardedAtOnce(query: URLSearchParams): boolean {
  return query.get('erpToken') === null || query.get('id') === null;
}

/** The guard's answer when nothing has to be asked of the server. */
export function guardAtOnce(path: string): GuardAnswer {
  const isSignedIn = storedAuthorization() !== null;
  if (PUBLIC_PATHS.has(path) || (isSignedIn && openedByToken.has(path))) return 'proceed';
  if (MENU_GUARDED.has(path) && !isInMenu(storedMenu(), path)) return 'blocked';
  return isSignedIn ? 'proceed' : 'login';
}

/** The address without its erpToken: kept in the history it could be used all day by whoever sees it. */
export function withoutToken(path: string, query: URLSearchParams): string {
  const rest = new URLSearchParams(query);
  rest.delete('erpToken');
  return rest.size === 0 ? path : `${path}?${rest.toString()}`;
}

/** What is said when the menu does not have the page. */
export const BLOCKED_TEXT = '您没有访问该页面的权限';

export function isInMenu(menu: readonly MenuEntry[], path: string): boolean {
  return menu.some((entry) => entry.url.split('?')[0] === path || isInMenu(entry.list, path));
}

async function signInSilently(id: string, erpToken: string): Promise<boolean> {
  try {
    storePerson(await callApi('POST /sys/login', { body: { id, erpToken } }));
    return true;
  } catch {
    return false;
  }
}
