import type { ResourceProps } from '@refinedev/core';
import type { ResourceEntry } from '#contract/meta.ts';

/** refine's resources, from the definitions that the role got: names, titles and the routes of their first pages. */
export function refineResources(entries: readonly ResourceEntry[]): ResourceProps[] {
  return entries.map(({ resource, title, pages, operations }) => {
    const routeOf = (kind: string) => pages.find((page) => page.kind === kind)?.route;
    const [list, edit, show] = [routeOf('list'), routeOf('edit'), routeOf('details')];
    return {
      name: resource,
      ...(list === undefined ? {} : { list }),
      ...(edit === undefined ? {} : { create: edit, edit: withId(edit, 'id'), clone: withId(edit, 'copy') }),
      ...(show === undefined ? {} : { show: withId(show, 'id') }),
      meta: { label: title, canDelete: operations.includes('delete') },
    };
  });
}

/** The address as refine fills it in. */
function withId(route: string, name: 'id' | 'copy'): string {
  return `${route}${route.includes('?') ? '&' : '?'}${name}=:id`;
}
