import { describe, expect, it } from 'vitest';
import { syllableGrams, syllablePattern, writeSyllables } from '#engine/search/full-pinyin.ts';
import { queryGrams } from '#engine/search/search-text.ts';

const written = writeSyllables(['shen', 'zhen', 'abc 2', '', 'xi', 'an']);
const isFound = (typed: string): boolean => {
  const grams = new Set(syllableGrams([written]));
  const pattern = syllablePattern(typed);
  return (
    pattern !== null &&
    queryGrams(typed).every((gram) => grams.has(gram)) &&
    new RegExp(pattern, 'u').test(written)
  );
};

describe('full pinyin', () => {
  it('is found from the beginning of a syllable on, in small letters or capitals, with gaps or without', () => {
    expect(written).toBe("'SHEN'ZHEN'ABC2'XI'AN");
    for (const typed of ['shenzhen', 'shenzh', 'zhenabc2', 'xian', 'Shen Zhen', 'hen', 'enzhen', 'zhexian'])
      expect([typed, isFound(typed)]).toEqual([typed, !['hen', 'enzhen', 'zhexian'].includes(typed)]);
  });

  it('is not looked for by less than three letters, by digits alone, or by anything else', () => {
    expect(['sh', '', '123', 'a.*b', '深圳a', '%%%'].map(syllablePattern)).toEqual([
      null, null, null, null, null, null,
    ]); // prettier-ignore
  });
});
