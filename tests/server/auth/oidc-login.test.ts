import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startTestProvider, type TestProvider } from '../../support/identity-provider.ts';
import { type Example, sealed, startExample } from '../support/running-example.ts';
import { visit, type Visit } from '../support/browser-visit.ts';

interface Answer {
  readonly code: number;
  readonly msg: string;
  readonly data: {
    authorization: string;
    personid: string;
    roleIdList: string[];
    menuList: unknown[];
  } | null;
}

const API = '/erp/api/sys/oidc';
let example: Example;
let provider: TestProvider;

beforeAll(async () => {
  provider = await startTestProvider(() => [`${example.server.url}${API}/callback`]);
  example = await startExample(provider.env);
});
beforeEach(async () => {
  await example.owner.execute('delete from sys_oidc_binding');
  await example.owner.execute(`update person set email = null, status = 'active'`);
});
afterAll(async () => {
  await example.close();
  await provider.stop();
});

const isLoginPage = (url: URL): boolean => url.origin === example.server.url && url.pathname === '/';

/** A login as far as the login page, and what that is told. */
async function logIn(
  user: TestProvider['user'],
  { browser = visit(), back = '' }: { browser?: Visit; back?: string } = {},
): Promise<{ readonly at: URL; readonly answer: Answer; readonly browser: Visit }> {
  provider.user = user;
  const query = back === '' ? '' : `?back=${encodeURIComponent(back)}`;
  const { url } = await browser.open(`${example.server.url}${API}/begin${query}`, isLoginPage);
  return { at: url, answer: await finish(browser), browser };
}

async function finish(browser: Visit): Promise<Answer> {
  return (await browser.post(`${example.server.url}${API}/finish`)).json() as Promise<Answer>;
}

async function setEmail(personid: string, email: string): Promise<void> {
  await example.owner.execute('update person set email = $2 where lower(personid) = $1', [personid, email]);
}

describe('a login by the identity provider', () => {
  it('opens a pending session of the person with that login name, which then picks a role', async () => {
    const { at, answer } = await logIn({ sub: 'u1', preferred_username: 'SP.aa' }, { back: '/x/notes?a=1' });
    expect([at.origin, at.search]).toEqual([example.server.url, '?oidc=1&back=%2Fx%2Fnotes%3Fa%3D1']);
    expect([answer.code, answer.data?.personid, answer.data?.menuList]).toEqual([200, 'sp.aa', []]);
    const placed = await example.call('POST', '/erp/api/sys/setPosition', {
      token: answer.data?.authorization ?? '',
      body: { roleId: 'DM' },
    });
    expect(placed.body.data).toMatchObject({ personid: 'sp.aa', roleId: 'DM', coCode: 'AA' });
    const [log] = await example.owner.query(
      `select personid, method, ok, co_code from sys_login_log order by at desc limit 1`,
    );
    expect(log).toEqual({ personid: 'sp.aa', method: 'oidc', ok: true, co_code: 'AA' });
  });

  it('asks the provider with PKCE, state and nonce, which only a short-lived sealed cookie knows', async () => {
    const { browser } = await logIn({ sub: 'u1', preferred_username: 'sp.aa' });
    const asked = provider.asked();
    expect(asked.get('code_challenge_method')).toBe('S256');
    expect(asked.get('scope')).toBe('openid profile email');
    const [cookie = ''] = browser.set.filter((line) => line.startsWith('erp_oidc='));
    expect(cookie).toMatch(/; Path=\/erp\/api\/sys\/oidc; HttpOnly; SameSite=Lax; Max-Age=600$/);
    for (const name of ['state', 'nonce']) {
      expect((asked.get(name) ?? '').length).toBeGreaterThan(30);
      expect(cookie).not.toContain(asked.get(name));
    }
  });

  it('opens the account of the other company, and its verified mail is as good as its name', async () => {
    await setEmail('sp.ae', 'Li@Example.com');
    const { answer } = await logIn({ sub: 'u2', email: 'li@example.com', email_verified: true });
    expect(answer.data?.personid).toBe('sp.ae');
  });

  it('knows an identity again by its subject, whatever it is called by then', async () => {
    await logIn({ sub: 'u3', preferred_username: 'tm.aa' });
    const { answer } = await logIn({ sub: 'u3', preferred_username: 'ad.aa' });
    expect(answer.data?.personid).toBe('tm.aa');
  });
});

describe('logging out', () => {
  const logOut = async (browser: Visit): Promise<string | null> => {
    const answered = await browser.post(`${example.server.url}/erp/api/sys/logout`);
    const { data } = (await answered.json()) as { readonly data: { readonly next: string | null } };
    return data.next;
  };

  it('leads who came by the provider to the end of the session there, once, and back to the login page', async () => {
    const { browser, answer } = await logIn({ sub: 'u9', preferred_username: 'sp.aa' });
    expect(answer.code).toBe(200);
    const kept = browser.set.find((line) => line.startsWith('erp_oidc_session='));
    expect(kept).toMatch(/; Path=\/erp\/api\/sys\/logout; HttpOnly; SameSite=Lax; Max-Age=43200$/);
    const next = new URL((await logOut(browser)) ?? '');
    expect(next.origin + next.pathname).toBe(`${provider.issuer}/session/end`);
    expect(next.searchParams.get('post_logout_redirect_uri')).toBe(`${example.server.url}/login`);
    const [, claims = ''] = (next.searchParams.get('id_token_hint') ?? '').split('.');
    expect(JSON.parse(Buffer.from(claims, 'base64url').toString())).toMatchObject({ sub: 'u9' });
    const { response } = await browser.open(next.href);
    expect(response?.status).toBe(200);
    expect(await logOut(browser)).toBeNull();
  });

  it('of who came otherwise ends the session here alone', async () => {
    expect(await logOut(visit())).toBeNull();
  });
});

describe('a login by the identity provider is refused', () => {
  const refusals: readonly (readonly [what: string, user: TestProvider['user'], msg: RegExp])[] = [
    ['for whom no account is', { sub: 'r1', preferred_username: 'nobody' }, /没有对应的系统账号/],
    [
      'for an address that is not verified',
      { sub: 'r2', email: 'one@example.com', email_verified: false },
      /没有对应/,
    ],
    ['for an address of two', { sub: 'r3', email: 'two@example.com', email_verified: true }, /不能唯一对应/],
    [
      'for a name and an address of different people',
      { sub: 'r4', preferred_username: 'ad.aa', email: 'one@example.com', email_verified: true },
      /不能唯一对应/,
    ],
    ['for a disabled account', { sub: 'r5', preferred_username: 'gm.aa' }, /已停用/],
    ['for who says no at the provider', { sub: 'r6', denies: true }, /没有通过/],
  ];

  it.each(refusals)('%s, in words, and nobody is created', async (_what, user, msg) => {
    await setEmail('sp.aa', 'one@example.com');
    for (const personid of ['fn.aa', 'fn.ae']) await setEmail(personid, 'two@example.com');
    await example.owner.execute(`update person set status = 'disabled' where lower(personid) = 'gm.aa'`);
    const count = 'select count(*)::int as people from person';
    const before = await example.owner.query(count);
    const { at, answer } = await logIn(user);
    expect(at.search).toBe('?oidc=1');
    expect([answer.code, answer.data]).toEqual([400, null]);
    expect(answer.msg).toMatch(msg);
    expect(await example.owner.query(count)).toEqual(before);
  });

  it('for another identity that has taken over the name of a bound account', async () => {
    await logIn({ sub: 'first', preferred_username: 'tm.aa' });
    const { answer } = await logIn({ sub: 'second', preferred_username: 'tm.aa' });
    expect([answer.code, answer.msg]).toEqual([400, expect.stringContaining('另一个统一身份账号')]);
  });

  it('while the account is locked at that address, and once it has been disabled', async () => {
    for (let tries = 0; tries < 5; tries += 1)
      await example.call('POST', '/erp/api/sys/login', {
        body: { personid: 'dm.aa', password: sealed('wrong-1') },
      });
    expect((await logIn({ sub: 'u4', preferred_username: 'dm.aa' })).answer.code).toBe(429);
    await logIn({ sub: 'u5', preferred_username: 'rk.aa' });
    await example.owner.execute(`update person set status = 'disabled' where lower(personid) = 'rk.aa'`);
    expect((await logIn({ sub: 'u5', preferred_username: 'rk.aa' })).answer.msg).toMatch(/已停用/);
  });

  it('when the answer is for another browser, comes twice or was made up', async () => {
    provider.user = { sub: 'u6', preferred_username: 'sp.aa' };
    const [one, other] = [visit(), visit()];
    const isCallback = (url: URL): boolean => url.pathname.endsWith('/callback');
    const { url } = await one.open(`${example.server.url}${API}/begin`, isCallback);
    await other.open(url.href, isLoginPage);
    expect((await finish(other)).msg).toMatch(/已超时或已使用/);
    await other.open(`${example.server.url}${API}/begin`, isCallback);
    await other.open(url.href, isLoginPage);
    expect((await finish(other)).msg).toMatch(/没有通过/);
    await one.open(url.href, isLoginPage);
    expect((await finish(one)).code).toBe(200);
    expect((await finish(one)).msg).toMatch(/已超时或已使用/);
    await one.open(url.href, isLoginPage);
    expect((await finish(one)).msg).toMatch(/已超时或已使用/);
  });

  it('when the ticket of the answer is used a second time', async () => {
    provider.user = { sub: 'u6', preferred_username: 'sp.aa' };
    const browser = visit();
    await browser.open(`${example.server.url}${API}/begin`, isLoginPage);
    const cookie = browser.cookies(new URL(`${example.server.url}${API}/finish`));
    const finishWith = () => example.call('POST', `${API}/finish`, { body: {}, headers: { cookie } });
    expect((await finishWith()).status).toBe(200);
    expect((await finishWith()).body.msg).toMatch(/已超时或已使用/);
  });

  it('while the provider is away, and goes on as soon as it is back', async () => {
    const fresh = await startExample(provider.env);
    await provider.pause();
    try {
      const browser = visit();
      const { url } = await browser.open(`${fresh.server.url}${API}/begin`, (to) => to.pathname === '/');
      expect(url.search).toBe('?oidc=1');
      const told = (await (await browser.post(`${fresh.server.url}${API}/finish`)).json()) as Answer;
      expect([told.code, told.msg]).toEqual([503, expect.stringContaining('统一身份认证服务暂不可用')]);
      expect((await fetch(`${fresh.server.url}/ready`)).status).toBe(200);
      await provider.resume();
      const again = await visit().open(
        `${fresh.server.url}${API}/begin`,
        (to) => to.origin === provider.issuer,
      );
      expect(again.url.origin).toBe(provider.issuer);
    } finally {
      await fresh.close();
    }
  });
});

describe('the way back', () => {
  it.each(['https://evil.example', '//evil.example', '/\\evil.example', 'javascript:alert(1)', '/a b'])(
    'never leads to %s',
    async (back) => {
      const { at } = await logIn({ sub: 'u7', preferred_username: 'sp.aa' }, { back });
      expect([at.origin, at.search]).toEqual([example.server.url, '?oidc=1']);
    },
  );
});

describe('without a provider', () => {
  it('the login page has no button and the calls say so', async () => {
    const plain = await startExample();
    try {
      const site = await plain.call('GET', '/erp/api/meta/site');
      expect(site.body.data).toMatchObject({ hasOidc: false });
      expect((await plain.call('GET', `${API}/begin`)).status).toBe(404);
      expect((await plain.call('POST', `${API}/finish`, { body: {} })).status).toBe(404);
    } finally {
      await plain.close();
    }
    expect((await example.call('GET', '/erp/api/meta/site')).body.data).toMatchObject({ hasOidc: true });
  });
});
