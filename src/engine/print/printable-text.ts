/** Text as a font can print it, and the characters for which it has nothing. */
interface PrintableText {
  readonly text: string;
  readonly missing: readonly string[];
}

/**
 * What can be printed of a text. Blanks of every width are one blank, signs without ink (zero-width ones, soft hyphens,
 * returns) go; a letter that the font lacks is printed without its marks, as bank messages write it. What is still
 * lacking stands as □ and is named.
 * @example printableText('12\u00a0Main St.\u200b, Köln', font.has) // { text: '12 Main St., Koln', missing: [] }
 */
export function printableText(text: string, has: (character: string) => boolean): PrintableText {
  const missing = new Set<string>();
  let printed = '';
  for (const character of text.replace(INKLESS, '').replace(BLANKS, ' ').replace(HYPHENS, '-')) {
    if (character === '\n' || has(character)) {
      printed += character;
      continue;
    }
    const plain = plainLetters(character);
    const isPlain = plain !== character && plain !== '' && [...plain].every((letter) => has(letter));
    if (!isPlain) missing.add(character);
    printed += isPlain ? plain : '□';
  }
  return { text: printed, missing: [...missing] };
}

const INKLESS = /[\r\u00ad\u200b-\u200f\u2060\ufeff]/g;
const BLANKS = /[\t\u00a0\u2000-\u200a\u202f]/g;
const HYPHENS = /[\u2011\u2212]/g;

/** Letters that are no other letter with a mark. */
const LETTERS: Readonly<Record<string, string>> = {
  ß: 'ss',
  ø: 'o',
  Ø: 'O',
  ł: 'l',
  Ł: 'L',
  đ: 'd',
  Đ: 'D',
  ı: 'i',
  æ: 'ae',
  Æ: 'AE',
  œ: 'oe',
  Œ: 'OE',
};

function plainLetters(character: string): string {
  return LETTERS[character] ?? character.normalize('NFD').replace(/\p{M}/gu, '');
}
