import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sealEnvelope } from '#server/auth/transport-cipher.ts';
import { type Example, sealed, startExample } from '../support/running-example.ts';

let example: Example;
let staff: string;
let partner: string;
const CUSTOMER = '13900008888';

beforeAll(async () => {
  example = await startExample();
  staff = await example.signIn('sp.aa', 'SP');
  const account = { mobile: CUSTOMER, name: '陈经办', password: 'Demo-2026', status: 'active' };
  const body = { name: '中心客户', accounts: [account] };
  await example.call('POST', '/erp/api/data/partner', { token: staff, body });
  partner = await partnerToken('Demo-2026');
});
afterAll(() => example.close());

const self = (path: string, body: unknown, token = staff) =>
  example.call('POST', `/erp/api/self/${path}`, { token, body });

async function partnerToken(password: string): Promise<string> {
  const body = { personid: CUSTOMER, password: sealed(password) };
  const login = await example.call('POST', '/erp/api/sys/loginByAgcustMobileNo', { body });
  return (login.body.data as { authorization?: string } | null)?.authorization ?? '';
}

const RIGHT_PASSWORD = { password: sealed(), newPassword: sealed('Another-2026') };
const RIGHT_MOBILE = { password: sealed(), mobile: '13811117777', sms: '123456' };
const LENGTH = '长度在 8 到 30 个字符';
const type = (field: string) => `请求内容有误：${field} 应为文字`;

const BAD_PASSWORDS: readonly (readonly [change: Readonly<Record<string, unknown>>, path: string, message: string])[] = [
  [{ password: undefined }, 'password', '请输入密码'],
  [{ password: '' }, 'password', '请输入密码'],
  [{ password: null }, 'password', type('password')],
  [{ password: 123_456 }, 'password', type('password')],
  [{ password: [sealed()] }, 'password', type('password')],
  [{ password: 'A'.repeat(1_025) }, 'password', '请求内容有误：password 最多 1024 个字符'],
  [{ newPassword: undefined }, 'newPassword', '请输入密码'],
  [{ newPassword: '' }, 'newPassword', '请输入密码'],
  [{ newPassword: null }, 'newPassword', type('newPassword')],
  [{ newPassword: { $ne: 1 } }, 'newPassword', type('newPassword')],
  [{ newPassword: 'A'.repeat(1_025) }, 'newPassword', '请求内容有误：newPassword 最多 1024 个字符'],
  [{ newPassword: 'plain text' }, 'newPassword', LENGTH],
  [{ newPassword: sealEnvelope('Another-2026', 'another-key-here') }, 'newPassword', LENGTH],
  [{ newPassword: sealed('') }, 'newPassword', LENGTH],
  [{ newPassword: sealed('1234567') }, 'newPassword', LENGTH],
  [{ newPassword: sealed('password1') }, 'newPassword', '这个密码过于常见，请换一个'],
  [{ newPassword: sealed('QwErTyUiOp') }, 'newPassword', '这个密码过于常见，请换一个'],
  [{ newPassword: sealed('船'.repeat(7)) }, 'newPassword', LENGTH],
  [{ newPassword: sealed('x'.repeat(31)) }, 'newPassword', LENGTH],
  [{ newPassword: sealed('🚢'.repeat(31)) }, 'newPassword', LENGTH],
  [{ newPassword: sealed('Demo-2026') }, 'newPassword', '新密码不能与原密码相同'],
  [{ id: '00000000-0000-7000-8000-000000000001' }, 'id', '请求内容有误：id 是未知字段'],
  [{ personid: 'ad.aa' }, 'personid', '请求内容有误：personid 是未知字段'],
]; // prettier-ignore

const BAD_MOBILES: readonly (readonly [mobile: unknown, message: string])[] = [
  [undefined, '请输入手机号'],
  ['', '请输入手机号'],
  ['1381111777', '请输入11位手机号'],
  ['138111177777', '请输入11位手机号'],
  ['+8613811117777', '请输入11位手机号'],
  [' 13811117777', '请输入11位手机号'],
  ['12811117777', '手机号格式不正确'],
  ['23811117777', '手机号格式不正确'],
  ['1381111777a', '手机号格式不正确'],
  ['１３８１１１１７７７７', '手机号格式不正确'],
  [`1' or '1'='1`, '请输入11位手机号'],
  [null, type('mobile')],
  [13_811_117_777, type('mobile')],
  [['13811117777'], type('mobile')],
  ['1'.repeat(101), '请求内容有误：mobile 最多 100 个字符'],
];

const BAD_CHANGES: readonly (readonly [change: Readonly<Record<string, unknown>>, path: string, message: string])[] = [
  [{ sms: undefined }, 'sms', '请输入验证码'],
  [{ sms: '' }, 'sms', '请输入验证码'],
  [{ sms: '12345' }, 'sms', '验证码应为6位数字'],
  [{ sms: '1234567' }, 'sms', '验证码应为6位数字'],
  [{ sms: '12a456' }, 'sms', '验证码应为6位数字'],
  [{ sms: '１２３４５６' }, 'sms', '验证码应为6位数字'],
  [{ sms: null }, 'sms', type('sms')],
  [{ sms: 123_456 }, 'sms', type('sms')],
  [{ sms: '000000' }, 'sms', '验证码错误或已失效'],
  [{ password: '' }, 'password', '请输入密码'],
  [{ password: undefined }, 'password', '请输入密码'],
  [{ password: null }, 'password', type('password')],
  [{ purpose: 'register' }, 'purpose', '请求内容有误：purpose 是未知字段'],
  [{ id: 'x' }, 'id', '请求内容有误：id 是未知字段'],
]; // prettier-ignore

describe('the password form', () => {
  it.each(BAD_PASSWORDS)('refuses %j at %s with its message', async (change, path, message) => {
    const { status, body } = await self('password', { ...RIGHT_PASSWORD, ...change });
    expect([status, body.problems?.[0]?.path, body.msg]).toEqual([400, path, message]);
    // The words beside the field are those of the message.
    expect(message).toContain(body.problems?.[0]?.message);
  });

  it('counts none of them as a wrong password', async () => {
    const { status, body } = await self('password', { ...RIGHT_PASSWORD, password: sealed('wrong-one') });
    expect([status, body.msg, body.problems?.[0]?.path]).toEqual([400, '原密码错误', 'password']);
  });
});

describe('the form of the mobile number', () => {
  it.each(BAD_MOBILES)('refuses the number %j, before a code is sent and after', async (mobile, message) => {
    for (const [path, body] of [['mobile/code', { mobile }], ['mobile', { ...RIGHT_MOBILE, mobile }]] as const) {
      const refused = await self(path, body);
      expect([refused.status, refused.body.problems?.[0]?.path, refused.body.msg]).toEqual([400, 'mobile', message]);
    }
  }); // prettier-ignore

  it.each(BAD_CHANGES)('refuses %j at %s with its message', async (change, path, message) => {
    const { status, body } = await self('mobile', { ...RIGHT_MOBILE, ...change });
    expect([status, body.problems?.[0]?.path, body.msg]).toEqual([400, path, message]);
  });

  it('sends one code when fifty are asked for at once', async () => {
    const mobile = '13811118888';
    const answers = await Promise.all(Array.from({ length: 50 }, () => self('mobile/code', { mobile })));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    const refused = answers.filter(({ status }) => status === 429);
    expect(refused).toHaveLength(49);
    for (const { body, headers } of refused) {
      expect(body.msg).toMatch(/^验证码已发送，请\d{1,2}秒后再试$/);
      expect(Number(headers.get('retry-after'))).toBeLessThanOrEqual(60);
    }
    const outbox = await readFile(join(example.config.dataDir, 'outbox', 'sms.jsonl'), 'utf8');
    expect(outbox.split('\n').filter((line) => line.includes(mobile))).toHaveLength(1);
  });

  it('sends twenty codes an hour for one address, however many numbers are named at once', async () => {
    example.advance(61 * 60_000);
    staff = await example.signIn('sp.aa', 'SP');
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, n) => self('mobile/code', { mobile: `138222200${10 + n}` })),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(20);
    const refused = answers.filter(({ status }) => status === 429);
    expect(new Set(refused.map(({ body }) => body.msg))).toEqual(
      new Set(['您所在的网络获取验证码过于频繁，请1小时后再试']),
    );
  });
});

describe('a customer', () => {
  it('sees the own account and nothing of the company', async () => {
    partner = await partnerToken('Demo-2026');
    const { status, body } = await example.call('GET', '/erp/api/self', { token: partner });
    expect(status).toBe(200);
    expect(body.data).toEqual({
      id: expect.any(String),
      name: '陈经办',
      personid: CUSTOMER,
      mobile: CUSTOMER,
      co_code: 'AA',
      dept_code: expect.any(String),
      kind: 'partner',
    });
  });

  it('cannot change the number that is the account', async () => {
    for (const [path, body] of [
      ['mobile/code', { mobile: '13811119999' }],
      ['mobile', { ...RIGHT_MOBILE, mobile: '13811119999' }],
    ] as const) {
      const refused = await self(path, body, partner);
      expect([refused.status, refused.body.msg]).toEqual([403, '权限不足,请联系管理员!']);
    }
  });

  it('changes the password: other sessions end, the old password no longer opens', async () => {
    const other = await partnerToken('Demo-2026');
    const wrong = await self('password', { ...RIGHT_PASSWORD, password: sealed('wrong-one') }, partner);
    expect([wrong.status, wrong.body.msg]).toEqual([400, '原密码错误']);
    const changed = await self('password', RIGHT_PASSWORD, partner);
    expect([changed.status, changed.body.msg]).toEqual([200, '密码修改成功']);
    expect((await example.call('GET', '/erp/api/self', { token: other })).status).toBe(401);
    expect((await example.call('GET', '/erp/api/self', { token: partner })).status).toBe(200);
    expect(await partnerToken('Demo-2026')).toBe('');
    expect(await partnerToken('Another-2026')).not.toBe('');
  });

  it('ends the own sessions only', async () => {
    const other = await partnerToken('Another-2026');
    const list = await example.call('GET', '/erp/api/self/sessions', { token: other });
    const sessions = list.body.data as readonly { readonly id: string; readonly is_current: boolean }[];
    expect(sessions.length).toBeGreaterThan(1);
    const [foreign] = (await example.call('GET', '/erp/api/self/sessions', { token: staff })).body
      .data as readonly { readonly id: string }[];
    const end = (id: string, token: string) =>
      example.call('DELETE', `/erp/api/self/sessions?id=${id}`, { token });
    expect((await end(foreign?.id ?? '', other)).status).toBe(404);
    for (const id of ['x', "'; --", '00000000-0000-7000-8000-000000000001'])
      expect((await end(encodeURIComponent(id), other)).status).toBeGreaterThanOrEqual(400);
    const mine = sessions.find(({ is_current }) => !is_current);
    expect((await end(mine?.id ?? '', other)).status).toBe(200);
    expect((await end(mine?.id ?? '', other)).status).toBe(404);
    expect((await example.call('DELETE', '/erp/api/self/sessions', { token: other })).status).toBe(200);
    const left = await example.call('GET', '/erp/api/self/sessions', { token: other });
    expect(left.body.data).toHaveLength(1);
    expect((await example.call('GET', '/erp/api/self', { token: staff })).status).toBe(200);
  });
});
