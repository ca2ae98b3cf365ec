import { describe, expect, it } from 'vitest';
import type { MenuGroup } from '#engine/schema/resource.ts';
import { readJson, shippedDefinitions } from './shipped-definitions.ts';

type Route = readonly [
  path: string,
  resource: string,
  kind: string,
  title: string,
  audience: string,
  guard: string,
  where: string,
];

const routes = readJson<readonly Route[]>('tests/resources/expected-routes.json');
const { catalog, setup } = shippedDefinitions();
const pages = Object.values(catalog?.resources ?? {}).flatMap((resource) =>
  resource.pages.map((page) => ({ ...page, resource: resource.resource })),
);

describe('routes', () => {
  it('are those of the site map, with its titles and readers', () => {
    const found = pages.map((page) => [
      page.route,
      page.resource,
      page.kind,
      page.title,
      page.audience ?? 'both',
      page.guard ?? 'login',
    ]);
    expect(sorted(found)).toEqual(sorted(routes.map((route) => route.slice(0, 6))));
  });

  it.each(routes.filter(([, , , , , , where]) => where !== ''))('%s is filtered', (path, ...rest) => {
    const where = JSON.stringify(pages.find(({ route }) => route === path)?.where ?? {});
    for (const part of String(rest.at(-1)).split(/;| or /)) {
      const [, field = '', value = ''] = /^(\w+)(?: not in | in |=)\(?([^)]*)\)?$/.exec(part) ?? [];
      expect(where).toContain(`"${field}"`);
      for (const one of value.split(',')) expect(where).toContain(one === '1' ? 'true' : `"${one}"`);
    }
  });

  it('of the menu all exist, and the guarded ones are in it', () => {
    const known = new Set([...pages, ...setup.pages].map(({ route }) => route));
    const listed = setup.menu.flatMap(menuRoutes);
    expect(listed.filter((route) => !known.has(route))).toEqual([]);
    const guarded = pages.filter(({ guard }) => guard === 'menu').map(({ route }) => route);
    expect(guarded.filter((route) => !listed.includes(route))).toEqual([]);
  });
});

function menuRoutes(group: MenuGroup): readonly string[] {
  return group.items.flatMap((item) => (typeof item === 'string' ? [item] : menuRoutes(item)));
}

function sorted(rows: readonly (readonly unknown[])[]): readonly string[] {
  return rows.map((row) => row.join(' | ')).sort();
}
