import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { foldText, queryGrams, searchGrams, searchText } from '#engine/search/search-text.ts';

const letters = fc.string({ unit: fc.constantFrom(...'abAB019ＡＢ１中文宁波服装 -./é'), maxLength: 12 });

describe('search', () => {
  it('folds case and full width, and names each text once', () => {
    expect(foldText('ＡＢｃ　１２')).toBe('abc 12');
    expect(searchText(['AAWX2600001', null, 'aawx2600001', '', '宁波'])).toBe('aawx2600001 宁波');
  });

  it('takes 1- and 2-grams of Chinese and 3-grams of Latin letters and digits', () => {
    expect(queryGrams('宁波服')).toEqual(['宁波', '波服']);
    expect(queryGrams('宁')).toEqual(['宁']);
    expect(queryGrams('WX26')).toEqual(['wx2', 'x26']);
    expect(queryGrams('x2')).toEqual(['x2']);
    expect(queryGrams(' -')).toEqual([]);
    expect(searchGrams('宁波').toSorted()).toEqual(['宁', '宁波', '波'].toSorted());
  });

  it('finds whatever stands in the text: the grams of a part are grams of the whole', () => {
    fc.assert(
      fc.property(letters, letters, letters, (before, part, after) => {
        const grams = new Set(searchGrams(searchText([before + part + after])));
        for (const gram of queryGrams(part)) expect(grams.has(gram)).toBe(true);
      }),
      { numRuns: 1_000 },
    );
  });
});
