import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildApp } from '#server/http/app.ts';
import { watchPulse } from '#server/kernel/db/pulse.ts';
import { StartRefusal } from '#server/kernel/start-refusal.ts';
import { siteOf } from '#server/http/site.ts';
import { createStreamHub } from '#server/workflow/notices/stream-hub.ts';
import { type Example, startExample } from '../support/running-example.ts';

let example: Example;
let token: string;

beforeAll(async () => {
  example = await startExample();
  token = await example.signIn('sp.aa', 'SP');
});
afterAll(() => example.close());

const postText = (body: string, type = 'application/json') =>
  example.call('POST', '/erp/api/sys/login', { body, headers: { 'content-type': type } });

describe('every answer', () => {
  it('is an envelope, also for unknown addresses below the API', async () => {
    for (const path of ['/erp/api/nothing', '/erp/msg/nothing', '/erp/api/data/unknown_thing/query']) {
      const { status, body } = await example.call('POST', path, { token, body: {} });
      expect([status, body.code, body.msg, body.data]).toEqual([404, 404, '404,找不到地址!', null]);
      expect(body.requestId).toBeTruthy();
    }
  });

  it.each([
    ['GET', '/erp/api/data/note', 'POST'],
    ['GET', '/erp/api/sys/login', 'POST'],
    ['PUT', '/erp/api/data/note/query', 'DELETE, GET, HEAD, PATCH, POST'],
    ['PUT', '/erp/api/data/note/some-id?version=1', 'DELETE, GET, HEAD, PATCH'],
    ['DELETE', '/erp/api/self', 'GET, HEAD'],
    ['OPTIONS', '/erp/api/approval/counts', 'GET, HEAD'],
    ['POST', '/health', 'GET, HEAD'],
  ])('names the methods of an address that does not know this one: %s %s', async (method, path, allowed) => {
    const { status, body, headers } = await example.call(method, path, { token });
    expect([status, body.code, body.msg, body.data]).toEqual([405, 405, '不支持的请求方法', null]);
    expect(headers.get('allow')).toBe(allowed);
  });

  it.each([
    ['POST', '/login'],
    ['PUT', '/erp/api/data/note/some-id/'],
    ['GET', '/erp/api/dataXnote'],
  ])('stays unknown where no method is known: %s %s', async (method, path) => {
    const { status, headers } = await example.call(method, path, { token });
    expect([status, headers.get('allow')]).toEqual([404, null]);
  });

  it('carries security headers and a request id', async () => {
    const { headers } = await example.call('GET', '/health');
    expect(headers.get('content-security-policy')).toContain("script-src 'self';");
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
  });

  it('refuses what is no JSON, no known type, or too deep, in Chinese', async () => {
    expect([(await postText('{')).status, (await postText('{')).body.msg]).toEqual([
      400,
      '请求内容不是有效的JSON',
    ]);
    expect((await postText('{"personid":"a\\u0000","password":"x"}')).body.msg).toBe('文字中含有无效字符');
    expect((await postText('a=b', 'application/x-www-form-urlencoded')).status).toBe(415);
    expect((await postText(`{"personid":"${'x'.repeat(5_000_000)}"}`)).status).toBe(413);
  });

  it('names the place of a wrong value', async () => {
    const { status, body } = await example.call('POST', '/erp/api/notice/query', {
      token,
      body: { pageSize: '20', colour: 1 },
    });
    expect(status).toBe(400);
    expect(body.problems).toEqual(
      expect.arrayContaining([
        { path: 'pageSize', code: 'type', message: '应为整数' },
        { path: 'colour', code: 'additionalProperties', message: '是未知字段' },
      ]),
    );
  });

  it('needs a session', async () => {
    for (const path of ['/erp/api/self', '/erp/api/meta/resources', '/erp/api/data/note/x'])
      expect((await example.call('GET', path)).status).toBe(401);
  });

  it("keeps administrators' calls to administrators", async () => {
    expect((await example.call('GET', '/erp/api/meta/faults', { token })).body.msg).toBe(
      '权限不足,请联系管理员!',
    );
    const admin = await example.signIn('ad.aa');
    expect((await example.call('GET', '/erp/api/meta/faults', { token: admin })).body.data).toEqual([]);
  });
});

describe('definitions for the browser', () => {
  it('are stripped to the role and tagged', async () => {
    const first = await example.call('GET', '/erp/api/meta/resources/note', { token });
    const note = first.body.data as {
      fields: Record<string, unknown>;
      operations: string[];
      dictionaries: Record<string, { items: unknown[] }>;
    };
    expect(Object.keys(note.fields)).not.toContain('secret_cost');
    expect(note.operations).toContain('create');
    expect(note.dictionaries['currency_code']?.items).toHaveLength(2);
    const etag = first.headers.get('etag') ?? '';
    const again = await example.call('GET', '/erp/api/meta/resources/note', {
      token,
      headers: { 'if-none-match': etag },
    });
    expect(again.status).toBe(304);
    // Who is told of nothing but has an answer, even the shortest, knows whether definitions changed.
    expect(again.headers.get('x-definitions')).toBe(first.headers.get('x-definitions'));
    expect(first.headers.get('x-definitions')).toMatch(/^[0-9a-f]{16}$/);
    const other = await example.signIn('tm.aa');
    const full = await example.call('GET', '/erp/api/meta/resources/note', { token: other });
    expect(Object.keys((full.body.data as { fields: object }).fields)).toContain('secret_cost');
    expect(full.headers.get('etag')).not.toBe(etag);
  });

  it('list only resources with rights, and all routes to anybody', async () => {
    const mine = (await example.call('GET', '/erp/api/meta/resources', { token })).body.data as {
      resource: string;
    }[];
    expect(mine.map(({ resource }) => resource).sort()).toEqual(['department', 'note', 'partner', 'person']);
    const routes = (await example.call('GET', '/erp/api/meta/routes')).body.data as {
      path: string;
      guard?: string;
    }[];
    expect(routes.find(({ path }) => path === '/user/role')?.guard).toBe('menu');
    expect(routes.map(({ path }) => path)).toContain('/x/help');
  });

  it('describe the site of a host', async () => {
    const { services } = example.server;
    const site = (host: string) => siteOf(services, host);
    expect(await site('ae.example.com')).toMatchObject({
      coCode: 'AE',
      coName: '乙公司',
      allowRegister: false,
    });
    expect(await site('127.0.0.1')).toMatchObject({ coCode: 'AA', allowRegister: true });
    expect(await site('AE.localhost')).toMatchObject({ coCode: 'AE' });
    expect(await site('elsewhere.example.com')).toMatchObject({
      coCode: '',
      coName: '',
      allowRegister: false,
    });
    // Nobody said that a proxy stands in front, so what a caller writes does not count.
    const forwarded = await example.call('GET', '/erp/api/meta/site', {
      headers: { 'x-forwarded-host': 'ae.example.com' },
    });
    expect(forwarded.body.data).toMatchObject({ coCode: 'AA' });
  });

  it('come with a description of the API, for the logged in only', async () => {
    expect((await example.call('GET', '/erp/api/docs/json')).status).toBe(401);
    expect((await example.call('GET', '/erp/api/docs')).status).toBe(401);
    const { body } = await example.call('GET', '/erp/api/docs/json', { token });
    expect(Object.keys((body as unknown as { paths: object }).paths)).toContain(
      '/erp/api/data/{resource}/query',
    );
    const page = await example.call('GET', '/erp/api/docs', { token });
    expect(page.status).toBe(200);
    expect(page.body).toContain('/erp/api/data/{resource}/export');
    expect(page.body).not.toContain('<script');
  });
});

const create = (key: string, body: unknown) =>
  example.call('POST', '/erp/api/data/note', { token, body, headers: { 'idempotency-key': key } });

describe('an idempotency key', () => {
  it('gives the same answer and one record, also when both come at once', async () => {
    const [first, second] = await Promise.all([
      create('k1', { title: '一次' }),
      create('k1', { title: '一次' }),
    ]);
    expect(first.status).toBe(200);
    expect(second.body).toEqual(first.body);
    const rows = await example.server.services.db.query(`select id from note where title = '一次'`);
    expect(rows).toHaveLength(1);
  });

  it('with another body is refused', async () => {
    await create('k2', { title: '甲' });
    expect((await create('k2', { title: '乙' })).status).toBe(422);
  });

  it('belongs to its person', async () => {
    await create('k3', { title: '丙' });
    const other = await example.signIn('tm.aa');
    const { status } = await example.call('POST', '/erp/api/data/note', {
      token: other,
      body: { title: '丁' },
      headers: { 'idempotency-key': 'k3' },
    });
    expect(status).toBe(200);
  });
});

describe('a route', () => {
  it('without a contract keeps the server from starting', async () => {
    const { services } = example.server;
    const hub = createStreamHub(services);
    const pulse = watchPulse({ login: services.db, onChange: () => undefined });
    const { app } = await buildApp(services, {
      hub,
      readiness: { isReady: true, step: '', growing: null, pulse },
    });
    expect(() => app.get('/erp/api/forgotten', async () => ({}))).toThrow(StartRefusal);
    await app.close();
    await pulse.stop();
    hub.stop();
  });
});

describe('personal pages', () => {
  it('list the own sessions and end one', async () => {
    const other = await example.signIn('sp.aa', 'SP');
    const sessions = (await example.call('GET', '/erp/api/self/sessions', { token })).body.data as {
      id: string;
      is_current: boolean;
    }[];
    expect(sessions.filter((session) => session.is_current)).toHaveLength(1);
    const stranger = sessions.find((session) => !session.is_current);
    expect(
      (await example.call('DELETE', `/erp/api/self/sessions?id=${stranger?.id ?? ''}`, { token })).status,
    ).toBe(200);
    expect((await example.call('GET', '/erp/api/self', { token: other })).status).toBe(401);
  });

  it('keep views of lists, shared ones for the company', async () => {
    const saved = await example.call('PUT', '/erp/api/views/note', {
      token,
      body: { name: '本月', is_shared: true, settings: { columns: ['title'] } },
    });
    expect(saved.status).toBe(200);
    const colleague = await example.signIn('tm.aa');
    const seen = (await example.call('GET', '/erp/api/views/note', { token: colleague })).body.data as {
      name: string;
      is_own: boolean;
    }[];
    expect(seen).toEqual([expect.objectContaining({ name: '本月', is_own: false })]);
    const elsewhere = await example.signIn('tm.ae');
    expect((await example.call('GET', '/erp/api/views/note', { token: elsewhere })).body.data).toEqual([]);
  });
});
