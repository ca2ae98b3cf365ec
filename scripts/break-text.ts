/**
 * A long text in parts of at most `width` characters that read well one below the other: formulas behind a comma or before
 * an operator, as far out of the brackets as can be, sentences behind their stop. Put together they are the text again; one
 * that offers no place comes back whole.
 */
export function breakText(text: string, width: number): readonly string[] {
  const parts: string[] = [];
  let rest = text;
  while (rest.length > width) {
    const at = bestBreak(rest, width);
    if (at === null) return [text];
    parts.push(rest.slice(0, at));
    rest = rest.slice(at);
  }
  return [...parts, rest];
}

interface Place {
  /** Where the next part begins. */
  readonly at: number;
  /** How many brackets are open there. */
  readonly depth: number;
}

/** The outermost place in the last two thirds of the line, the last one of those; else any, at last between words. */
function bestBreak(text: string, width: number): number | null {
  const places = placesOf(text).filter(({ at }) => at <= width);
  const late = places.filter(({ at }) => at >= width / 3);
  const choices = [late, places, betweenWords(text, width)].find((some) => some.length > 0) ?? [];
  const outermost = Math.min(...choices.map(({ depth }) => depth));
  return choices.findLast(({ depth }) => depth === outermost)?.at ?? null;
}

function betweenWords(text: string, width: number): readonly Place[] {
  return [...text.slice(0, width).matchAll(/[ |]/g)].map(({ index }) => ({ at: index + 1, depth: 0 }));
}

const BEHIND = [', ', '；', '。', '，'];
const BEFORE = [' + ', ' - ', ' && ', ' || ', ' ? ', ' : '];

function placesOf(text: string): readonly Place[] {
  const places: Place[] = [];
  let depth = 0;
  let isQuoted = false;
  for (let index = 0; index < text.length; index += 1) {
    const char = text[index];
    if (char === "'") isQuoted = !isQuoted;
    if (!isQuoted && char === '(') depth += 1;
    if (!isQuoted && char === ')') depth -= 1;
    const behind = BEHIND.find((mark) => text.startsWith(mark, index));
    if (!isQuoted && behind !== undefined) places.push({ at: index + behind.length, depth });
    const before = BEFORE.find((mark) => text.startsWith(mark, index));
    if (!isQuoted && before !== undefined && index > 0) places.push({ at: index + 1, depth });
  }
  return places.filter(({ at }) => at > 0 && at < text.length);
}
