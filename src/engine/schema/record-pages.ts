import type { PageDefinition } from './layout-definition.ts';
import type { Resource } from './resource.ts';

/** Pages that show a record of any resource, named by the parameter `resource`. */
export const RECORD_ROUTES = { details: '/index/dj', edit: '/index/djbj' } as const;

/**
 * The pages of a resource, with those for all where a document has neither details nor a form of its own, or a resource
 * has no page at all: each record can be linked, opened in a tab, and begun from another.
 */
export function recordPages({
  resource,
  title,
  kind,
  pages,
}: Pick<Resource, 'resource' | 'title' | 'kind' | 'pages'>): readonly PageDefinition[] {
  const hasOwn = pages.some((page) => page.kind === 'details' || page.kind === 'edit');
  if (hasOwn || kind === 'view' || (kind !== 'document' && pages.length > 0)) return pages;
  const details = `${RECORD_ROUTES.details}?resource=${resource}`;
  const edit = `${RECORD_ROUTES.edit}?resource=${resource}`;
  const list = pages.find((page) => page.kind === 'list');
  const rest = {
    ...(list === undefined ? {} : { list: list.route }),
    ...(list?.audience === undefined ? {} : { audience: list.audience }),
  };
  return [
    ...pages.map((page) => (page.kind === 'list' ? { details, edit, ...page } : page)),
    { route: details, kind: 'details', title, ...rest },
    { route: edit, kind: 'edit', title: `${title}编辑`, ...rest },
  ];
}
