import { describe, expect, it } from 'vitest';
import { pinyin } from 'pinyin-pro';
import { matchesTyped, typedRank } from '#engine/search/typed-pinyin.ts';

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
    ['明细单列表', 'mingxidan', true],
    ['明细单列表', 'mingxid', true],
    ['明细单列表', 'xidanlie', true],
    ['外销合同', 'waixiao', true],
    ['重庆', 'chongqing', true],
    ['重庆', 'zhongq', true],
    ['旅游', 'lvyou', true],
    ['女装', 'nvzhuang', true],
    ['西安', 'xian', true],
    ['先锋', 'xian', true],
    ['宁波 NB01', 'bonb01', true],
    ['明细单列表', 'mxdan', true],
    ['明细单列表', 'mingxd', true],
    ['明细单列表', 'mxidlieb', true],
    ['上深安', 'shshena', true],
    ['明细单列表', 'mxan', false],
    ['明细单列表', 'ingxi', false],
    ['明细单列表', 'mingdan', false],
    ['明', 'mingx', false],
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
    expect(['宁波港', '北仑宁波', '波宁'].map((text) => typedRank(text, 'ningbo'))).toEqual([2, 4, null]);
  });

  it('reads the common characters as the dictionary of the server does', () => {
    const decoder = new TextDecoder('gb18030');
    const wrong: string[] = [];
    for (let high = 0xb0; high <= 0xf7; high += 1)
      for (let low = 0xa1; low <= 0xfe; low += 1) {
        const char = decoder.decode(new Uint8Array([high, low]));
        const readings = pinyin(char, { toneType: 'none', v: true, multiple: true, type: 'array' });
        const isKnown = readings.some((reading) => reading.length < 3 || matchesTyped(char, reading));
        if (/^[\u4e00-\u9fff]$/.test(char) && !isKnown) wrong.push(char);
      }
    expect(wrong.length).toBeLessThan(10);
  });
});
