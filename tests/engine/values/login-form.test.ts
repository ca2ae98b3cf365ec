import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { accountFault, loginFaults, type LoginTab } from '#engine/values/login-form.ts';

/** What is typed and what is said of it. */
type Case = readonly [string, string | undefined];

const PASSWORDS: readonly Case[] = [
  ['', '请输入密码'],
  ['1', '长度在 6 到 30 个字符'],
  ['12345', '长度在 6 到 30 个字符'],
  ['     ', '长度在 6 到 30 个字符'],
  ['密码密码密', '长度在 6 到 30 个字符'],
  ['🚢🚢🚢🚢🚢', '长度在 6 到 30 个字符'],
  ['1'.repeat(31), '长度在 6 到 30 个字符'],
  ['密'.repeat(60), '长度在 6 到 30 个字符'],
  ['123456', undefined],
  ['🚢'.repeat(30), undefined],
];

const USERS: readonly Case[] = [
  ['', '请输入用户名'],
  ['a', '长度在2-30个字符'],
  ['周', '长度在2-30个字符'],
  ['🚢', '长度在2-30个字符'],
  ['.', '长度在2-30个字符'],
  ['a'.repeat(31), '长度在2-30个字符'],
  ['周'.repeat(31), '长度在2-30个字符'],
  ['a'.repeat(60), '长度在2-30个字符'],
  ['周明', undefined],
  ['sp.aa', undefined],
  ['a'.repeat(30), undefined],
];

const MOBILES: readonly Case[] = [
  ['', '请输入手机号'],
  ['1', '请输入11位手机号'],
  ['sp.aa', '请输入11位手机号'],
  ['1380000000', '请输入11位手机号'],
  ['138000000011', '请输入11位手机号'],
  ['138 0000 0001', '请输入11位手机号'],
  ['+8613800000001', '请输入11位手机号'],
  ['010-88886666', '请输入11位手机号'],
  ['01380000001', '手机号格式不正确'],
  ['10800000001', '手机号格式不正确'],
  ['11800000001', '手机号格式不正确'],
  ['12800000001', '手机号格式不正确'],
  ['23800000001', '手机号格式不正确'],
  ['1380000000a', '手机号格式不正确'],
  ['1380000.001', '手机号格式不正确'],
  ['-1380000001', '手机号格式不正确'],
  ['１３８００００００１１', '手机号格式不正确'],
  ['一三八零零零零零零零一', '手机号格式不正确'],
  ['13800000001', undefined],
  ['19900000001', undefined],
];

describe.each<readonly [LoginTab, readonly Case[], string]>([
  ['management', USERS, 'sp.aa'],
  ['mobile', MOBILES, '13800000001'],
  ['customer', MOBILES, '13900000001'],
])('the form of %s', (tab, accounts, good) => {
  it.each(accounts)('says of the account %j: %j', (account, message) => {
    expect(loginFaults(tab, { account, password: 'Demo-2026' }).account).toBe(message);
    expect(accountFault(tab, account)).toBe(message ?? null);
  });

  it.each(PASSWORDS)('says of the password %j: %j', (password, message) => {
    expect(loginFaults(tab, { account: good, password }).password).toBe(message);
  });

  it('names the account before the password, so that the focus goes there first', () => {
    expect(Object.keys(loginFaults(tab, { account: '', password: '' }))).toEqual(['account', 'password']);
  });
});

describe('any text at all', () => {
  it('is a mobile number exactly when it is 1, then 3 to 9, then nine digits', () => {
    const digits = fc.array(fc.integer({ min: 0, max: 9 }), { minLength: 9, maxLength: 13 });
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          digits.map((all) => `1${all.join('')}`),
        ),
        (text) => {
          expect(accountFault('mobile', text) === null).toBe(/^1[3-9][0-9]{9}$/.test(text));
        },
      ),
    );
  });
});
