import type { Person } from '#web/data/stored-person.ts';
import { http } from '#web/data/http.ts';
import { type MenuEntry, storePerson, storedAuthorization, storedMenu } from '#web/data/stored-person.ts';

/** The navigation guard of spec section 4, in its order. Step 1 (login and registration clear everything) happens where those pages start. */
export type GuardAnswer = 'proceed' | 'login' | 'blocked';

export const PUBLIC_PATHS: ReadonlySet<string> = new Set(['/fapiao', '/cyfp', '/gysqh', '/wzkf/sxsqsh']);
const MENU_GUARDED: ReadonlySet<string> = new Set([
  '/user/bbpz',
  '/user/role',
  '/user/xxly',
  '/gggl/xwlb',
  '/baseinfo/currency',
  '/customer/seller',
  '/customer/goods',
  '/system/banks',
  '/system/cnaps',
  '/system/skyh',
]);

/** Whether an address may be shown. A link with erpToken signs in silently first; the server judges the token. */
export async function guard(path: string, query: URLSearchParams): Promise<GuardAnswer> {
  if (PUBLIC_PATHS.has(path)) return 'proceed';
  const [erpToken, id] = [query.get('erpToken'), query.get('id')];
  if (erpToken !== null && id !== null && (await signInSilently(id, erpToken))) return 'proceed';
  if (MENU_GUARDED.has(path) && storedAuthorization() !== null)
    return isInMenu(storedMenu(), path) ? 'proceed' : 'blocked';
  return storedAuthorization() === null ? 'login' : 'proceed';
}

/** True where no silent sign-in is asked for, so that the answer is known at once. */
export function isGuardedAtOnce(query: URLSearchParams): boolean {
  return query.get('erpToken') === null || query.get('id') === null;
}

/** The guard's answer when nothing has to be asked of the server. */
export function guardAtOnce(path: string): GuardAnswer {
  if (PUBLIC_PATHS.has(path)) return 'proceed';
  if (storedAuthorization() === null) return 'login';
  if (MENU_GUARDED.has(path)) return isInMenu(storedMenu(), path) ? 'proceed' : 'blocked';
  return 'proceed';
}

export function isInMenu(menu: readonly MenuEntry[], path: string): boolean {
  return menu.some((entry) => entry.url.split('?')[0] === path || isInMenu(entry.list, path));
}

async function signInSilently(id: string, erpToken: string): Promise<boolean> {
  try {
    storePerson(await http.post<Person>('/sys/login', { id, erpToken }));
    return true;
  } catch {
    return false;
  }
}
