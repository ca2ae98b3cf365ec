import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DEMO_PASSWORD } from '#server/kernel/config.ts';
import { type Example, sealed, startExample } from '../support/running-example.ts';

const LOCKED = [429, '密码错误次数过多，请15分钟后再试'];
let example: Example;

beforeAll(async () => {
  example = await startExample({ ERP_TRUST_PROXY: '127.0.0.1' });
});
afterAll(() => example.close());

let addresses = 0;
/** Tests do not lock each other out: each comes from an address of its own. */
function anAddress(): Readonly<Record<string, string>> {
  addresses += 1;
  return { 'x-forwarded-for': `10.7.0.${addresses}` };
}

const self = (token: string, path: string, body: unknown, headers: Readonly<Record<string, string>>) =>
  example.call('POST', `/erp/api/self/${path}`, { token, body, headers });
const guess = (token: string, password: string, headers: Readonly<Record<string, string>>) =>
  self(token, 'password', { password: sealed(password), newPassword: sealed('Another-2026') }, headers);

describe('a password asked for inside a session', () => {
  it('may be guessed five times, also when fifty guesses come at once', async () => {
    const token = await example.signIn('tm.aa', 'TM');
    const headers = anAddress();
    const tries = await Promise.all(
      Array.from({ length: 50 }, (_, n) => guess(token, `guess-${n}`, headers)),
    );
    const told = tries.filter(({ status }) => status === 400);
    expect(told).toHaveLength(5);
    expect(told.map(({ body }) => body.problems?.[0])).toEqual(
      Array.from({ length: 5 }, () => ({ path: 'password', code: 'wrong', message: '原密码错误' })),
    );
    expect(tries.filter(({ status }) => status === 429)).toHaveLength(45);
    const right = await guess(token, DEMO_PASSWORD, headers);
    expect([right.status, right.body.msg]).toEqual(LOCKED);
    expect(right.headers.get('retry-after')).toBe('900');
    const mobile = { password: sealed(), mobile: '13811110001', sms: '123456' };
    const other = await self(token, 'mobile', mobile, headers);
    expect([other.status, other.body.msg]).toEqual(LOCKED);
  });

  it('counts together with the login page, both ways', async () => {
    const token = await example.signIn('gm.aa', 'GM');
    const headers = anAddress();
    const login = (password: string) =>
      example.call('POST', '/erp/api/sys/login', {
        body: { personid: 'GM.aa', password: sealed(password) },
        headers,
      });
    expect((await login('wrong-one')).status).toBe(400);
    expect((await login('wrong-two')).status).toBe(400);
    const mobile = { password: sealed('wrong-three'), mobile: '13811110002', sms: '123456' };
    expect((await self(token, 'mobile', mobile, headers)).status).toBe(400);
    expect((await guess(token, 'wrong-four', headers)).status).toBe(400);
    expect((await guess(token, 'wrong-five', headers)).status).toBe(400);
    expect((await login(DEMO_PASSWORD)).body.msg).toBe('登录失败次数过多，请15分钟后再试');
    expect((await guess(token, DEMO_PASSWORD, headers)).status).toBe(429);
  });

  it('is forgiven by the right one, and no lock lasts', async () => {
    const token = await example.signIn('dc.aa', 'DC');
    const headers = anAddress();
    for (const password of ['no-1234', 'no-2345', 'no-3456', 'no-4567'])
      expect((await guess(token, password, headers)).status).toBe(400);
    expect((await guess(token, DEMO_PASSWORD, headers)).status).toBe(200);
    for (let n = 0; n < 5; n += 1) expect((await guess(token, `no-${n}00000`, headers)).status).toBe(400);
    const back = { password: sealed('Another-2026'), newPassword: sealed() };
    expect((await self(token, 'password', back, headers)).status).toBe(429);
    example.advance(15 * 60_000 + 1000);
    expect((await self(token, 'password', back, headers)).status).toBe(200);
  });
});
