import { expect, it } from 'vitest';
import { uuidv7 } from '#server/records/call/record-id.ts';

it('ids of one operation sort as they were made, whatever others draw between them', () => {
  const [mine, others] = [new Date(1_800_000_000_000), new Date(1_800_000_000_001)];
  const ids = Array.from({ length: 50 }, () => {
    const id = uuidv7(mine);
    uuidv7(others);
    return id;
  });
  expect(ids.toSorted()).toEqual(ids);
  expect(new Set(ids).size).toBe(ids.length);
});
