import { expect, it } from 'vitest';
import { rememberSeen } from '#web/app/seen-notices.ts';

it('a repeated notice is heard of once, as long as it is remembered', () => {
  const { isNew } = rememberSeen(3);
  expect(['a', 'b', 'a', 'c', 'b', 'd', 'a', 'd'].map(isNew)).toEqual([
    true, true, false, true, false, true, true, false,
  ]); // prettier-ignore
});

it('what is older than the notices that were there before is no news', () => {
  const { isNew, begin } = rememberSeen();
  begin(['f', 'd']);
  // One that was written late lies between them.
  expect(['b', 'd', 'e', 'f', 'g'].map(isNew)).toEqual([false, false, true, false, true]);
});
