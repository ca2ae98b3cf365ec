import { AppError } from '#server/kernel/errors.ts';

/** Deepest nesting of a request body. */
export const MAX_JSON_DEPTH = 32;

const FORBIDDEN_KEYS = new Set(['__proto__', 'constructor', 'prototype']);
const LONE_SURROGATE = /\p{Surrogate}/u;

/**
 * Parses a request body so that nothing in it can surprise what comes after: no deep nesting, no NUL, no half characters,
 * no infinite numbers, no keys of the prototype. Empty text gives undefined.
 * @throws AppError BAD_JSON with a sentence that says what is wrong.
 */
export function parseSafeJson(bytes: Buffer): unknown {
  const text = decode(bytes);
  if (text.trim() === '') return undefined;
  refuseDeepText(text);
  const value = parse(text);
  refuseUnsafe(value);
  return value;
}

/** True for text that PostgreSQL and other programs can hold: no NUL and no lone surrogates. */
export function isSafeText(text: string): boolean {
  return !text.includes('\0') && !LONE_SURROGATE.test(text);
}

function decode(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (cause) {
    throw refusal('请求内容不是有效的UTF-8文本', cause);
  }
}

/** Counts brackets outside of texts, so that a hostile body is refused before it is parsed. */
function refuseDeepText(text: string): void {
  let depth = 0;
  let isText = false;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (isText) {
      if (code === BACKSLASH) index += 1;
      else if (code === QUOTE) isText = false;
    } else if (code === QUOTE) isText = true;
    else if (code === OPEN_BRACE || code === OPEN_BRACKET) {
      depth += 1;
      if (depth > MAX_JSON_DEPTH) throw refusal(`请求内容嵌套超过${MAX_JSON_DEPTH}层`);
    } else if (code === CLOSE_BRACE || code === CLOSE_BRACKET) depth -= 1;
  }
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw refusal('请求内容不是有效的JSON', cause);
  }
}

function refuseUnsafe(value: unknown): void {
  if (typeof value === 'string') refuseUnsafeText(value);
  else if (typeof value === 'number' && !Number.isFinite(value)) throw refusal('数字超出范围');
  else if (Array.isArray(value)) for (const item of value) refuseUnsafe(item);
  else if (typeof value === 'object' && value !== null)
    for (const [key, item] of Object.entries(value)) {
      if (FORBIDDEN_KEYS.has(key)) throw refusal(`不允许的键 "${key}"`);
      refuseUnsafeText(key);
      refuseUnsafe(item);
    }
}

function refuseUnsafeText(text: string): void {
  if (!isSafeText(text)) throw refusal('文字中含有无效字符');
}

function refusal(message: string, cause?: unknown): AppError {
  return new AppError('BAD_JSON', { message, cause });
}
