import { expect, it } from 'vitest';
import { menuPlace } from '#web/app/menu-place.ts';

const MENU = [
  { url: '/index', name: '首页', list: [] },
  { url: '', name: '出口', list: [{ url: '/out/list', name: '出口单', list: [] }] },
];
const ROUTES = [
  { path: '/out/list', title: '出口单', kind: 'list' },
  { path: '/out/details', title: '出口单详情', kind: 'details', list: '/out/list?x=1' },
  { path: '/hidden/details', title: '详情', kind: 'details', list: '/hidden/list' },
  { path: '/loose', title: '别处', kind: 'custom' },
];

it.each([
  ['/out/list', '/out/list'],
  ['/out/details', '/out/list'],
  // A list that this role's menu does not have.
  ['/hidden/details', '/hidden/details'],
  ['/loose', '/loose'],
  ['/nowhere', '/nowhere'],
  ['/index', '/index'],
])('a page at %s stands in the menu at %s', (path, place) => {
  expect(menuPlace(MENU, ROUTES, path)).toBe(place);
});

it('a page of the menu needs no routes', () => {
  expect(menuPlace(MENU, null, '/out/list')).toBe('/out/list');
  expect(menuPlace(MENU, null, '/out/details')).toBe('/out/details');
});
