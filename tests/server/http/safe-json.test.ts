import { describe, expect, it } from 'vitest';
import { AppError } from '#server/kernel/errors.ts';
import { type BodyLimits, FORM_BODY, RECORD_BODY } from '#contract/limits.ts';
import { parseSafeJson } from '#server/http/safe-json.ts';

const parse = (text: string | Buffer, limits: BodyLimits = FORM_BODY): unknown =>
  parseSafeJson(Buffer.from(text as string), limits);

const members = (count: number, member: (index: number) => string): string =>
  Array.from({ length: count }, (_member, index) => member(index)).join(',');

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

describe('a body with too much in it', () => {
  it('is refused at the first piece too many, whatever comes behind', () => {
    // What follows is no JSON: had it been read to the end, the refusal would be another.
    const refused: readonly (readonly [what: string, text: string, limits: BodyLimits, message: RegExp])[] = [
      ['keys', `{${members(65, (index) => `"k${index}":1`)},!`, FORM_BODY, /最多 64 个键/],
      ['keys of lines', `[${members(300, () => `{${members(101, (index) => `"k${index}":1`)}}`)},!`, RECORD_BODY, /最多 30000 个键/],
      ['different keys', `{${members(501, (index) => `"k${index}":1`)},!`, RECORD_BODY, /最多 500 个不同的键/],
      ['items', `[${members(102, () => '1')},!`, FORM_BODY, /最多 100 项/],
      ['items in lists of lists', `[[${members(60, () => '1')}],[${members(60, () => '1')}]!`, FORM_BODY, /最多 100 项/],
      ['a long key', `{"${'k'.repeat(201)}":!`, FORM_BODY, /键最长 200 个字符/],
      ['a long number', `{"a":${'9'.repeat(401)}!`, FORM_BODY, /数字过长/],
    ]; // prettier-ignore
    const told = refused.map(([what, text, limits]) => [what, refusalOf(text, limits)]);
    expect(told).toEqual(refused.map(([what, , , message]) => [what, expect.stringMatching(message)]));
  }); // prettier-ignore

  it('may have what looks like it inside of texts', () => {
    const text = `${'{"a":1},['.repeat(500)}${'9'.repeat(500)}`;
    expect(parse(JSON.stringify({ opinion: text, quoted: '"\\"' }))).toEqual({ opinion: text, quoted: '"\\"' });
  }); // prettier-ignore

  it('is taken up to the limit', () => {
    const lines = Array.from({ length: 500 }, () =>
      Object.fromEntries(Array.from({ length: 59 }, (_key, index) => [`column_${index}`, '1.00'])),
    );
    expect(parse(JSON.stringify({ items: lines }), RECORD_BODY)).toEqual({ items: lines });
  });
});

function refusalOf(text: string, limits: BodyLimits): string {
  try {
    parse(text, limits);
    return '';
  } catch (error) {
    return error instanceof AppError && error.code === 'BODY_TOO_LARGE' ? error.message : String(error);
  }
}
