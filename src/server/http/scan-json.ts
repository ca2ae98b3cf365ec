import { AppError } from '#server/kernel/errors.ts';
import {
  type BodyLimits,
  MAX_JSON_DEPTH,
  MAX_KEY_LENGTH,
  MAX_NAMES,
  MAX_NUMBER_LENGTH,
} from '#contract/limits.ts';

/**
 * Counts what a JSON text holds without building any of it, and refuses it at the first key, list element, level or
 * digit too many. Whether the text is JSON at all is the parser's question.
 * @throws AppError BODY_TOO_LARGE, BAD_JSON (nesting)
 */
export function scanJson(text: string, limits: BodyLimits): void {
  // One bit a level: whether it is a list.
  const isList = new Uint8Array(MAX_JSON_DEPTH + 1);
  let depth = 0;
  let keys = 0;
  let items = 0;
  let digits = 0;
  let textStart = 0;
  let textEnd = 0;
  const names = new Set<string>();
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (code >= DIGIT_0 && code <= DIGIT_9) {
      digits += 1;
      if (digits > MAX_NUMBER_LENGTH) throw tooLarge('数字过长');
      continue;
    }
    digits = 0;
    switch (code) {
      case QUOTE:
        textStart = index + 1;
        textEnd = endOfString(text, textStart);
        index = textEnd;
        break;
      case COLON:
        keys += 1;
        if (keys > limits.keys) throw tooLarge(`最多 ${limits.keys} 个键`);
        if (textEnd - textStart > MAX_KEY_LENGTH) throw tooLarge(`键最长 ${MAX_KEY_LENGTH} 个字符`);
        names.add(text.slice(textStart, textEnd));
        if (names.size > MAX_NAMES) throw tooLarge(`最多 ${MAX_NAMES} 个不同的键`);
        break;
      case COMMA:
        if (isList[depth] !== 1) break;
        items += 1;
        if (items > limits.items) throw tooLarge(`最多 ${limits.items} 项`);
        break;
      case OPEN_BRACE:
      case OPEN_BRACKET:
        depth += 1;
        if (depth > MAX_JSON_DEPTH)
          throw new AppError('BAD_JSON', { message: `请求内容嵌套超过${MAX_JSON_DEPTH}层` });
        isList[depth] = code === OPEN_BRACKET ? 1 : 0;
        break;
      case CLOSE_BRACE:
      case CLOSE_BRACKET:
        if (depth > 0) depth -= 1;
        break;
    }
  }
}

/** The place of the quote that closes a string; of the text's end when none does. */
function endOfString(text: string, start: number): number {
  for (let index = start; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (code === BACKSLASH) index += 1;
    else if (code === QUOTE) return index;
  }
  return text.length;
}

function tooLarge(why: string): AppError {
  return new AppError('BODY_TOO_LARGE', { message: `提交的内容过多：${why}` });
}

const QUOTE = 0x22;
const COMMA = 0x2c;
const DIGIT_0 = 0x30;
const DIGIT_9 = 0x39;
const COLON = 0x3a;
const OPEN_BRACKET = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE_BRACKET = 0x5d;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
