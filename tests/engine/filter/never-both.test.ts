import { expect, it } from 'vitest';
import { neverBoth } from '#engine/filter/never-both.ts';

it.each([
  [{ kind: { eq: 'a' } }, { kind: { eq: 'b' } }, true],
  [{ kind: { eq: 'a' } }, { and: [{ owner: { eq: 'x' } }, { kind: { eq: 'b' } }] }, true],
  [{ kind: { eq: 'a' } }, { kind: { eq: 'a' } }, false],
  [{ kind: { eq: 'a' } }, { or: [{ kind: { eq: 'b' } }, { owner: { eq: 'x' } }] }, false],
  [{ kind: { eq: 'a' } }, { kind: { ne: 'a' } }, false],
  [{ kind: { eq: 'a' } }, { kind: { eq: { $: 'user.id' } } }, false],
  [{}, { kind: { eq: 'b' } }, false],
])('tells of %j and %j whether no row can meet both: %s', (one, other, isNever) => {
  expect(neverBoth(one, other)).toBe(isNever);
});
