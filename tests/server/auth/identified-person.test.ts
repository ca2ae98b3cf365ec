import { describe, expect, it } from 'vitest';
import { chooseLikely, type Likely } from '#server/auth/oidc/identified-person.ts';

const NOBODY: Likely = { personId: 'p', isOpen: true, hasName: false, hasEmail: false, hasOtherEmail: false };
const person = (given: Partial<Likely>): Likely => ({ ...NOBODY, ...given });

describe('of those whom an identity may mean', () => {
  it('the one with the name is meant', () => {
    expect(chooseLikely([person({ personId: 'a', hasName: true })])).toEqual({ personId: 'a' });
  });

  it('the name decides between several with the address', () => {
    const named = person({ personId: 'a', hasName: true, hasEmail: true });
    expect(chooseLikely([person({ personId: 'b', hasEmail: true }), named])).toEqual({ personId: 'a' });
  });

  it('who has the name and another address is not taken on trust', () => {
    expect(chooseLikely([person({ hasName: true, hasOtherEmail: true })])).toEqual({
      refusal: 'OIDC_AMBIGUOUS',
    });
  });

  it('who has left does not stand in the way of the one who has the address now', () => {
    const left = person({ personId: 'a', isOpen: false, hasEmail: true });
    expect(chooseLikely([left, person({ personId: 'b', hasEmail: true })])).toEqual({ personId: 'b' });
    expect(chooseLikely([left])).toEqual({ refusal: 'OIDC_ACCOUNT_CLOSED' });
  });
});
