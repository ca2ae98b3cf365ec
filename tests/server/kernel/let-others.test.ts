import { expect, it } from 'vitest';
import { mapInTurns } from '#server/kernel/let-others.ts';

it('long work lets others be served every few dozen items, and several of it take turns', async () => {
  let round = 0;
  let isOver = false;
  const others = (): void => {
    round += 1;
    if (!isOver) setImmediate(others);
  };
  setImmediate(others);
  const done = new Map<number, number>();
  const work = (item: number): number => {
    done.set(round, (done.get(round) ?? 0) + 1);
    return item * 2;
  };
  const items = Array.from({ length: 600 }, (_item, index) => index);
  const results = await Promise.all([items, items, items].map((list) => mapInTurns(list, work)));
  isOver = true;
  expect(results).toEqual([1, 2, 3].map(() => items.map((item) => item * 2)));
  done.delete(0);
  expect(Math.max(...done.values())).toBe(60);
  expect(done.size).toBeGreaterThan(20);
});

it('one item that weighs much is the work of one turn', async () => {
  const seen: number[] = [];
  const ticks: number[] = [];
  const later = new Promise<void>((resolve) => {
    setImmediate(() => {
      ticks.push(seen.length);
      resolve();
    });
  });
  await mapInTurns([1, 2, 3], (item) => seen.push(item), () => 500);
  await later;
  expect(ticks).toEqual([1]);
}); // prettier-ignore
