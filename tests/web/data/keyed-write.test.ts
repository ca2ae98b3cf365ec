// @vitest-environment jsdom
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { dataProvider } from '#web/data/data-provider.ts';
import { isUnanswered, keyedWrite } from '#web/data/keyed-write.ts';

interface Sent {
  readonly path: string;
  readonly key: string | null;
}

const envelope = (status: number, body: object): Response =>
  new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json' } });
const saved = () => envelope(200, { code: 200, msg: '保存成功', data: { id: 'made' } });
const lost = () => {
  throw new TypeError('Failed to fetch');
};

let sent: Sent[];
let answers: (() => Response)[];
beforeEach(() => {
  vi.useFakeTimers();
  sent = [];
  answers = [];
  vi.stubGlobal('fetch', async (path: string, { headers }: { headers?: Headers } = {}) => {
    if (path.includes('/meta/site')) return saved();
    sent.push({ path, key: headers?.get('Idempotency-Key') ?? null });
    return (answers.shift() ?? lost)();
  });
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

const create = (title: string) =>
  keyedWrite<{ readonly id: string }>({ method: 'post', path: '/data/note', body: { title } });
const outcome = async (write: Promise<unknown>): Promise<unknown> => {
  const settled = write.then(
    (value) => value,
    (error: unknown) => error,
  );
  await vi.runAllTimersAsync();
  return settled;
};

test('a write whose answer is lost is asked for again under its key', async () => {
  answers = [lost, lost, saved];
  expect(await outcome(create('一'))).toEqual({ id: 'made' });
  expect(sent).toHaveLength(3);
  expect(new Set(sent.map(({ key }) => key)).size).toBe(1);
});

test('a write that is still at work is waited for', async () => {
  answers = [
    () => envelope(409, { code: 409, msg: '处理中', error: 'IDEMPOTENCY_IN_PROGRESS', data: null }),
    saved,
  ];
  expect(await outcome(create('二'))).toEqual({ id: 'made' });
});

test('who gave up and sends the very same again uses the same key, another intention another', async () => {
  const given = await outcome(create('三'));
  expect(isUnanswered(given)).toBe(true);
  expect(given).toHaveProperty(
    'message',
    '没有收到服务器的答复，可能已经保存。网络恢复后请再试一次，不会重复保存',
  );
  const [{ key } = { key: '' }] = sent;
  answers = [saved, saved];
  await outcome(create('三'));
  await outcome(create('三'));
  expect(sent.at(-2)?.key).toBe(key);
  expect(sent.at(-1)?.key).not.toBe(key);
});

test('a refusal is an answer: nothing is asked again', async () => {
  answers = [() => envelope(422, { code: 422, msg: '金额不对', data: null })];
  expect(await outcome(create('四'))).toHaveProperty('message', '金额不对');
  expect(sent).toHaveLength(1);
});

test('a gateway that answers in the place of the server is asked twice more and no longer', async () => {
  answers = Array.from({ length: 9 }, () => () => new Response('', { status: 504 }));
  expect(await outcome(create('五'))).toHaveProperty('message', '服务器出错');
  expect(sent).toHaveLength(3);
});

test('a gateway without words of its own leaves open whether the work was done, and says so', async () => {
  answers = Array.from({ length: 9 }, () => () => new Response('', { status: 502 }));
  const given = await outcome(create('七'));
  expect(given).toHaveProperty(
    'message',
    '没有收到服务器的答复，可能已经保存。网络恢复后请再试一次，不会重复保存',
  );
  expect(isUnanswered(given)).toBe(true);
  expect(sent).toHaveLength(3);
});

test('actions and approvals through refine carry a key, questions by POST none', async () => {
  answers = [saved, saved];
  const { custom } = dataProvider;
  await outcome(
    custom?.({ url: '/data/note/1/actions/submit', method: 'post', payload: { version: 1 } }) ?? lost(),
  );
  const meta = { isRead: true };
  await outcome(custom?.({ url: '/data/note/preview', method: 'post', payload: {}, meta }) ?? lost());
  expect(sent.map(({ path, key }) => [path, key !== null])).toEqual([
    ['/erp/api/data/note/1/actions/submit', true],
    ['/erp/api/data/note/preview', false],
  ]);
});

test('a change that was written while its answer is gone for good is answered by the record as it is', async () => {
  const gone = { code: 409, msg: '已保存', error: 'IDEMPOTENCY_WRITTEN', data: null };
  answers = [() => envelope(409, gone), saved];
  const update = dataProvider.update({ resource: 'note', id: '1', variables: { version: 1, title: '六' } });
  expect(await outcome(update)).toEqual({ data: { id: 'made' } });
  expect(sent.at(-1)).toEqual({ path: '/erp/api/data/note/1', key: null });
});
