import { createHash } from 'node:crypto';
import * as argon2 from '@node-rs/argon2';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { companyToday } from '#engine/values/dates.ts';
import { issueLoginLink } from '#server/auth/login-link.ts';
import { signInSilently } from '#server/auth/sign-in.ts';
import { publicAddress } from '#server/records/definitions/regions.ts';
import { type Example, sealed, startExample } from '../support/running-example.ts';

// Counted, not replaced: how often a password hash is really computed.
vi.mock('@node-rs/argon2', async (original) => {
  const real = await original<typeof argon2>();
  return { ...real, verify: vi.fn(real.verify) };
});

const SECRET = 'a secret of the silent login';
const SESSION = '/erp/api/sys/session';
let example: Example;

beforeAll(async () => {
  example = await startExample({
    ERP_TRUST_PROXY: '127.0.0.1',
    ERP_TOKEN_SECRET: SECRET,
    ERP_TOKEN_ACCOUNT: 'dc.aa',
  });
});
afterAll(() => example.close());

let addresses = 0;
/** Tests do not lock each other out: each comes from an address of its own. */
function anAddress(): Readonly<Record<string, string>> {
  addresses += 1;
  return { 'x-forwarded-for': `10.0.0.${addresses}` };
}

const post = (path: string, body: unknown, headers = anAddress(), token?: string) =>
  example.call('POST', `/erp/api/sys/${path}`, { body, headers, ...(token === undefined ? {} : { token }) });
const login = (personid: string, password = sealed(), headers = anAddress()) =>
  post('login', { personid, password }, headers);

interface Person {
  readonly authorization: string;
  readonly id: string;
  readonly coCode: string;
  readonly personid: string;
  readonly roleId: string;
}

describe('an unknown user and a wrong password', () => {
  it.each([
    ['login', { personid: 'nobody.x' }, { personid: 'fn.aa' }],
    ['loginByMobile', { psMobile: '13811112222' }, { psMobile: '13800000001' }],
  ])('cost %s the same: one hash is computed', async (path, unknown, known) => {
    const verify = vi.mocked(argon2.verify);
    const hashesOf = async (body: object, password: string) => {
      verify.mockClear();
      const { status, body: answer } = await post(path, { ...body, password });
      return [verify.mock.calls.length, status, answer.code, answer.msg, answer.data];
    };
    const expected = [1, 400, 400, '用户名或密码错误', null];
    expect(await hashesOf(unknown, sealed('wrong-one'))).toEqual(expected);
    expect(await hashesOf(known, sealed('wrong-one'))).toEqual(expected);
    expect(await hashesOf(known, 'not an envelope')).toEqual(expected);
  });
});

describe('the lock', () => {
  it('holds for fifty tries at once, from that address only', async () => {
    const headers = anAddress();
    const tries = await Promise.all(
      Array.from({ length: 50 }, () => login('tm.aa', sealed('wrong-one'), headers)),
    );
    expect(tries.filter(({ status }) => status === 400)).toHaveLength(5);
    expect(tries.filter(({ status }) => status === 429)).toHaveLength(45);
    const right = await login('tm.aa', sealed(), headers);
    expect([right.status, right.body.msg]).toEqual([429, '登录失败次数过多，请15分钟后再试']);
    expect(right.headers.get('retry-after')).toBe('900');
    expect((await login('tm.aa')).status).toBe(200);
  });

  it('closes an address after a hundred failures, whatever the accounts', async () => {
    const headers = anAddress();
    const tries = await Promise.all(
      Array.from({ length: 104 }, (_, count) => login(`nobody.${count}`, sealed('wrong-one'), headers)),
    );
    expect(tries.filter(({ status }) => status === 400)).toHaveLength(100);
    expect((await login('gm.aa', sealed(), headers)).body.msg).toBe('该网络登录失败次数过多，请稍后再试');
    expect((await login('gm.aa')).status).toBe(200);
  });
});

describe('choosing a position', () => {
  it.each([
    ['another person', { id: 'dm.aa' }],
    ['a person of another company', { id: 'sp.ae' }],
    ['no id at all', { id: 'x' }],
    ['a role that is not held', { roleId: 'AD' }],
    ['a list with a role that is not held', { roleIdList: ['SP', 'GM'] }],
    ['a person as service target who is none', { saleId: 'dm.aa' }],
    ['a salesperson of another company', { saleId: 'sp.ae' }],
    ['a service target that is no id', { saleId: "'; drop table person; --" }],
  ])('refuses %s', async (_title, wrong) => {
    const person = (await login('sp.aa')).body.data as Person;
    const ids = Object.fromEntries(
      await Promise.all(Object.entries(wrong).map(async ([name, value]) => [name, await idOf(value)])),
    ) as object;
    const body = { id: person.id, roleId: 'SP', ...ids };
    const placed = await post('setPosition', body, anAddress(), person.authorization);
    expect([placed.status, placed.body.msg]).toEqual([403, '不能选择该角色、部门或服务对象']);
  });

  it('with one token twice at once opens one session, and the old token dies', async () => {
    const person = (await login('sp.aa')).body.data as Person;
    const body = { id: person.id, roleId: 'SP' };
    const placed = await Promise.all(
      [1, 2, 3, 4].map(() => post('setPosition', body, anAddress(), person.authorization)),
    );
    expect(statusesOf(placed)).toEqual([200, 401, 401, 401]);
    const again = await post('setPosition', body, anAddress(), person.authorization);
    expect([again.status, again.body.msg]).toEqual([401, '登录已失效，请重新登录']);
  });

  it('does not let a switched-away session go on', async () => {
    const token = await example.signIn('sp.aa', 'SP');
    const switched = await post('setPosition', { roleId: 'DM' }, anAddress(), token);
    expect((switched.body.data as Person).roleId).toBe('DM');
    expect((await example.call('GET', SESSION, { token })).status).toBe(401);
  });
});

describe('a login link', () => {
  it('opens its account once, though it is used twice at once', async () => {
    const { mobile, code } = await aLink();
    const used = await Promise.all([1, 2, 3].map(() => byCode(mobile, code)));
    expect(statusesOf(used)).toEqual([200, 400, 400]);
    const replayed = await byCode(mobile, code);
    expect([replayed.status, replayed.body.msg]).toEqual([
      400,
      '登录链接已失效或已使用，请联系业务员重新发送',
    ]);
  });

  it('is bound to its account, and a try for another one does not use it up', async () => {
    const { mobile, code } = await aLink();
    expect((await byCode('13900001111', code)).status).toBe(400);
    expect((await byCode(mobile, `${code}x`)).status).toBe(400);
    const opened = await post('loginByAgcustMobileNo', { personid: mobile, code, isp: 'x', appid: 9, cwStatus: 'AD', otherCode: 'AE' }); // prettier-ignore
    expect(opened.body.data).toMatchObject({ coCode: 'AA', roleId: 'PT' });
  });

  it('cannot name anybody else when the position is chosen', async () => {
    const { mobile, code } = await aLink();
    const person = (await byCode(mobile, code)).body.data as Person;
    for (const wrong of [{ id: await idOf('sp.aa') }, { roleId: 'SP' }, { saleId: await idOf('sp.aa') }]) {
      const placed = await post('setPosition', wrong, anAddress(), person.authorization);
      expect(placed.status).toBe(403);
    }
  });

  it('ends after five minutes', async () => {
    const { mobile, code } = await aLink();
    example.advance(5 * 60_000 + 1_000);
    expect((await byCode(mobile, code)).status).toBe(400);
  });

  it('leads to the configured address, whoever asks from wherever', () => {
    const { definitions } = example.server.services;
    const at = (settings: Partial<Example['config']>, company = 'AE') =>
      publicAddress({ definitions, config: { ...example.config, ...settings } }, company);
    expect(at({ publicUrl: 'https://{company}.trade.example' })).toBe('https://ae.trade.example');
    expect(at({ publicUrl: 'https://trade.example:8443' })).toBe('https://trade.example:8443');
    expect(at({ isDemo: false })).toBe('https://ae.example.com');
    expect(at({ isDemo: true, port: 8080 })).toBe('http://ae.localhost:8080');
    expect(at({ isDemo: true, port: 8080 }, 'AA')).toBe('http://localhost:8080');
    expect(() => at({ isDemo: false }, 'ZZ')).toThrow('没有配置对外访问地址');
  });
});

describe('the silent login', () => {
  it('opens the configured account for that day and that id only', async () => {
    const erpToken = tokenOf('42');
    const opened = await post('login', { id: '42', erpToken });
    expect(opened.body.data).toMatchObject({ personid: 'dc.aa', roleId: 'DC' });
    expect((await post('login', { id: '43', erpToken })).status).toBe(400);
    for (const wrong of ['', 'x', erpToken.slice(2), `${erpToken}00`, tokenOf('42', ''), 'g'.repeat(64)])
      expect((await post('login', { id: '42', erpToken: wrong })).body.msg).toBe('用户名或密码错误');
    example.advance(24 * 3_600_000);
    expect((await post('login', { id: '42', erpToken })).status).toBe(400);
  });

  it('leaves a line in the login log, right or wrong', async () => {
    const rows = await example.server.services.db.query(
      `select ok, count(*)::int as n from sys_login_log where method = 'silent' group by ok order by ok`,
    );
    expect(rows).toEqual([
      { ok: false, n: 8 },
      { ok: true, n: 1 },
    ]);
  });

  it('is off without a secret, and never opens an administrator', async () => {
    const { services } = example.server;
    const origin = { address: '10.9.9.9', userAgent: '' };
    const silently = (silentLogin: Example['config']['silentLogin'], erpToken: string) =>
      signInSilently(
        { ...services, config: { ...services.config, silentLogin } },
        { id: '7', erpToken },
        origin,
      );
    await expect(silently(null, tokenOf('7', ''))).rejects.toThrow('用户名或密码错误');
    await expect(silently({ secret: SECRET, account: 'ad.aa' }, tokenOf('7'))).rejects.toThrow(
      '用户名或密码错误',
    );
    expect(await silently({ secret: SECRET, account: 'fn.aa' }, tokenOf('7'))).toMatchObject({
      roleId: 'FN',
    });
  });
});

describe('the host', () => {
  it('changes what the login page shows and nothing that a session sees', async () => {
    const site = await example.call('GET', '/erp/api/meta/site', { headers: from('ae.example.com') });
    expect(site.body.data).toMatchObject({ coCode: 'AE' });
    const foreign = await example.signIn('sp.ae', 'SP');
    await example.call('POST', '/erp/api/data/partner', { token: foreign, body: { name: '乙公司的客户' } });
    await aLink();
    const seen: string[][] = [];
    for (const host of ['aa.example.com', 'ae.example.com', 'nowhere.example.com']) {
      const headers = from(host);
      const pending = (await login('sp.aa', sealed(), headers)).body.data as Person;
      expect(pending.coCode).toBe('AA');
      const placed = await post(
        'setPosition',
        { roleId: 'SP', coCode: 'AE' },
        headers,
        pending.authorization,
      );
      const token = (placed.body.data as Person).authorization;
      const list = await example.call('POST', '/erp/api/data/partner/query', { token, headers, body: {} });
      seen.push((list.body.data as { records: { name: string }[] }).records.map(({ name }) => name));
    }
    expect(seen[0]).toContain('通达1');
    expect(seen[0]).not.toContain('乙公司的客户');
    expect(seen[1]).toEqual(seen[0]);
    expect(seen[2]).toEqual(seen[0]);
  });
});

/** The erpToken of a link for a record, as the other system makes it. */
function tokenOf(id: string, secret = SECRET): string {
  return createHash('sha256')
    .update(`${companyToday(example.server.services.clock())}${id}${secret}`)
    .digest('hex');
}

function from(host: string): Readonly<Record<string, string>> {
  return { ...anAddress(), 'x-forwarded-host': host };
}

function statusesOf(replies: readonly { readonly status: number }[]): readonly number[] {
  return replies.map(({ status }) => status).sort((left, right) => left - right);
}

const byCode = (personid: string, code: string) => post('loginByAgcustMobileNo', { personid, code });
let partners = 0;

/** A link for an account of a new partner, as the action on the partner makes it. */
async function aLink(): Promise<{ readonly mobile: string; readonly code: string }> {
  partners += 1;
  const mobile = `1391234000${partners}`;
  const token = await example.signIn('sp.aa', 'SP');
  const account = { mobile, name: '经办', password: 'Demo-2026', status: 'active' };
  const made = await example.call('POST', '/erp/api/data/partner', {
    token,
    body: { name: `通达${partners}`, accounts: [account] },
  });
  const { id = '' } = (made.body.data as { accounts: { id: string }[] }).accounts[0] ?? {};
  const { db, clock } = example.server.services;
  const query = await issueLoginLink(db, { id, mobile, at: clock() });
  return { mobile, code: new URLSearchParams(query).get('code') ?? '' };
}

/** The id behind a personid like `sp.ae`; anything else stays what it is. */
async function idOf(value: unknown): Promise<unknown> {
  if (typeof value !== 'string' || !/^\w+\.\w+$/.test(value)) return value;
  const [row] = await example.server.services.db.query('select id from person where personid = $1', [value]);
  return row?.['id'];
}
