// @vitest-environment jsdom
import { createDecipheriv } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import {
  codeLogin,
  codeSentNote,
  decodedId,
  isBackFromProvider,
  oidcAddress,
  wantedAddress,
  withoutProvider,
} from '#web/features/login/login-calls.ts';
import { readableAccent } from '#engine/values/readable-accent.ts';
import { shownSite } from '#engine/values/shown-site.ts';
import { writtenLogin } from '#engine/values/written-login.ts';
import { loginHtml } from '#web/features/login/login-html.tsx';
import { sealForTransport } from '#web/data/transport-cipher.ts';

describe('the password on its way', () => {
  test('is AES-CBC with a random IV in front, Base64', () => {
    const [first, second] = [sealForTransport('Demo-2026 密码'), sealForTransport('Demo-2026 密码')];
    expect(first).not.toBe(second);
    const bytes = Buffer.from(first, 'base64');
    const cipher = createDecipheriv('aes-128-cbc', 'erp-demo-aes-key', bytes.subarray(0, 16));
    expect(Buffer.concat([cipher.update(bytes.subarray(16)), cipher.final()]).toString('utf8')).toBe(
      'Demo-2026 密码',
    );
  });
});

describe('a link with a code', () => {
  test('logs in with the decoded id and hands everything on', () => {
    const query = new URLSearchParams(`code=Ab9&id=${btoa('13900000001')}&isp=x&cwStatus=1&other=no`);
    expect(codeLogin(query)).toEqual({ personid: '13900000001', code: 'Ab9', isp: 'x', cwStatus: '1' });
  });

  test('without a code there is none', () => {
    expect(codeLogin(new URLSearchParams('id=1'))).toBeNull();
  });

  test('an id that is no Base64 of an id stays as it is', () => {
    expect(decodedId('13900000001')).toBe('13900000001');
    expect(decodedId('客户')).toBe('客户');
  });
});

test('who asks after a registration is told of a registration, not of an account', () => {
  expect(codeSentNote('progress')).toBe('有注册记录时，验证码会发到该手机');
  expect(codeSentNote('password')).toBe('账号与手机号相符时，验证码会发到该手机');
});

describe('after the login', () => {
  test.each([
    ['?back=%2Fdetails%2Flist%3Fpage%3D2', '/details/list?page=2'],
    ['', '/index/index'],
    ['?back=https://evil.example', '/index/index'],
    ['?back=//evil.example', '/index/index'],
    ['?back=/%5Cevil.example', '/index/index'],
    ['?back=/login', '/index/index'],
    ['?back=/', '/index/index'],
  ])('%j leads to %j', (search, address) => {
    expect(wantedAddress(search)).toBe(address);
  });
});

describe('the way by an identity provider', () => {
  test('takes along what one wanted, where that is in this site', () => {
    expect(oidcAddress('')).toBe('/erp/api/sys/oidc/begin');
    expect(oidcAddress('?back=%2Fdetails%2Flist%3Fpage%3D2')).toBe(
      '/erp/api/sys/oidc/begin?back=%2Fdetails%2Flist%3Fpage%3D2',
    );
    expect(oidcAddress('?back=//evil.example')).toBe('/erp/api/sys/oidc/begin');
  });

  test('ends at the login page, which forgets that one came from there and keeps what one wanted', () => {
    expect([isBackFromProvider('?oidc=1'), isBackFromProvider('?back=%2Fx')]).toEqual([true, false]);
    expect(withoutProvider('?oidc=1')).toBe('/login');
    expect(wantedAddress(new URL(withoutProvider('?oidc=1&back=%2Fx%3Fa%3D1'), 'http://a').search)).toBe(
      '/x?a=1',
    );
  });

  test.each([
    ['management', true, true],
    ['mobile', true, true],
    ['customer', true, false],
    ['management', false, false],
  ] as const)('is offered on the way in %s when configured (%s): %s', (tab, hasOidc, isThere) => {
    const page = writtenLogin(loginHtml(), tab, shownSite({ hasOidc }));
    expect(page?.includes('用统一身份登录')).toBe(isThere);
  });
});

describe('the accent', () => {
  test('is darkened until white text is readable', () => {
    expect(readableAccent('#1f5fbf')).toBe('#1f5fbf');
    expect(readableAccent('#ffd666')).not.toBe('#ffd666');
    expect(readableAccent('teal')).toBe('teal');
  });
});
