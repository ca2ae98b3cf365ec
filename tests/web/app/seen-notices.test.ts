import { expect, it } from 'vitest';
import { rememberSeen } from '#web/app/seen-notices.ts';

it('a repeated notice is heard of once, as long as it is remembered', () => {
  const isNew = rememberSeen(3);
  expect(['a', 'b', 'a', 'c', 'b', 'd', 'a', 'd'].map(isNew)).toEqual([
    true, true, false, true, false, true, true, false,
  ]); // prettier-ignore
});
