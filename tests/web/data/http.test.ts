// @vitest-environment jsdom
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { http, HttpFault } from '#web/data/http.ts';

type Answer = (response: ServerResponse) => void;
let answer: Answer = () => undefined;
const server = createServer((request, response) => {
  request.resume();
  request.on('end', () => answer(response));
});
const json = (status: number, body: unknown): Answer => (response) => {
  response.writeHead(status, { 'content-type': 'application/json; charset=utf-8' });
  response.end(JSON.stringify(body));
};
const plain = (status: number): Answer => (response) => {
  response.writeHead(status, { 'content-type': 'text/html' });
  response.end('<h1>gateway</h1>');
};
const fault = async (call: Promise<unknown>): Promise<HttpFault> => {
  const error: unknown = await call.then(
    () => null,
    (reason: unknown) => reason,
  );
  if (!(error instanceof HttpFault)) throw new TypeError('the call was not refused');
  return error;
};

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const original = globalThis.fetch;
  vi.stubGlobal('fetch', (path: string, init: RequestInit) => original(new URL(path, base), init));
  // jsdom is at / : the login page, from which nobody is sent to the login page.
});
afterAll(() => {
  vi.unstubAllGlobals();
  server.close();
});
beforeEach(() => localStorage.clear());

describe('answers', () => {
  test('the data of an envelope with code 200', async () => {
    answer = json(200, { code: 200, msg: '操作成功', data: { a: 1 } });
    expect(await http.get('/x')).toEqual({ a: 1 });
  });

  test('another code is refused with the message of the server, also under HTTP 200', async () => {
    answer = json(200, { code: 500, msg: '余额不足', data: null, requestId: 'r1' });
    const refused = await fault(http.post('/x'));
    expect(refused).toMatchObject({ message: '余额不足', code: 500, requestId: 'r1' });
  });

  test('problems and the current record of a stale version are kept', async () => {
    const problems = [{ path: 'items.0.quantity', code: 'min', message: '数量必须大于0' }];
    answer = json(409, { code: 409, msg: '单据已被他人修改，请刷新后重试', data: { current: { version: 3 } }, problems });
    const refused = await fault(http.patch('/x', {}));
    expect(refused.problems).toEqual(problems);
    expect(refused.current).toEqual({ version: 3 });
    expect(refused.statusCode).toBe(409);
  });

  test.each([
    [500, '服务器出错'],
    [504, '服务器出错'],
    [403, '权限不足,请联系管理员!'],
    [404, '404,找不到地址!'],
    [502, ''],
    [418, '未知错误'],
  ])('HTTP %i without an envelope says %j', async (status, message) => {
    answer = plain(status);
    expect((await fault(http.get('/x'))).message).toBe(message);
  });

  test('no answer in time says 请求超时!', async () => {
    answer = () => undefined;
    expect((await fault(http.get('/x', { timeoutMs: 60 }))).message).toBe('请求超时!');
  });

  test('files pass unchecked', async () => {
    answer = (response) => {
      response.writeHead(200, { 'content-type': 'application/pdf' });
      response.end('%PDF');
    };
    expect((await http.download('/files/1')).size).toBe(4);
  });
});

describe('an ended session', () => {
  const ended = json(401, { code: 401, msg: '登录已失效', data: null });

  test('clears what was stored', async () => {
    localStorage.setItem('authorization', 'old');
    answer = ended;
    await fault(http.get('/x'));
    expect(localStorage.getItem('authorization')).toBeNull();
  });

  test('does not touch a newer session that began meanwhile', async () => {
    localStorage.setItem('authorization', 'old');
    answer = (response) => {
      localStorage.setItem('authorization', 'new');
      ended(response);
    };
    await fault(http.get('/x'));
    expect(localStorage.getItem('authorization')).toBe('new');
  });

  test('is passed over while a role is being switched', async () => {
    localStorage.setItem('authorization', 'old');
    const waiting: ServerResponse[] = [];
    answer = (response) => waiting.push(response);
    const position = http.post('/sys/setPosition', {});
    const other = fault(http.get('/x'));
    await vi.waitFor(() => expect(waiting).toHaveLength(2));
    const [first, second] = waiting;
    const isPosition = (response: ServerResponse | undefined) => response?.req.url?.endsWith('setPosition') === true;
    const [positionAnswer, otherAnswer] = isPosition(first) ? [first, second] : [second, first];
    if (otherAnswer !== undefined) ended(otherAnswer);
    await other;
    expect(localStorage.getItem('authorization')).toBe('old');
    if (positionAnswer !== undefined) json(200, { code: 200, msg: '', data: { ok: true } })(positionAnswer);
    expect(await position).toEqual({ ok: true });
  });

  test('a refused login is none', async () => {
    localStorage.setItem('kept', '1');
    answer = ended;
    await fault(http.post('/sys/login', {}));
    expect(localStorage.getItem('kept')).toBe('1');
  });
});
