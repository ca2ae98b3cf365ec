import type { SetupPage } from '#engine/schema/setup-files.ts';
import type { MenuEntry } from '#contract/shape.ts';
import type { MenuGroup, Resource } from '#engine/schema/resource.ts';

/** A page and the resource it shows; null for hand-written pages. */
export interface RoutePage {
  readonly page: SetupPage;
  readonly resource: Resource | null;
}

/** Whether the person may open a page. */
export type PageGate = (page: RoutePage) => boolean;

/** Every page of the definitions by its route. */
export function routePages(
  resources: Readonly<Record<string, Resource>>,
  pages: readonly SetupPage[],
): ReadonlyMap<string, RoutePage> {
  const known = new Map<string, RoutePage>();
  for (const resource of Object.values(resources))
    for (const page of resource.pages) known.set(page.route, { page, resource });
  for (const page of pages) if (!known.has(page.route)) known.set(page.route, { page, resource: null });
  return known;
}

/** The menu of one person, in the order of setup/menu.json: what the gate opens, less the role's hidden paths; empty groups are left out. */
export function buildMenu(
  groups: readonly MenuGroup[],
  routes: ReadonlyMap<string, RoutePage>,
  may: {
    readonly open: PageGate;
    readonly hiddenPaths: readonly string[];
    readonly titleOf?: (page: RoutePage) => string;
  },
): readonly MenuEntry[] {
  const hidden = new Set(may.hiddenPaths);
  return groups.flatMap((group) => {
    const list = group.items.flatMap((item): readonly MenuEntry[] => {
      if (typeof item !== 'string') return buildMenu([item], routes, may);
      const found = routes.get(item);
      if (found === undefined || hidden.has(item) || !may.open(found)) return [];
      return [{ url: item, name: (may.titleOf ?? titleOf)(found), list: [] }];
    });
    return list.length === 0
      ? []
      : [{ url: '', name: group.title, list, ...(group.icon === undefined ? {} : { icon: group.icon }) }];
  });
}

/** The same for customers, in their words. */
export function partnersTitleOf(found: RoutePage): string {
  return found.page.partnerTitle ?? titleOf(found);
}

/** A page's own title, else its resource's. */
export function titleOf({ page, resource }: RoutePage): string {
  return page.title ?? resource?.title ?? page.route;
}
