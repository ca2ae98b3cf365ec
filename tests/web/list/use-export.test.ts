// @vitest-environment jsdom
import { App } from 'antd';
import { act, createElement, useEffect } from 'react';
import { createRoot } from 'react-dom/client';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type RunningExport, useExport } from '#web/pages/list/use-export.ts';

Reflect.set(globalThis, 'IS_REACT_ACT_ENVIRONMENT', true);

type Reply = () => Response;
const lost: Reply = () => {
  throw new TypeError('Failed to fetch');
};
const gateway: Reply = () => new Response('<h1>gateway</h1>', { status: 503 });
const refused =
  (status: number, error: string): Reply =>
  () =>
    Response.json({ code: status, msg: '不行', data: null, error }, { status });
const job =
  (status: string): Reply =>
  () =>
    Response.json({ code: 200, msg: '', data: { id: 'j', status, progress: 0.5, message: '' } });
const file: Reply = () => new Response('xlsx', { headers: { 'content-type': 'application/vnd.ms-excel' } });

let replies: Reply[] = [];
const asked: string[] = [];
let saved = vi.fn<() => string>();
let run: RunningExport;

function Probe() {
  const now = useExport('商品', async () => ({ jobId: 'j' }));
  useEffect(() => {
    run = now;
  });
  return null;
}

const root = createRoot(document.createElement('div'));

beforeEach(async () => {
  vi.useFakeTimers();
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockReturnValue();
  vi.stubGlobal('fetch', async (path: string) => {
    // Whether the server is there again is asked beside it.
    if (!path.includes('/jobs/')) return lost();
    asked.push(path.replace('/erp/api/jobs/j', ''));
    return (replies.shift() ?? lost)();
  });
  saved = vi.fn(() => 'blob:x');
  Object.assign(URL, { createObjectURL: saved, revokeObjectURL: () => undefined });
  asked.length = 0;
  await act(async () => root.render(createElement(App, null, createElement(Probe))));
});
afterEach(async () => {
  await act(async () => root.render(null));
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

/** Starts an export, and goes on until nothing more is asked by itself. */
async function follow(given: readonly Reply[]): Promise<void> {
  replies = [...given];
  await act(() => run.start());
  await act(() => vi.advanceTimersByTimeAsync(10_000));
}

test.each([
  ['lost answers', [lost, job('running'), lost]],
  ['a gateway without its server', [gateway, gateway]],
  ['a server that is starting', [refused(503, 'UNAVAILABLE')]],
])('goes on through %s to its file', async (_what, before) => {
  await follow([...before, job('done'), file]);
  expect(asked).toEqual([...before.map(() => ''), '', '/file']);
  expect(saved).toHaveBeenCalledTimes(1);
  expect(run).toMatchObject({ job: null, isStarting: false, isUnfetched: false });
});

test.each([
  ['is lost', lost],
  ['cannot be read for now', refused(502, 'FILE_UNAVAILABLE')],
])('keeps a file that %s, to be fetched again', async (_what, broken) => {
  await follow([job('running'), job('done'), broken]);
  expect(saved).not.toHaveBeenCalled();
  expect(run.isUnfetched).toBe(true);
  replies = [job('done'), file];
  await act(async () => run.fetchAgain());
  await act(() => vi.advanceTimersByTimeAsync(1_000));
  expect(saved).toHaveBeenCalledTimes(1);
  expect(run).toMatchObject({ job: null, isStarting: false, isUnfetched: false });
});

test.each([
  ['its job fails', [job('failed')]],
  ['its job is refused', [refused(404, 'NOT_FOUND')]],
  ['its file is gone', [job('done'), refused(404, 'NOT_FOUND')]],
])('ends when %s', async (_what, given) => {
  await follow(given);
  expect(asked).toHaveLength(given.length);
  expect(run).toMatchObject({ job: null, isStarting: false, isUnfetched: false });
});
