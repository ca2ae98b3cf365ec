/** Style sheets and style attributes as office programs write them: with words that no browser keeps, so they are read here. */

export type Declarations = ReadonlyMap<string, string>;

/** The declarations of a style text by name in lower case; the last one of a name wins. Texts in quotes stay whole. */
export function readDeclarations(text: string): Declarations {
  const declared = new Map<string, string>();
  for (const part of splitOutside(text, ';')) {
    const at = part.indexOf(':');
    if (at > 0) declared.set(part.slice(0, at).trim().toLowerCase(), part.slice(at + 1).trim());
  }
  return declared;
}

/**
 * The rules of a style sheet by selector, also those that only Word understands (`@list l0:level1`). What stands inside
 * other rules (`@media`) is left out.
 */
export function readRules(sheet: string): ReadonlyMap<string, Declarations> {
  const rules = new Map<string, Declarations>();
  let prelude = '';
  let block = '';
  let depth = 0;
  for (const piece of piecesOf(sheet)) {
    if (piece === '{') depth += 1;
    else if (piece === '}') {
      depth = Math.max(0, depth - 1);
      if (depth > 0) continue;
      for (const selector of prelude.split(',')) addRule(rules, selector, block);
      prelude = '';
      block = '';
    } else if (depth === 1) block += piece;
    // `@import` and its like end without a block.
    else if (depth === 0) prelude = piece === ';' ? '' : prelude + piece;
  }
  return rules;
}

function addRule(rules: Map<string, Declarations>, selector: string, block: string): void {
  const name = selector.trim().split(/\s+/).join(' ');
  if (name !== '') rules.set(name, new Map([...(rules.get(name) ?? []), ...readDeclarations(block)]));
}

const COMMENT_MARKS = ['<!--', '-->'] as const;

/** The signs of a sheet without its comments; a text in quotes is one piece. */
function* piecesOf(sheet: string): Generator<string> {
  for (let at = 0; at < sheet.length; at += 1) {
    const sign = sheet.charAt(at);
    const mark = COMMENT_MARKS.find((one) => sheet.startsWith(one, at));
    if (sheet.startsWith('/*', at)) {
      const end = sheet.indexOf('*/', at + 2);
      at = end < 0 ? sheet.length : end + 1;
    } else if (mark !== undefined) at += mark.length - 1;
    else if (sign === '"' || sign === "'") {
      const end = endOfQuote(sheet, at);
      yield sheet.slice(at, end + 1);
      at = end;
    } else yield sign;
  }
}

/** The place of the quote that ends the one at a place. */
function endOfQuote(text: string, start: number): number {
  const quote = text.charAt(start);
  for (let at = start + 1; at < text.length; at += 1) {
    if (text.charAt(at) === '\\') at += 1;
    else if (text.charAt(at) === quote) return at;
  }
  return text.length;
}

/** The parts between the separators that stand in no quotes. */
function splitOutside(text: string, separator: string): readonly string[] {
  const parts: string[] = [];
  let part = '';
  for (const piece of piecesOf(text)) {
    if (piece === separator) {
      parts.push(part);
      part = '';
    } else part += piece;
  }
  return [...parts, part];
}

const PX: Readonly<Record<string, number>> = {
  px: 1,
  pt: 4 / 3,
  pc: 16,
  in: 96,
  cm: 96 / 2.54,
  mm: 96 / 25.4,
};

/** A length in whole pixels; null for one that depends on something else, and for no length. */
export function pixelsOf(text: string | null | undefined): number | null {
  const [, number, unit = 'px'] = /^\s*(-?[\d.]+)\s*(px|pt|pc|in|cm|mm)?\s*$/i.exec(text ?? '') ?? [];
  const factor = PX[unit.toLowerCase()];
  return number === undefined || factor === undefined ? null : Math.round(Number(number) * factor);
}
