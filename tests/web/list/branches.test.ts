import { describe, expect, it } from 'vitest';
import { type Branch, branchesOf } from '#web/pages/list/branches.ts';
import { addressFilter, readAddress, writeAddress } from '#web/pages/list/list-address.ts';

const row = (id: string, up: string | null, status = 'active') => ({
  id,
  up,
  name: id.toUpperCase(),
  status,
});
const shape = (branches: readonly Branch[]): readonly unknown[] =>
  branches.map(({ key, children }) => (children.length === 0 ? key : [key, shape(children)]));

describe('the tree beside a list', () => {
  it.each([
    ['keeps the order of rows', [row('a', null), row('b', null), row('c', 'a')], [['a', ['c']], 'b']],
    ['shows what hangs on a closed row at the top', [row('c', 'gone'), row('d', 'c')], [['c', ['d']]]],
    ['leaves a circle out', [row('a', 'b'), row('b', 'a'), row('c', null)], ['c']],
  ])('%s', (_what, rows, expected) => {
    expect(shape(branchesOf(rows, { parent: 'up', label: 'name' }))).toEqual(expected);
  });

  it('narrows the list to a branch that the address names', () => {
    const id = '01910000-0000-7000-8000-000000000001';
    const address = { ...readAddress(new URLSearchParams()), branch: id };
    const again = readAddress(writeAddress(new URLSearchParams('uid=1'), address));
    expect(addressFilter(again, { status: { eq: 'active' } }, 'dept_id')).toEqual({
      and: [{ status: { eq: 'active' } }, { dept_id: { under: id } }],
    });
    expect(addressFilter(again, undefined)).toBeNull();
    expect(readAddress(new URLSearchParams('b=nothing')).branch).toBeNull();
  });
});
