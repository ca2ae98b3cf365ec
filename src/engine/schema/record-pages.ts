import type { Filter } from './definition.ts';
import type { PageDefinition } from './layout-definition.ts';
import type { Resource } from './resource.ts';

/** Pages that show a record of any resource, named by the parameter `resource`. */
export const RECORD_ROUTES = { details: '/index/dj', edit: '/index/djbj' } as const;

/**
 * The pages of a resource, with those for all where a document has neither details nor a form of its own, or a resource
 * has no page at all: each record can be linked, opened in a tab, and begun from another. A document with details alone
 * gets the form for all too; its lists go on editing beside themselves. Where the details of its own are
 * of other records than one of its lists, links lead to the details for all, so that none opens as what it is not.
 */
export function recordPages({
  resource,
  title,
  kind,
  pages,
}: Pick<Resource, 'resource' | 'title' | 'kind' | 'pages'>): readonly PageDefinition[] {
  const hasOwn = pages.some((page) => page.kind === 'details' || page.kind === 'edit');
  const details = `${RECORD_ROUTES.details}?resource=${resource}`;
  const edit = `${RECORD_ROUTES.edit}?resource=${resource}`;
  const unshown = pages.find((page) => isUnshownList(page, pages));
  if (unshown !== undefined)
    return [{ route: details, kind: 'details', title, ...besideList(unshown) }, ...pages];
  if (kind === 'document' && hasOwn && !pages.some((page) => page.kind === 'edit')) {
    const list = besideList(pages.find((page) => page.kind === 'list'));
    return [...pages, { route: edit, kind: 'edit', title: `${title}编辑`, ...list }];
  }
  if (hasOwn || kind === 'view' || (kind !== 'document' && pages.length > 0)) return pages;
  const rest = besideList(pages.find((page) => page.kind === 'list'));
  return [
    ...pages.map((page) => (page.kind === 'list' ? { details, edit, ...page } : page)),
    { route: details, kind: 'details', title, ...rest },
    { route: edit, kind: 'edit', title: `${title}编辑`, ...rest },
  ];
}

function besideList(list: PageDefinition | undefined): Pick<PageDefinition, 'list' | 'audience'> {
  return {
    ...(list === undefined ? {} : { list: list.route }),
    ...(list?.audience === undefined ? {} : { audience: list.audience }),
  };
}

/** A list that leads to no details, while all details there are show other records than its own. */
function isUnshownList(list: PageDefinition, pages: readonly PageDefinition[]): boolean {
  const details = pages.filter((page) => page.kind === 'details');
  if (list.kind !== 'list' || list.details !== undefined || details.length === 0) return false;
  return details.every((page) => isApart(list.where, page.where));
}

/** Two conditions that no record meets both: one field has to equal different values. */
function isApart(one: Filter | undefined, other: Filter | undefined): boolean {
  return Object.entries(one ?? {}).some(([name, asked]) => {
    const [mine, theirs] = [equalTo(asked), equalTo(other?.[name])];
    return mine !== null && theirs !== null && mine !== theirs;
  });
}

function equalTo(condition: unknown): string | null {
  if (typeof condition !== 'object' || condition === null || !('eq' in condition)) return null;
  return typeof condition.eq === 'string' ? condition.eq : null;
}
