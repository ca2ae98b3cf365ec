import { createCipheriv, randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sealEnvelope } from '#server/auth/transport-cipher.ts';
import { DEMO_AES_KEY } from '#server/kernel/config.ts';
import { type Example, sealed, startExample } from '../support/running-example.ts';

let example: Example;
beforeAll(async () => {
  example = await startExample({ ERP_TRUST_PROXY: '127.0.0.1' });
});
afterAll(() => example.close());

const WRONG = '用户名或密码错误';

/** What may be wrong with a password on its way; none of it tells whether the account exists. */
const BAD_PASSWORDS: readonly (readonly [unknown, string])[] = [
  [undefined, '请输入密码'],
  ['', '请输入密码'],
  [null, '请求内容有误：password 应为文字'],
  [123_456, '请求内容有误：password 应为文字'],
  [['Demo-2026'], '请求内容有误：password 应为文字'],
  [{ $ne: '' }, '请求内容有误：password 应为文字'],
  ['A'.repeat(1_025), '请求内容有误：password 最多 1024 个字符'],
  ['Demo-2026', WRONG],
  ['no base64 at all!', WRONG],
  ['AAAA', WRONG],
  [randomBytes(16).toString('base64'), WRONG],
  [randomBytes(33).toString('base64'), WRONG],
  [randomBytes(64).toString('base64'), WRONG],
  [sealEnvelope('Demo-2026', 'another-key-here'), WRONG],
  [sealBytes(Buffer.from([0xff, 0xfe, 0xfd])), WRONG],
  [sealed(''), WRONG],
  [sealed('12345'), WRONG],
  [sealed('demo-2026'), WRONG],
  [sealed(' Demo-2026'), WRONG],
  [sealed(`' or '1'='1`), WRONG],
];

const BAD_MOBILES: readonly (readonly [unknown, string])[] = [
  [undefined, '请输入手机号'],
  ['', '请输入手机号'],
  ['   ', '请输入手机号'],
  ['1380000000', '请输入11位手机号'],
  ['138000000012', '请输入11位手机号'],
  ['+8613800000001', '请输入11位手机号'],
  ['12800000001', '手机号格式不正确'],
  ['23800000001', '手机号格式不正确'],
  ['1380000000a', '手机号格式不正确'],
  ['１３８００００００１２', '手机号格式不正确'],
  [13_800_000_001, '请求内容有误：{field} 应为文字'],
  ['1'.repeat(101), '请求内容有误：{field} 最多 100 个字符'],
];

const BAD_USERS: readonly (readonly [unknown, string])[] = [
  [undefined, '请输入用户名'],
  ['', '请输入用户名'],
  [' \t ', '请输入用户名'],
  ['a', '长度在2-30个字符'],
  [' a ', '长度在2-30个字符'],
  ['🚢', '长度在2-30个字符'],
  ['a'.repeat(31), '长度在2-30个字符'],
  [42, '请求内容有误：personid 应为文字'],
  [null, '请求内容有误：personid 应为文字'],
  ['a'.repeat(101), '请求内容有误：personid 最多 100 个字符'],
  [`' or 1=1 --`, WRONG],
  ['sp.aa%', WRONG],
];

const FORMS = [
  { path: 'login', field: 'personid', accounts: BAD_USERS, good: (at: number) => `nobody.${at}` },
  { path: 'loginByMobile', field: 'psMobile', accounts: BAD_MOBILES, good: (at: number) => `1381000${1_000 + at}` },
  { path: 'loginByAgcustMobileNo', field: 'personid', accounts: BAD_MOBILES, good: () => CUSTOMER },
] as const; // prettier-ignore
const CUSTOMER = '13900007777';

describe.each(FORMS)('$path', ({ path, field, accounts, good }) => {
  beforeAll(async () => {
    const token = await example.signIn('sp.aa', 'SP');
    const body = { name: `客户 ${path}`, accounts: [{ mobile: CUSTOMER, name: '经办', password: 'Demo-2026', status: 'active' }] };
    if (field === 'personid') await example.call('POST', '/erp/api/data/partner', { token, body });
  }); // prettier-ignore

  it.each(accounts)('an account of %j is told %s', async (account, message) => {
    const { status, body } = await send({ [field]: account, password: sealed() });
    expect([status, body.msg]).toEqual([400, message.replace('{field}', field)]);
    expect(body.data).toBeNull();
    // A refused form names its field, a failed login none.
    expect(body.problems?.[0]?.path).toBe(message === WRONG ? undefined : field);
  });

  it.each(BAD_PASSWORDS)('a password of %j is told %s', async (password, message) => {
    const at = BAD_PASSWORDS.findIndex(([one]) => one === password);
    const { status, body } = await send({ [field]: good(at), password });
    expect([status, body.msg]).toEqual([400, message]);
    expect(body.data).toBeNull();
    expect(body.problems?.[0]?.path).toBe(message === WRONG ? undefined : 'password');
  });

  it.each([
    ['[]', '请求内容有误：应为对象'],
    ['"sp.aa"', '请求内容有误：应为对象'],
    ['{"personid":', '请求内容不是有效的JSON'],
    ['{"personid":"sp\\u0000aa","password":"x"}', '文字中含有无效字符'],
    ['{"personid":"\\ud800","password":"x"}', '文字中含有无效字符'],
    ['{"__proto__":{"roleId":"AD"}}', '不允许的键 "__proto__"'],
    ['{"roleId":"AD"}', '请求内容有误：roleId 是未知字段'],
  ])('a body of %s is told %s', async (text, message) => {
    const { status, body } = await send(text);
    expect([status, body.msg]).toEqual([400, message]);
  });

  let tries = 0;
  function send(body: unknown) {
    tries += 1;
    const headers = { 'x-forwarded-for': `10.1.${path.length}.${tries}`, 'content-type': 'application/json' };
    return example.call('POST', `/erp/api/sys/${path}`, { body, headers });
  }
});

/** An envelope around bytes that are no text. */
function sealBytes(bytes: Buffer): string {
  const iv = randomBytes(16);
  const cipher = createCipheriv('aes-128-cbc', DEMO_AES_KEY, iv);
  return Buffer.concat([iv, cipher.update(bytes), cipher.final()]).toString('base64');
}
