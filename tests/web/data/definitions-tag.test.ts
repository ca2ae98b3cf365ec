import { beforeEach, expect, test, vi } from 'vitest';

beforeEach(() => {
  vi.resetModules();
});

test('an answer made by other definitions than the last tells it once; one that says nothing changes nothing', async () => {
  const { noteDefinitions, subscribeDefinitions } = await import('#web/data/definitions-tag.ts');
  let told = 0;
  const stop = subscribeDefinitions(() => {
    told += 1;
  });
  const answer = (tag?: string) => ({ headers: new Headers(tag === undefined ? {} : { 'x-definitions': tag }) });
  const counts = [undefined, 'a', 'a', undefined, 'b', 'b', 'a'].map((tag) => {
    noteDefinitions(answer(tag));
    return told;
  });
  expect(counts).toEqual([0, 0, 0, 0, 1, 1, 2]);
  stop();
  noteDefinitions(answer('c'));
  expect(told).toBe(2);
});
