import type { RouteEntry } from '#contract/meta.ts';
import type { MenuEntry } from '#contract/shape.ts';

/**
 * Where somebody is in the menu: at the page itself, or, where it is not in there (a form, the details of a record), at the
 * list that it belongs to.
 */
export function menuPlace(
  menu: readonly MenuEntry[],
  routes: readonly RouteEntry[] | null,
  path: string,
): string {
  if (menuName(menu, path) !== null) return path;
  const list = routes?.find((route) => route.path === path)?.list?.split('?')[0];
  return list !== undefined && menuName(menu, list) !== null ? list : path;
}

/** What a page is called in the menu; null where it is not in there. */
export function menuName(menu: readonly MenuEntry[], path: string): string | null {
  for (const { url, name, list } of menu) {
    const found = url === path ? name : menuName(list, path);
    if (found !== null) return found;
  }
  return null;
}
