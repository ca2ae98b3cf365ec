import { randomBytes } from 'node:crypto';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SECURITY_HEADERS } from '../../support/security-headers.ts';
import { type Example, sealed, startExample } from '../support/running-example.ts';

const ENDED = [401, '登录已失效，请重新登录'];
let example: Example;
let token: string;

beforeAll(async () => {
  example = await startExample();
  token = await example.signIn('sp.aa', 'SP');
});
afterAll(() => example.close());

describe('security headers', () => {
  const NOT_FOUND = '404,找不到地址!';
  it.each<readonly [what: string, method: string, path: string, status: number, msg: string]>([
    ['a probe', 'GET', '/health', 200, 'ok'],
    ['public data', 'GET', '/erp/api/meta/site', 200, '操作成功'],
    ['a refusal without a session', 'GET', '/erp/api/self', 401, '登录已失效，请重新登录'],
    ['an unknown address of the API', 'GET', '/erp/api/nothing', 404, NOT_FOUND],
    ['a method that is not taken', 'DELETE', '/erp/api/sys/login', 405, '不支持的请求方法'],
    ['a body that is no JSON', 'POST', '/erp/api/sys/login', 400, '请求内容不是有效的JSON'],
    ['a path with a broken escape', 'GET', '/erp/api/data/%E0%A4%A/query', 404, NOT_FOUND],
    ['a path with half an escape', 'GET', '/erp/api/%', 404, NOT_FOUND],
    ['a path with too long a part', 'GET', `/erp/api/data/${'x'.repeat(300)}/query`, 404, NOT_FOUND],
    ['the notice stream without a session', 'GET', '/erp/msg/sse/connect', 401, '登录已失效，请重新登录'],
  ])('are on %s', async (_what, method, path, status, msg) => {
    const body = method === 'POST' ? '{' : undefined;
    const answer = await example.call(method, path, body === undefined ? {} : { body });
    expect([answer.status, answer.body.msg]).toEqual([status, msg]);
    for (const [name, value] of Object.entries(SECURITY_HEADERS)) expect(answer.headers.get(name)).toBe(value);
    expect(answer.headers.get('x-powered-by')).toBeNull();
    expect(answer.headers.get('server')).toBeNull();
  }); // prettier-ignore

  it('are on data of a session, and a file may run nothing at all', async () => {
    const self = await example.call('GET', '/erp/api/self', { token });
    for (const [name, value] of Object.entries(SECURITY_HEADERS)) expect(self.headers.get(name)).toBe(value);
    const form = new FormData();
    const svg = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>';
    form.append('files', new Blob([svg], { type: 'image/png' }), 'a.png');
    const refused = await example.call('POST', '/erp/api/files?resource=note&field=scan', {
      token,
      body: form,
    });
    expect([refused.status, refused.body.msg]).toEqual([400, '不支持的文件类型']);
    const text = new FormData();
    text.append('files', new Blob(['%PDF-1.7 x'], { type: 'application/pdf' }), 'a.pdf');
    const stored = await example.call('POST', '/erp/api/files?resource=note&field=scan', {
      token,
      body: text,
    });
    const [file] = [stored.body.data].flat() as { readonly id: string }[];
    const sent = await example.call('GET', `/erp/api/files/${file?.id ?? ''}`, { token });
    expect([sent.status, sent.headers.get('content-security-policy')]).toEqual([
      200,
      "default-src 'none'; style-src 'unsafe-inline'; sandbox",
    ]);
    expect(sent.headers.get('x-content-type-options')).toBe('nosniff');
    expect(sent.headers.get('content-disposition')).toMatch(/^attachment; /);
  });
});

describe('an answer of the API', () => {
  it('is kept by no browser, whatever it says and whoever asks', async () => {
    const admin = await example.signIn('ad.aa');
    // Definitions carry a tag by which the browser asks again; files say so themselves.
    const kept: readonly string[] = ['/erp/api/meta/routes', '/erp/api/meta/resources', '/erp/api/meta/resources/:resource', '/erp/api/meta/permission-matrix'];
    const reading = example.server.routes.filter(({ method, path }) => method === 'GET' && path.startsWith('/erp/'));
    expect(reading.length).toBeGreaterThan(25);
    for (const { path } of reading)
      for (const as of [undefined, admin]) {
        const address = path.replace(':resource', 'note').replaceAll(/:\w+/g, 'x');
        const { headers, status } = await example.call('GET', address, as === undefined ? {} : { token: as });
        const isTagged = kept.includes(path) && status === 200;
        expect([path, headers.get('cache-control')]).toEqual([path, isTagged ? 'private, no-cache' : 'no-store']);
      }
  });

  it('to an address with hundreds of parameters is short', async () => {
    const query = Array.from({ length: 60 }, (_one, index) => `p${index}=1`).join('&');
    const answer = await example.call('GET', `/erp/api/meta/site?${query}`);
    expect([answer.status, answer.body.msg]).toEqual([400, '地址中的参数过多：最多 50 个']);
  });
}); // prettier-ignore

describe('a forged session token', () => {
  const forged: readonly (readonly [name: string, value: () => Promise<string> | string])[] = [
    ['empty', () => ''],
    ['blank', () => '   '],
    ['Bearer and nothing', () => 'Bearer '],
    ['random', () => randomBytes(32).toString('base64url')],
    ['random with the word before it', () => `Bearer ${randomBytes(32).toString('base64url')}`],
    ["somebody's, altered at its end", async () => altered(await example.signIn('tm.aa'), 42)],
    ["somebody's, altered at its start", async () => altered(await example.signIn('tm.aa'), 0)],
    ["somebody's in another case", async () => swapCase(await example.signIn('tm.aa'))],
    ["somebody's, cut", async () => (await example.signIn('tm.aa')).slice(0, 42)],
    ["somebody's and one character more", async () => `${await example.signIn('tm.aa')}A`],
    ["somebody's twice", async () => ((one) => `${one},${one}`)(await example.signIn('tm.aa'))],
    ['the hash that is stored', storedHash],
    ['huge', () => 'A'.repeat(8_000)],
    ['null', () => 'null'],
    ['undefined', () => 'undefined'],
    ['SQL', () => `' or 1=1 --${'x'.repeat(31)}`],
    ['a web token signed by nobody', () => 'eyJhbGciOiJub25lIn0.eyJwZXJzb25pZCI6ImFkLmFhIn0.'],
    ['a basic login', () => `Basic ${Buffer.from('ad.aa:Demo-2026').toString('base64')}`],
    ['of a session that was logged out', loggedOut],
    ['of a role that was switched away from', switchedAway],
  ];

  it.each(forged)('%s opens nothing', async (_name, value) => {
    const authorization = await value();
    for (const [method, path] of [
      ['GET', '/erp/api/self'],
      ['GET', '/erp/api/sys/session'],
      ['POST', '/erp/api/data/note/query'],
      ['GET', '/erp/msg/sse/connect?personid=x'],
    ] as const) {
      const body = method === 'POST' ? { body: {} } : {};
      const answer = await example.call(method, path, { ...body, headers: { authorization } });
      expect([path, answer.status, answer.body.msg]).toEqual([path, ...ENDED]);
    }
  });

  it('that no header line can carry is refused before anything looks at it, in Chinese', async () => {
    const answer = await rawAnswer(`GET /erp/api/self HTTP/1.1\r\nhost: x\r\nauthorization: ${'A'.repeat(20_000)}\r\n\r\n`);
    expect(answer).toMatch(/^HTTP\/1\.1 431 /);
    expect(answer).toContain('"msg":"请求头过长"');
    for (const header of ['cache-control: no-store', 'x-content-type-options: nosniff', 'x-request-id: '])
      expect(answer).toContain(header);
  }); // prettier-ignore

  it.each([
    ['no HTTP at all', 'what is this\r\n\r\n'],
    [
      'two lengths',
      'POST /erp/api/sys/login HTTP/1.1\r\nhost: x\r\ncontent-length: 2\r\ncontent-length: 3\r\n\r\n{}',
    ],
    [
      'a length and pieces',
      'POST /erp/api/sys/login HTTP/1.1\r\nhost: x\r\ncontent-length: 2\r\ntransfer-encoding: chunked\r\n\r\n{}',
    ],
  ])('in what is %s is answered in Chinese too', async (_what, text) => {
    const answer = await rawAnswer(text);
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
    expect(answer).toContain('"msg":"请求无法识别"');
  });

  it('expired by rest opens nothing, and does not come back', async () => {
    const rested = await example.signIn('dc.aa');
    example.advance(29 * 60_000);
    expect((await example.call('GET', '/erp/api/self', { token: rested })).status).toBe(200);
    example.advance(30 * 60_000 + 1_000);
    const late = await example.call('GET', '/erp/api/self', { token: rested });
    expect([late.status, late.body.msg]).toEqual(ENDED);
    expect((await example.call('GET', '/erp/api/self', { token: rested })).status).toBe(401);
  });

  it('expired by age opens nothing, however busy it was', async () => {
    const busy = await example.signIn('dc.aa');
    for (let minutes = 0; minutes < 700; minutes += 20) {
      example.advance(20 * 60_000);
      expect((await example.call('GET', '/erp/api/self', { token: busy })).status).toBe(200);
    }
    example.advance(20 * 60_000 + 1_000);
    const late = await example.call('GET', '/erp/api/self', { token: busy });
    expect([late.status, late.body.msg]).toEqual(ENDED);
  });
});

describe('a page of another site', () => {
  it.each([
    'application/json',
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
  ])('writes nothing by a POST of %s, whatever cookies come along', async (type) => {
    const own = await example.signIn('sp.aa', 'SP');
    const before = await notes();
    for (const path of [
      '/erp/api/data/note',
      '/erp/api/self/password',
      '/erp/api/files?resource=note&field=scan',
    ]) {
      const headers = {
        'content-type': type,
        origin: 'https://evil.example',
        'sec-fetch-site': 'cross-site',
        cookie: `authorization=${own}; Authorization=${own}; token=${own}`,
      };
      const answer = await example.call('POST', path, { body: '{"title":"x"}', headers });
      expect([path, answer.status, answer.body.msg]).toEqual([path, ...ENDED]);
      expect(answer.headers.get('access-control-allow-origin')).toBeNull();
    }
    expect(await notes()).toBe(before);
  });

  it('gets no leave to send the header, and a login gives no cookie', async () => {
    const headers = {
      origin: 'https://evil.example',
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'authorization, content-type',
    };
    const asked = await example.call('OPTIONS', '/erp/api/data/note', { headers });
    expect(asked.status).toBe(405);
    for (const name of ['origin', 'headers', 'methods', 'credentials'])
      expect(asked.headers.get(`access-control-allow-${name}`)).toBeNull();
    const body = { personid: 'sp.aa', password: sealed() };
    const login = await example.call('POST', '/erp/api/sys/login', { body, headers: { origin: 'https://evil.example' } });
    expect([login.status, login.headers.get('set-cookie')]).toEqual([200, null]);
    expect(login.headers.get('access-control-allow-origin')).toBeNull();
  }); // prettier-ignore
});

async function notes(): Promise<number> {
  const [row] = await example.server.services.db.query('select count(*)::int as n from note');
  return Number(row?.['n']);
}

function altered(own: string, place: number): string {
  // The last character carries two bits that no decoder reads: the change is in those that count.
  const next = own[place] === 'A' ? 'Q' : 'A';
  return `${own.slice(0, place)}${next}${own.slice(place + 1)}`;
}

function swapCase(own: string): string {
  return own.replace(/[a-zA-Z]/g, (one) =>
    one === one.toLowerCase() ? one.toUpperCase() : one.toLowerCase(),
  );
}

async function storedHash(): Promise<string> {
  await example.signIn('tm.aa');
  const [row] = await example.server.services.db.query(
    `select encode(token_hash, 'base64') as hash from sys_session where revoked_at is null order by created_at desc limit 1`,
  );
  return String(row?.['hash']).replaceAll('+', '-').replaceAll('/', '_').replace('=', '');
}

async function loggedOut(): Promise<string> {
  const own = await example.signIn('tm.aa');
  await example.call('POST', '/erp/api/sys/logout', { token: own });
  return own;
}

async function switchedAway(): Promise<string> {
  const own = await example.signIn('sp.aa', 'SP');
  await example.call('POST', '/erp/api/sys/setPosition', { token: own, body: { roleId: 'DM' } });
  return own;
}

/** Everything that comes back for bytes that no client of ours would send. */
function rawAnswer(text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(example.server.url);
    let answer = '';
    const socket = connect(Number(port), hostname, () => socket.write(text));
    socket.on('data', (chunk: Buffer) => {
      answer += chunk.toString('utf8');
    });
    socket.on('end', () => resolve(answer));
    socket.on('error', reject);
  });
}
