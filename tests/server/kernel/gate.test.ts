import { expect, it } from 'vitest';
import { createGate } from '#server/kernel/gate.ts';

const MESSAGE = '请稍候';

it('lets so many in at once and the others in the order they came', async () => {
  const gate = createGate({ atOnce: 2, perPerson: 9, waiting: 9, message: MESSAGE });
  const { begun, work, end } = aWork();
  const all = Promise.all([1, 2, 3, 4].map((number) => gate('anna', work(number))));
  await settled();
  expect(begun).toEqual([1, 2]);
  end(2);
  await settled();
  expect(begun).toEqual([1, 2, 3]);
  end(1);
  end(3);
  await settled();
  end(4);
  expect(await all).toEqual([1, 2, 3, 4]);
});

it('sends one person away beyond the share, and everybody when the queue is full, with how long to wait', async () => {
  const gate = createGate({ atOnce: 1, perPerson: 2, waiting: 2, message: MESSAGE });
  const { work, end } = aWork();
  const refusal = { code: 'RATE_LIMITED', message: MESSAGE, retryAfterS: 10 };
  const first = [gate('anna', work(1)), gate('anna', work(2))];
  await expect(gate('anna', work(3))).rejects.toMatchObject(refusal);
  const other = gate('bert', work(4));
  await expect(gate('carl', work(5))).rejects.toMatchObject(refusal);
  for (const number of [1, 2, 4]) {
    await settled();
    end(number);
  }
  expect(await Promise.all([...first, other])).toEqual([1, 2, 4]);
  expect(await gate('anna', async () => 6)).toBe(6);
});

it('gives the place on when the work fails', async () => {
  const gate = createGate({ atOnce: 1, perPerson: 1, waiting: 0, message: MESSAGE });
  await expect(gate('anna', () => Promise.reject(new TypeError('x')))).rejects.toThrow('x');
  expect(await gate('anna', async () => 1)).toBe(1);
});

/** Pieces of work that end when they are told to. */
function aWork() {
  const begun: number[] = [];
  const ends = new Map<number, () => void>();
  return {
    begun,
    work: (number: number) => () =>
      new Promise<number>((resolve) => {
        begun.push(number);
        ends.set(number, () => resolve(number));
      }),
    end: (number: number): void => ends.get(number)?.(),
  };
}

function settled(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}
