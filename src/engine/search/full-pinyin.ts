/**
 * Full pinyin in a search text: a text is written `'SHEN'ZHEN'HAI'YUN`, in capitals, since whatever else is searched is in
 * small letters and is not to be mixed up with it; the apostrophe says where a syllable begins.
 */

const GRAM = 3;

/** The pieces of a text, each a syllable or a run of letters and digits, as they stand in a search text. */
export function writeSyllables(pieces: readonly string[]): string {
  return pieces
    .map((piece) => piece.toUpperCase().replace(/[^A-Z0-9]/g, ''))
    .filter((piece) => piece !== '')
    .map((piece) => `'${piece}`)
    .join('');
}

/** The grams by which full pinyin is found: it is typed without gaps. */
export function syllableGrams(written: readonly string[]): readonly string[] {
  const grams = new Set<string>();
  for (const text of written) {
    const letters = text.replace(/'/g, '').toLowerCase();
    for (let start = 0; start + GRAM <= letters.length; start += 1)
      grams.add(letters.slice(start, start + GRAM));
  }
  return [...grams];
}

/**
 * The regular expression (POSIX) that finds what was typed as full pinyin, from the beginning of a syllable on; null for
 * less than three letters, which would be found everywhere.
 * @example syllablePattern('shenzh') // finds 深圳 and 申真, not 什么张
 */
export function syllablePattern(keyword: string): string | null {
  const letters = keyword.toUpperCase().replace(/['\s]/g, '');
  if (letters.length < GRAM || !/^[A-Z0-9]+$/.test(letters) || !/[A-Z]/.test(letters)) return null;
  return `'${[...letters].join("'?")}`;
}
