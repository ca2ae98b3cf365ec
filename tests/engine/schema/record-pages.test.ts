import { expect, it } from 'vitest';
import type { PageDefinition } from '#engine/schema/layout-definition.ts';
import {
  addressOf,
  detailsBesideForm,
  fittingDetails,
  listAddress,
  recordAddress,
  routeOfKind,
  startAddress,
} from '#engine/schema/record-address.ts';
import { recordPages } from '#engine/schema/record-pages.ts';

const LIST: PageDefinition = { route: '/a/list', kind: 'list' };

const pagesOf = (kind: 'document' | 'master' | 'view', pages: readonly PageDefinition[]) =>
  recordPages({ resource: 'slip', title: '单', kind, pages });

it('a document without pages of its own is read and written on those for all, from its list too', () => {
  const pages = pagesOf('document', [LIST]);
  expect(pages.map(({ route, kind }) => [route, kind])).toEqual([
    ['/a/list', 'list'],
    ['/index/dj?resource=slip', 'details'],
    ['/index/djbj?resource=slip', 'edit'],
  ]);
  expect(pages[0]).toMatchObject({ details: '/index/dj?resource=slip', edit: '/index/djbj?resource=slip' });
  expect(recordAddress(pages, 'x 1')).toBe('/index/dj?resource=slip&id=x%201');
  expect(addressOf(routeOfKind(pages, 'edit') ?? '', {})).toBe('/index/djbj?resource=slip');
});

it('its own pages, and the list of master data, stay as they are', () => {
  const own: readonly PageDefinition[] = [
    LIST,
    { route: '/a/details', kind: 'details' },
    { route: '/a/edit', kind: 'edit' },
  ];
  expect(pagesOf('document', own)).toBe(own);
  expect(pagesOf('master', [LIST])).toEqual([LIST]);
  expect(pagesOf('view', [])).toEqual([]);
  expect(pagesOf('master', []).map(({ kind }) => kind)).toEqual(['details', 'edit']);
});

it('a document with details alone can be begun from another, and its list edits beside itself', () => {
  const own: readonly PageDefinition[] = [LIST, { route: '/a/details', kind: 'details' }];
  const pages = pagesOf('document', own);
  expect(pages.slice(0, 2)).toEqual(own);
  expect(routeOfKind(pages, 'edit')).toBe('/index/djbj?resource=slip');
  expect(recordAddress(pages, 'x')).toBe('/a/details?id=x');
});

it('the details beside a form are those of the list that leads to it', () => {
  const pages: readonly PageDefinition[] = [
    { route: '/a/list', kind: 'list', edit: '/a/edit', details: '/a/details' },
    { route: '/b/list', kind: 'list', edit: '/b/edit', details: '/b/details' },
    { route: '/a/details', kind: 'details' },
    { route: '/b/details', kind: 'details' },
  ];
  expect(detailsBesideForm(pages, '/b/edit')).toBe('/b/details');
  expect(detailsBesideForm(pages, '/c/edit')).toBe('/a/details');
  expect(detailsBesideForm([LIST], '/a/edit')).toBeNull();
});

it('details of other records than a list shows are no place for its records', () => {
  const self = { kind_of: { eq: 'self' } };
  const own: readonly PageDefinition[] = [
    { ...LIST, where: { kind_of: { eq: 'agency' } } },
    { route: '/b/list', kind: 'list', where: self, details: '/b/details' },
    { route: '/b/details', kind: 'details', where: self },
  ];
  const pages = pagesOf('document', own);
  expect(recordAddress(pages, 'x')).toBe('/index/dj?resource=slip&id=x');
  expect(pages.slice(1)).toEqual(own);
  const both = [
    ...own,
    { route: '/a/details', kind: 'details', where: { kind_of: { eq: 'agency' } } } as const,
    { route: '/a/edit', kind: 'edit' } as const,
  ];
  expect(pagesOf('document', both)).toBe(both);
});

it('a record on the page of others has its own where there is one', () => {
  const of = (route: string, sort: string): PageDefinition => ({
    route,
    kind: 'details',
    where: { sort: { eq: sort }, side: { eq: 'agency' }, status: { in: ['open'] } },
  });
  const [goods, premium] = [of('/a/goods', 'goods'), of('/a/premium', 'premium')];
  const pages = [LIST, premium, goods];
  const record = { sort: 'goods', side: 'agency', status: 'shut' };
  expect(fittingDetails(pages, premium, record)).toBe('/a/goods');
  expect(fittingDetails(pages, goods, record)).toBeNull();
  expect(fittingDetails(pages, premium, { ...record, sort: 'other' })).toBeNull();
  // Whoever does not see it is not sent about.
  expect(fittingDetails(pages, premium, { side: 'agency' })).toBeNull();
});

it('a start to write something new leads to the form, other starts where they say', () => {
  const pages = pagesOf('document', [LIST, { route: '/a/details', kind: 'details' }]);
  const start = { do: 'create', route: '/a/list' };
  expect(startAddress(pages, start)).toBe('/index/djbj?resource=slip');
  expect(startAddress(pages, { ...start, do: 'pay' })).toBe('/a/list');
  expect(startAddress([{ ...LIST, edit: '/a/edit' }], start)).toBe('/a/edit');
  expect(startAddress([LIST], start)).toBe('/a/list');
});

it('a list of a condition is the least narrowed one, and looks past what that is narrowed to', () => {
  const of = (route: string, where: PageDefinition['where'] = {}) =>
    ({ route, kind: 'list', where }) as const satisfies PageDefinition;
  const [premium, agency] = [{ side: { eq: 'agency' }, sort: { eq: 'premium' } }, { side: { eq: 'agency' } }];
  const condition = { sort: { eq: 'goods' } };
  const c = `c=${encodeURIComponent(JSON.stringify(condition))}`;
  expect(listAddress([of('/a/premium', premium), of('/a/agency', agency)], condition)).toBe(
    `/a/agency?${c}&all=1`,
  );
  expect(listAddress([of('/a/agency', agency), of('/a/all')], condition)).toBe(`/a/all?${c}`);
  expect(listAddress([of('/a/agency', agency)], null)).toBe('/a/agency?all=1');
  expect(listAddress([{ route: '/a/edit', kind: 'edit' }], condition)).toBeNull();
  expect(recordAddress([of('/a/agency', agency)], 'x')).toMatch(/^\/a\/agency\?c=.*&all=1$/);
});
