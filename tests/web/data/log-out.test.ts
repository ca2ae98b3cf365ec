// @vitest-environment jsdom
import { expect, test, vi } from 'vitest';
import { logOut } from '#web/data/log-out.ts';
import { LOGIN_REASON_KEY, leaveForLogin } from '#web/data/stored-person.ts';

test('what was under way and is refused while somebody logs out sends nobody back, with no reason to tell', async () => {
  history.replaceState(null, '', '/index/index');
  localStorage.setItem('authorization', 'of this session');
  let end: (response: Response) => void = () => undefined;
  vi.stubGlobal('fetch', () => new Promise<Response>((resolve) => (end = resolve)));
  const done = logOut();
  leaveForLogin();
  expect(sessionStorage.getItem(LOGIN_REASON_KEY)).toBeNull();
  expect(localStorage.getItem('authorization')).toBe('of this session');
  end(Response.json({ code: 401, msg: '登录已失效', data: null }, { status: 401 }));
  await done;
  expect(localStorage.length).toBe(0);
  expect(sessionStorage.getItem(LOGIN_REASON_KEY)).toBeNull();
});
