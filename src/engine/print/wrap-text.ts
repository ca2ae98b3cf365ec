/**
 * Cuts a text into lines of a width: between words, within words of Chinese, and inside what is longer than a line.
 * `widthOf` gives the width of a text in the unit of `width`. An empty text is one empty line.
 */
export function wrapText(text: string, width: number, widthOf: (text: string) => number): readonly string[] {
  return text.split('\n').flatMap((paragraph) => wrapParagraph(paragraph, width, widthOf));
}

/**
 * A short Chinese word after a blank (`Quantity 数量`), a run of Latin letters, digits and signs with the blanks after it, or
 * one other character; with the brackets that open before it and the signs that must not begin a line.
 */
const PIECES =
  /(?<=[ \t])\p{Script=Han}{2,4}(?!\p{Script=Han})[ \t]*|[（《「『【“‘]*[\u0021-\u007e\u00a1-\u024f]+[、，。；：？！）》」』】”’]*[ \t]*|[ \t]+|[（《「『【“‘]*[^][、，。；：？！）》」』】”’]*/gu;

function wrapParagraph(text: string, width: number, widthOf: (text: string) => number): readonly string[] {
  const lines: string[] = [];
  let line = '';
  for (const [piece] of text.matchAll(PIECES)) {
    if (widthOf((line + piece).trimEnd()) <= width) {
      line += piece;
      continue;
    }
    if (line.trim() !== '') lines.push(line.trimEnd());
    line = '';
    for (const part of cutLong(piece, width, widthOf)) {
      if (line !== '') lines.push(line);
      line = part;
    }
  }
  return [...lines, line.trimEnd()];
}

function cutLong(piece: string, width: number, widthOf: (text: string) => number): readonly string[] {
  if (widthOf(piece.trimEnd()) <= width) return [piece];
  const parts: string[] = [];
  let part = '';
  for (const character of piece) {
    if (part !== '' && widthOf(part + character) > width) {
      parts.push(part);
      part = '';
    }
    part += character;
  }
  return [...parts, part];
}
