import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { BodyLimits } from '#contract/limits.ts';
import type { RegisteredRoute } from '#server/http/route-table.ts';
import { type Example, type Reply, startExample } from '../support/running-example.ts';

const ID = '00000000-0000-7000-8000-000000000000';
let example: Example;
let token: string;
let calls: readonly RegisteredRoute[];

beforeAll(async () => {
  example = await startExample();
  token = await example.signIn('ad.aa');
  calls = example.server.routes.filter(({ method, path }) => method !== 'GET' && path.startsWith('/erp/'));
});
afterAll(() => example.close());

/** Bodies that no call takes, made to a call's own limits. */
const REFUSED: readonly (readonly [what: string, body: (limits: BodyLimits) => string, status: number, msg: RegExp])[] = [
  ['a key too many', ({ keys }) => object(keys + 1, (index) => `k${index % 400}`), 413, /个键$/],
  ['an item too many', ({ items }) => `{"items":[${'0,'.repeat(items + 1)}0]}`, 413, /项$/],
  ['a key of 400 kB', ({ bytes }) => `{"${'k'.repeat(Math.min(400_000, bytes - 10))}":1}`, 413, /键最长/],
  ['a byte too many', ({ bytes }) => JSON.stringify({ opinion: 'x'.repeat(bytes) }), 413, /提交的内容过大/],
  ['a number of 4,000 digits', () => `{"version":${'9'.repeat(4_000)}}`, 413, /数字过长/],
  ['100 levels', () => `{"a":${'['.repeat(100)}${']'.repeat(100)}}`, 400, /嵌套超过32层/],
  ['half a character', () => '{"opinion":"\\udc00"}', 400, /无效字符/],
  ['NUL', () => '{"opinion":"\\u0000"}', 400, /无效字符/],
  ['__proto__', () => '{"__proto__":{"isAdmin":true}}', 400, /不允许的键/],
]; // prettier-ignore

describe('every call that takes a body', () => {
  it('is one of the calls that the server has', () => {
    expect(calls.length).toBeGreaterThan(45);
    const publicCalls = calls.filter(({ permission }) => permission === 'public' || permission === 'visitor');
    expect(publicCalls.length).toBeGreaterThan(9);
    for (const { limits, path } of publicCalls) expect([path, limits.keys, limits.bytes]).toEqual([path, 64, 16_384]);
  }); // prettier-ignore

  it.each(REFUSED)('refuses %s in short Chinese', async (_what, bodyOf, status, msg) => {
    for (const route of calls) {
      const answer = await send(route, bodyOf(route.limits));
      expect([route.path, answer.status]).toEqual([route.path, status]);
      expect(answer.body.msg).toMatch(msg);
      expect(JSON.stringify(answer.body).length).toBeLessThan(400);
    }
  });

  it('refuses 300,000 keys, and the answer arrives while the sender is still sending', async () => {
    const body = object(300_000, (index) => `k${index.toString(36)}`);
    const kinds = new Map(calls.map((route) => [`${route.permission} ${route.limits.bytes}`, route]));
    expect(kinds.size).toBeGreaterThan(5);
    for (const route of kinds.values()) {
      const answer = await send(route, body);
      expect([route.path, answer.status]).toEqual([route.path, 413]);
      expect(answer.body.msg).toMatch(/^提交的内容过/);
    }
  });

  it('answers what is just within its limits shortly and with at most twenty problems', async () => {
    let own = await example.signIn('ad.ae');
    for (const route of calls) {
      const body = object(Math.min(route.limits.keys, 400), (index) => `${index}`.padEnd(190, 'k'));
      let answer = await send(route, body, own);
      if (answer.status === 401 && route.permission !== 'public') {
        // The call before this one ended the session.
        own = await example.signIn('ad.ae');
        answer = await send(route, body, own);
      }
      const size = JSON.stringify(answer.body).length;
      expect([route.path, answer.status < 500, size < 12_000]).toEqual([route.path, true, true]);
      expect(answer.body.problems?.length ?? 0).toBeLessThanOrEqual(20);
    }
  }); // prettier-ignore

  it('takes files only where it asks for them', async () => {
    const form = new FormData();
    form.append('files', new Blob(['x'.repeat(100_000)]), 'a.txt');
    for (const route of calls) {
      if (route.takesFiles) continue;
      const answer = await example.call(route.method, addressOf(route), { token, body: form });
      expect([route.path, answer.status, answer.body.msg]).toEqual([route.path, 415, '不支持的内容类型']);
    }
  });
});

describe('a record with too much in it', () => {
  it('has twenty problems told, and none of them repeats what was sent at length', async () => {
    const own = await example.signIn('sp.aa', 'SP');
    const body = Object.fromEntries(Array.from({ length: 300 }, (_key, index) => [`titel${index}`.padEnd(190, 'x'), 1]));
    for (const path of ['/erp/api/data/note', '/erp/api/data/note/preview']) {
      const answer = await example.call('POST', path, { token: own, body });
      const problems = answer.status === 200 ? (answer.body.data as { problems: unknown[] }).problems : answer.body.problems;
      expect([path, problems?.length]).toEqual([path, 20]);
      expect(JSON.stringify(problems).length).toBeLessThan(6_000);
    }
  }); // prettier-ignore
});

function send(route: RegisteredRoute, body: string, as = token): Promise<Reply> {
  return example.call(route.method, addressOf(route), { token: as, body });
}

function addressOf({ path }: RegisteredRoute): string {
  return path.replace(':resource', 'note').replaceAll(/:(?:id|taskId|importId|link)\b/g, ID).replaceAll(/:\w+/g, 'x');
} // prettier-ignore

function object(count: number, key: (index: number) => string): string {
  return `{${Array.from({ length: count }, (_member, index) => `"${key(index)}":1`).join(',')}}`;
}
