import { expect, it } from 'vitest';
import { SECRET } from '#engine/fields/secret.ts';
import { newPasswordFault } from '#engine/values/new-password.ts';
import { aCatalog, aContract } from '../../support/definitions.ts';

it('a new password has 8 to 30 characters, halves of characters not counted', () => {
  expect(['1234567', '🚢'.repeat(7), 'x'.repeat(31)].map(newPasswordFault)).toEqual(
    Array.from({ length: 3 }, () => '长度在 8 到 30 个字符'),
  );
  expect(['12345678', '🚢'.repeat(8), '船'.repeat(30)].map(newPasswordFault)).toEqual([null, null, null]);
});

it('a secret field asks for as much, whatever it says itself', () => {
  const { contract } = aCatalog(
    aContract(
      {},
      { plain: { type: 'secret', title: '密码' }, short: { type: 'secret', title: '密码', min: 4 } },
    ),
  ).resources;
  for (const name of ['plain', 'short']) {
    const field = contract?.fields[name];
    if (field === undefined) throw new TypeError(name);
    expect(SECRET.parse('1234567', field)).toEqual({
      problem: { code: 'too_short', message: '不能少于8个字' },
    });
    expect(SECRET.parse('x'.repeat(31), field)).toEqual({
      problem: { code: 'too_long', message: '不能超过30个字' },
    });
    expect(SECRET.parse('Geheim-1', field)).toEqual({ value: 'Geheim-1' });
  }
});
