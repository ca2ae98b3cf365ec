// @vitest-environment jsdom
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { guard, guardAtOnce, isGuardedAtOnce, withoutToken } from '#web/app/guard.ts';

const PERSON = {
  personid: 'sp.aa',
  authorization: 'token',
  name: '周明',
  roleList: [],
  menuList: [],
  coDeptnameCode: 'AA01',
};
const bodies: unknown[] = [];
const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    const body: unknown = JSON.parse(Buffer.concat(chunks).toString());
    bodies.push(body);
    const isRight =
      typeof body === 'object' && body !== null && 'erpToken' in body && body.erpToken === 'right';
    response.writeHead(isRight ? 200 : 400, { 'content-type': 'application/json' });
    response.end(
      JSON.stringify(
        isRight ? { code: 200, msg: '', data: PERSON } : { code: 400, msg: '用户名或密码错误', data: null },
      ),
    );
  });
});

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const original = globalThis.fetch;
  vi.stubGlobal('fetch', (path: string, init: RequestInit) => original(new URL(path, base), init));
});
afterAll(() => {
  vi.unstubAllGlobals();
  server.close();
});
beforeEach(() => {
  localStorage.clear();
  bodies.length = 0;
});

function signedIn(urls: readonly string[]): void {
  const menuList = [{ url: '', name: '组', list: urls.map((url) => ({ url, name: url, list: [] })) }];
  localStorage.setItem('authorization', 'token');
  localStorage.setItem('person', JSON.stringify({ ...PERSON, menuList }));
}

describe('the guard', () => {
  test.each(['/fapiao', '/cyfp', '/gysqh', '/wzkf/sxsqsh'])('lets %s through without a login', (path) => {
    expect(guardAtOnce(path)).toBe('proceed');
  });

  test('sends to the login page without an authorization, and lets through with one', () => {
    expect(guardAtOnce('/details/list')).toBe('login');
    signedIn([]);
    expect(guardAtOnce('/details/list')).toBe('proceed');
  });

  test.each([
    '/user/bbpz', '/user/role', '/user/xxly', '/gggl/xwlb', '/baseinfo/currency',
    '/customer/seller', '/customer/goods', '/system/banks', '/system/cnaps', '/system/skyh',
  ])('blocks %s unless the menu has it, before it asks whether somebody is signed in', (path) => {
    expect(guardAtOnce(path)).toBe('blocked');
    signedIn([]);
    expect(guardAtOnce(path)).toBe('blocked');
    signedIn([`${path}?uid=1`]);
    expect(guardAtOnce(path)).toBe('proceed');
  }); // prettier-ignore

  test('a right erpToken signs in through the login call and proceeds', async () => {
    const query = new URLSearchParams('id=77&erpToken=right');
    expect(isGuardedAtOnce(query)).toBe(false);
    expect(await guard('/customer/seller', query)).toBe('proceed');
    expect(bodies).toEqual([{ id: '77', erpToken: 'right' }]);
    expect(localStorage.getItem('personid')).toBe('sp.aa');
    // The page it was for stands also when the address is without its token, other menu pages do not.
    expect(guardAtOnce('/customer/seller')).toBe('proceed');
    expect(guardAtOnce('/customer/goods')).toBe('blocked');
    expect(withoutToken('/customer/seller', query)).toBe('/customer/seller?id=77');
    localStorage.clear();
    expect(guardAtOnce('/customer/seller')).toBe('blocked');
  });

  test('a public page asks nobody about a token', async () => {
    expect(await guard('/cyfp', new URLSearchParams('id=77&erpToken=right'))).toBe('proceed');
    expect(bodies).toEqual([]);
  });

  test('what is stored after a login is what the specification lists', async () => {
    await guard('/details/list', new URLSearchParams('id=77&erpToken=right'));
    expect(Object.keys(localStorage).sort()).toEqual(
      ['authorization', 'deptCode', 'menuList', 'name', 'person', 'personid', 'roleName'],
    );
  }); // prettier-ignore

  test('a wrong erpToken goes on to the login page', async () => {
    expect(await guard('/details/list', new URLSearchParams('id=77&erpToken=wrong'))).toBe('login');
    expect(localStorage.getItem('authorization')).toBeNull();
  });
});
