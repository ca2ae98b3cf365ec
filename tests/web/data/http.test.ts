// @vitest-environment jsdom
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { isConnectionLost } from '#web/data/connection.ts';
import { callForFile, download, http, HttpFault } from '#web/data/http.ts';

type Answer = (response: ServerResponse) => void;
let answer: Answer = () => undefined;
const server = createServer((request, response) => {
  request.resume();
  request.on('end', () => answer(response));
});
const json =
  (status: number, body: unknown): Answer =>
  (response) => {
    response.writeHead(status, { 'content-type': 'application/json; charset=utf-8' });
    response.end(JSON.stringify(body));
  };
const plain =
  (status: number): Answer =>
  (response) => {
    response.writeHead(status, { 'content-type': 'text/html' });
    response.end('<h1>gateway</h1>');
  };
const whole =
  (status: number, type: string, text: string): Answer =>
  (response) => {
    response.writeHead(status, { 'content-type': type });
    response.end(text);
  };
/** Headers and the beginning of a body, then nothing. */
const stalled =
  (status: number, type: string): Answer =>
  (response) => {
    response.writeHead(status, { 'content-type': type });
    response.write('{"code":');
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

const FILE = { params: { id: '1' } };
const exportFile = (options: { readonly timeoutMs?: number } = {}) =>
  callForFile('POST /data/:resource/export', { params: { resource: 'x' }, body: {}, ...options });

describe('a request that cannot be made', () => {
  test.each([
    ['a header that cannot be sent', () => http.get('/x', { headers: { 'x-key': '单据' } })],
    ['a header name that is none', () => http.get('/x', { headers: { 'no name': '1' } })],
    ['a body that is no JSON', () => http.post('/x', { amount: 1n })],
  ])('%s says 请求超时!, and nothing is sent', async (_what, call) => {
    let isCalled = false;
    answer = () => {
      isCalled = true;
    };
    expect((await fault(call())).message).toBe('请求超时!');
    expect(isCalled).toBe(false);
    expect(isConnectionLost()).toBe(false);
  });
});

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
    answer = json(409, {
      code: 409,
      msg: '单据已被他人修改，请刷新后重试',
      data: { current: { version: 3 } },
      problems,
    });
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
    [503, '服务器繁忙，请稍后重试'],
    [418, '未知错误'],
  ])('HTTP %i without an envelope says %j', async (status, message) => {
    answer = plain(status);
    expect((await fault(http.get('/x'))).message).toBe(message);
  });

  test('a server that cannot be reached is called so', async () => {
    answer = (response) => response.destroy();
    expect((await fault(http.get('/x'))).message).toBe('连不上服务器，请稍后重试');
  });

  test('no answer in time says 请求超时!', async () => {
    answer = () => undefined;
    expect((await fault(http.get('/x', { timeoutMs: 60 }))).message).toBe('请求超时!');
  });

  test.each([
    ['no JSON', '<h1>proxy</h1>'],
    ['half of one', '{"code":200,"data":{"a"'],
    ['nothing', ''],
    ['no envelope', '[1,2]'],
  ])('HTTP 200 with %s where JSON was announced says 未知错误', async (_what, text) => {
    answer = whole(200, 'application/json', text);
    expect((await fault(http.get('/x'))).message).toBe('未知错误');
    expect((await fault(download('GET /files/:id', FILE))).message).toBe('未知错误');
    expect((await fault(exportFile())).message).toBe('未知错误');
  });

  test('a refusal whose body is no JSON keeps the text of its status', async () => {
    answer = whole(500, 'application/json', '{"code"');
    expect((await fault(http.get('/x'))).message).toBe('服务器出错');
  });

  test.each([
    ['JSON', 'application/json', () => http.get('/x', { timeoutMs: 60 })],
    ['a downloaded file', 'application/pdf', () => download('GET /files/:id', { ...FILE, timeoutMs: 60 })],
    ['an exported file', 'application/pdf', () => exportFile({ timeoutMs: 60 })],
    ['JSON for a file', 'application/json', () => download('GET /files/:id', { ...FILE, timeoutMs: 60 })],
  ])('%s that stalls after its headers says 请求超时!', async (_what, type, call) => {
    answer = stalled(200, type);
    expect((await fault(call())).message).toBe('请求超时!');
  });

  /** Comes for longer than its limit, piece by piece. */
  const slowly = (type: string): void => {
    answer = (response) => {
      stalled(200, type)(response);
      let left = 8;
      const timer = setInterval(() => {
        left -= 1;
        if (left >= 0) response.write('12345678');
        else response.end(() => clearInterval(timer));
      }, 300);
    };
  };

  test.each([
    ['a downloaded file', () => download('GET /files/:id', { ...FILE, timeoutMs: 1_500 })],
    ['an exported file', () => exportFile({ timeoutMs: 1_500 })],
  ])('%s may come slowly', async (_what, call) => {
    slowly('application/pdf');
    expect(await call()).toMatchObject({ size: 72, type: 'application/pdf' });
  });

  test('JSON may not', async () => {
    slowly('application/json');
    expect((await fault(http.get('/x', { timeoutMs: 1_500 }))).message).toBe('请求超时!');
  });

  test.each([
    ['JSON', 'application/json', () => http.get('/x')],
    ['a file', 'application/pdf', () => download('GET /files/:id', FILE)],
    ['an exported file', 'application/pdf', () => exportFile()],
  ])('%s whose connection breaks in the middle says 请求超时!', async (_what, type, call) => {
    answer = (response) => {
      stalled(200, type)(response);
      setTimeout(() => response.destroy(), 20);
    };
    expect((await fault(call())).message).toBe('请求超时!');
  });

  test('a refusal that stalls keeps the text of its status', async () => {
    answer = stalled(403, 'application/json');
    expect((await fault(http.get('/x', { timeoutMs: 60 }))).message).toBe('权限不足,请联系管理员!');
  });

  test('a call that the page gave up is no fault of the catalogue, whenever it is given up', async () => {
    answer = stalled(200, 'application/json');
    const giving = new AbortController();
    const call = http.get('/x', { signal: giving.signal });
    setTimeout(() => giving.abort(), 40);
    await expect(call).rejects.toHaveProperty('name', 'AbortError');
  });

  test('an envelope where a file was expected is its refusal, also under HTTP 200', async () => {
    answer = json(200, { code: 500, msg: '文件暂时无法读取', data: null, requestId: 'r2' });
    const told = { message: '文件暂时无法读取', code: 500, requestId: 'r2' };
    expect(await fault(download('GET /files/:id', FILE))).toMatchObject(told);
    expect(await fault(exportFile())).toMatchObject(told);
    answer = json(200, { code: 200, msg: '', data: { jobId: 'j' } });
    expect(await exportFile()).toEqual({ jobId: 'j' });
    expect((await fault(download('GET /files/:id', FILE))).message).toBe('未知错误');
  });

  test('files pass unchecked', async () => {
    answer = (response) => {
      response.writeHead(200, { 'content-type': 'application/pdf' });
      response.end('%PDF');
    };
    expect((await download('GET /files/:id', FILE)).size).toBe(4);
    const file = await exportFile();
    expect('size' in file ? file.size : null).toBe(4);
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
    const isPosition = (response: ServerResponse | undefined) =>
      response?.req.url?.endsWith('setPosition') === true;
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
