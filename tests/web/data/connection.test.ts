// @vitest-environment jsdom
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

beforeEach(() => {
  vi.resetModules();
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test('a busy server is said to be busy, one that is away to be away, and the end of both is told', async () => {
  const connection = await import('#web/data/connection.ts');
  const answers = [() => Promise.resolve({ ok: false }), () => Promise.reject(new TypeError('refused'))];
  vi.stubGlobal('fetch', () => (answers.shift() ?? (() => Promise.resolve({ ok: true })))());
  const told: unknown[] = [];
  connection.subscribeConnection(() => told.push(connection.serverTrouble()));
  connection.noteBusyServer();
  await vi.advanceTimersByTimeAsync(10_000);
  expect(told).toEqual(['busy', 'lost', null]);
});

test('trouble that comes back at once is asked after less and less often', async () => {
  const connection = await import('#web/data/connection.ts');
  let asked = 0;
  vi.stubGlobal('fetch', () => {
    asked += 1;
    return Promise.resolve({ ok: true });
  });
  // Whoever failed asks again as soon as the server is back, and fails again.
  connection.subscribeConnection(() => {
    if (connection.serverTrouble() === null) setTimeout(connection.noteBusyServer, 1);
  });
  connection.noteBusyServer();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(asked).toBe(4);
});
