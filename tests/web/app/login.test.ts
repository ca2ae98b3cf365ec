// @vitest-environment jsdom
import { createDecipheriv } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { codeLogin, decodedId, wantedAddress } from '#web/features/login/login-calls.ts';
import { readableAccent } from '#engine/values/readable-accent.ts';
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

describe('the accent', () => {
  test('is darkened until white text is readable', () => {
    expect(readableAccent('#1f5fbf')).toBe('#1f5fbf');
    expect(readableAccent('#ffd666')).not.toBe('#ffd666');
    expect(readableAccent('teal')).toBe('teal');
  });
});
