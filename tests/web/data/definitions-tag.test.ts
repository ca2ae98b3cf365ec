import { afterEach, beforeEach, expect, test, vi } from 'vitest';

beforeEach(() => {
  vi.resetModules();
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const answer = (tag?: string) => ({
  headers: new Headers(tag === undefined ? {} : { 'x-definitions': tag }),
});

async function counted() {
  const { noteDefinitions, subscribeDefinitions } = await import('#web/data/definitions-tag.ts');
  const told = { count: 0 };
  const stop = subscribeDefinitions(() => {
    told.count += 1;
  });
  return { told, stop, note: (tag?: string) => noteDefinitions(answer(tag)) };
}

test('an answer made by other definitions than the last tells it once; one that says nothing changes nothing', async () => {
  const { told, stop, note } = await counted();
  const counts = [undefined, 'a', 'a', undefined, 'b', 'b'].map((tag) => {
    note(tag);
    return told.count;
  });
  expect(counts).toEqual([0, 0, 0, 0, 1, 1]);
  stop();
  await vi.advanceTimersByTimeAsync(60_000);
  note('c');
  expect(told.count).toBe(1);
});

test('between two processes of different files a page does not read again at every answer, and reads the last', async () => {
  const { told, note } = await counted();
  for (let turn = 0; turn < 100; turn += 1) {
    note(turn % 2 === 0 ? 'a' : 'b');
    await vi.advanceTimersByTimeAsync(100);
  }
  // Ten seconds of it: at once, and every five.
  expect(told.count).toBe(2);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(told.count).toBe(3);
});
