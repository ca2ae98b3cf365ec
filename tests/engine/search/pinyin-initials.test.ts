import { describe, expect, it } from 'vitest';
import { matchesTyped, typedRank } from '#engine/search/pinyin-initials.ts';

describe('what is typed finds a text', () => {
  it.each([
    ['宁波', 'nb', true],
    ['宁波舟山港', 'zsg', true],
    ['外销合同', 'WXHT', true],
    ['重庆', 'cq', true],
    ['厦门', 'xm', true],
    ['洛杉矶 LOS ANGELES', 'lsj', true],
    ['洛杉矶 LOS ANGELES', 'los an', true],
    ['外销合同', '销合', true],
    ['宁波', 'bn', false],
    ['宁波', 'nbg', false],
    ['USD 美元', 'my', true],
  ])('%s by %s: %s', (text, typed, isFound) => {
    expect(matchesTyped(text, typed)).toBe(isFound);
  });

  it('ranks what begins so before what holds it, and initials last', () => {
    expect(['宁波', '宁波港', '北仑宁波', '南北'].map((text) => typedRank(text, '宁波'))).toEqual([
      0,
      1,
      3,
      null,
    ]);
    expect(['宁波港', 'KRANENBURG', '北仑宁波'].map((text) => typedRank(text, 'nb'))).toEqual([2, 3, 4]);
  });
});
