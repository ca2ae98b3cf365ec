import { describe, expect, it } from 'vitest';
import { AppError } from '#server/kernel/errors.ts';
import { parseSafeJson } from '#server/http/safe-json.ts';

const parse = (text: string | Buffer): unknown => parseSafeJson(Buffer.from(text as string));

describe('request bodies', () => {
  it('are parsed as they are', () => {
    expect(parse('{"a":[1,"二",null,{"b":"}"}]}')).toEqual({ a: [1, '二', null, { b: '}' }] });
    expect(parse('')).toBeUndefined();
    expect(parse(`${'['.repeat(32)}1${']'.repeat(32)}`)).toBeDefined();
  });

  it.each([
    ['no JSON', '{"a":'],
    ['33 levels', `${'['.repeat(33)}1${']'.repeat(33)}`],
    ['hundred thousand levels', '['.repeat(100_000)],
    ['NUL', '{"a":"x\\u0000y"}'],
    ['a lone surrogate', '{"a":"\\ud800"}'],
    ['a lone surrogate in a key', '{"\\udc00":1}'],
    ['an infinite number', '{"a":1e999}'],
    ['__proto__', '{"__proto__":{"isAdmin":true}}'],
    ['constructor', '{"a":{"constructor":1}}'],
    ['no UTF-8', Buffer.from([0x7b, 0xff, 0x7d])],
  ])('are refused with %s', (_what, text) => {
    expect(() => parse(text)).toThrow(AppError);
    expect(() => parse(text)).toThrow(/\p{Script=Han}/u);
  });
});
