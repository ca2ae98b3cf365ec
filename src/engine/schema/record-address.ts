import type { Filter } from './definition.ts';
import type { PageDefinition } from './layout-definition.ts';
import type { ErpRecord } from './resource.ts';

type Pages = readonly Pick<PageDefinition, 'route' | 'kind'>[];
type PagesWithConditions = readonly Pick<PageDefinition, 'route' | 'kind' | 'where'>[];
type PagesWithLists = readonly Pick<PageDefinition, 'route' | 'kind' | 'edit' | 'details'>[];

/** Where a record is shown: its details, else its form, else the list with it alone; null without a page. */
export function recordAddress(pages: PagesWithConditions, id: string): string | null {
  const route = routeOfKind(pages, 'details') ?? routeOfKind(pages, 'edit');
  return route === null ? listAddress(pages, { id: { eq: id } }) : addressOf(route, { id });
}

/**
 * The list of a condition (null: of everything), and of nothing less: what a page is narrowed to itself is a view, no
 * right, and what was counted may stand outside it. It is the page that is narrowed by the fewest fields, and says so
 * in its address (`all`) where it is to look past that. Null without a list.
 */
export function listAddress(pages: PagesWithConditions, condition: Filter | null): string | null {
  const [list] = pages
    .filter(({ kind }) => kind === 'list')
    .toSorted((one, other) => narrowingFields(one) - narrowingFields(other));
  if (list === undefined) return null;
  return addressOf(list.route, {
    ...(condition === null ? {} : { c: JSON.stringify(condition) }),
    ...(narrowingFields(list) === 0 ? {} : { all: '1' }),
  });
}

function narrowingFields({ where }: Pick<PageDefinition, 'where'>): number {
  return Object.keys(where ?? {}).length;
}

/**
 * The details of the records that this one is among, where those of `page` are of others (a payment of goods on the page
 * of premiums); null where it stands on the right page, or none is.
 */
export function fittingDetails(
  pages: readonly Pick<PageDefinition, 'route' | 'kind' | 'where'>[],
  page: Pick<PageDefinition, 'where'>,
  record: ErpRecord,
): string | null {
  if (meets(page.where, record)) return null;
  return pages.find(({ kind, where }) => kind === 'details' && meets(where, record))?.route ?? null;
}

/** No value that a page asks for is another in the record; what the reader does not see is not asked about. */
function meets(where: PageDefinition['where'], record: ErpRecord): boolean {
  return Object.entries(where ?? {}).every(([name, asked]: [string, unknown]) => {
    const value: unknown = typeof asked === 'object' && asked !== null ? Reflect.get(asked, 'eq') : undefined;
    return value === undefined || record[name] === undefined || record[name] === value;
  });
}

/** The details that belong to a form: those of the list that leads to it, else the first; null without any. */
export function detailsBesideForm(pages: PagesWithLists, form: string): string | null {
  const list = pages.find(({ edit, details }) => edit === form && details !== undefined);
  return list?.details ?? routeOfKind(pages, 'details');
}

/** Where a start leads: whoever wants to write something new is led to the form, not to the list that it is begun from. */
export function startAddress(
  pages: PagesWithLists,
  start: { readonly do: string; readonly route: string },
): string {
  const list = pages.find(({ route, kind }) => route === start.route && kind === 'list');
  if (start.do !== 'create' || list === undefined) return start.route;
  return list.edit ?? routeOfKind(pages, 'edit') ?? start.route;
}

/** The first page of a kind. */
export function routeOfKind(pages: Pages, kind: string): string | null {
  return pages.find((page) => page.kind === kind)?.route ?? null;
}

/** A route with its parameters; it may have some already. */
export function addressOf(route: string, params: Readonly<Record<string, string>>): string {
  const pairs = Object.entries(params).map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
  return pairs.length === 0 ? route : `${route}${route.includes('?') ? '&' : '?'}${pairs.join('&')}`;
}
