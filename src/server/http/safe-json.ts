import { AppError } from '#server/kernel/errors.ts';
import type { BodyLimits } from '#contract/limits.ts';
import { scanJson } from './scan-json.ts';

const FORBIDDEN_KEYS = new Set(['__proto__', 'constructor', 'prototype']);
const LONE_SURROGATE = /\p{Surrogate}/u;

/**
 * Parses a request body so that nothing in it can surprise what comes after: no more keys and list elements than the call
 * takes, no deep nesting, no NUL, no half characters, no infinite numbers, no keys of the prototype. Empty text gives
 * undefined.
 * @throws AppError BODY_TOO_LARGE, BAD_JSON with a sentence that says what is wrong.
 */
export function parseSafeJson(bytes: Buffer, limits: BodyLimits): unknown {
  const text = decode(bytes);
  if (text.trim() === '') return undefined;
  scanJson(text, limits);
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
