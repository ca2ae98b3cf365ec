import { isoWeek } from '../values/dates.ts';

/** One piece of a number pattern. */
export type NumberToken =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'co' | 'yyyy' | 'mm' | 'ww' }
  | { readonly kind: 'seq'; readonly width: number }
  | { readonly kind: 'field'; readonly name: string };

/** What a number is made from. `date` is the company's date (`2026-03-31`). */
export interface NumberParts {
  readonly co: string;
  readonly date: string;
  /** The drawn counter value, from 1. */
  readonly sequence: number;
  /** Text of the record's fields that the pattern names. */
  readonly fields?: Readonly<Record<string, string>>;
}

/** Parses `{co}WX{yyyy}{seq:5}`; null when a brace or a token is wrong. */
export function numberTokens(pattern: string): readonly NumberToken[] | null {
  const tokens: NumberToken[] = [];
  for (const part of pattern.split(/(\{[^{}]*\})/)) {
    if (part === '') continue;
    const token = /^\{.*\}$/.test(part) ? braceToken(part.slice(1, -1)) : textToken(part);
    if (token === null) return null;
    tokens.push(token);
  }
  return tokens;
}

/**
 * The number for a drawn counter value. A sequence longer than its width is written out, never cut: numbers stay unique.
 * @example formatNumber('{co}WX{yyyy}{seq:5}', { co: 'AA', date: '2026-03-31', sequence: 7 }) // 'AAWX202600007'
 */
export function formatNumber(pattern: string, parts: NumberParts): string {
  return tokensText(numberTokens(pattern) ?? [], parts);
}

/**
 * The counter's scope: everything of the number but the sequence, so that it starts again with each year, month,
 * week (`{yyyy} {mm} {ww}`) or other prefix, and two prefixes never share numbers.
 */
export function numberScopeKey(pattern: string, parts: Omit<NumberParts, 'sequence'>): string {
  const tokens = (numberTokens(pattern) ?? []).map((token): NumberToken =>
    token.kind === 'seq' ? { kind: 'text', text: '#' } : token,
  );
  return tokensText(tokens, { ...parts, sequence: 0 });
}

/** The fields that a pattern names: `['pay_type']` for `{co}{pay_type}{seq:5}`. */
export function numberFields(pattern: string): readonly string[] {
  return (numberTokens(pattern) ?? []).flatMap((token) => (token.kind === 'field' ? [token.name] : []));
}

const MAX_WIDTH = 12;

function textToken(text: string): NumberToken | null {
  return /[{}]/.test(text) ? null : { kind: 'text', text };
}

function braceToken(name: string): NumberToken | null {
  if (name === 'co' || name === 'yyyy' || name === 'mm' || name === 'ww') return { kind: name };
  const width = /^seq:(\d{1,2})$/.exec(name)?.[1];
  if (width !== undefined) {
    const digits = Number(width);
    return digits >= 1 && digits <= MAX_WIDTH ? { kind: 'seq', width: digits } : null;
  }
  return /^[a-z][a-z0-9_]*$/.test(name) && name !== 'seq' ? { kind: 'field', name } : null;
}

/** Beside a week, the year is the week's: 2027-01-01 lies in week 53 of 2026. */
function tokensText(tokens: readonly NumberToken[], parts: NumberParts): string {
  const week = isoWeek(parts.date);
  const isWeekly = tokens.some((token) => token.kind === 'ww');
  const places = {
    co: parts.co,
    yyyy: isWeekly ? String(week.year) : parts.date.slice(0, 4),
    mm: parts.date.slice(5, 7),
    ww: String(week.week).padStart(2, '0'),
  };
  return tokens.map((token) => tokenText(token, parts, places)).join('');
}

function tokenText(
  token: NumberToken,
  parts: NumberParts,
  places: Readonly<Record<'co' | 'yyyy' | 'mm' | 'ww', string>>,
): string {
  if (token.kind === 'text') return token.text;
  if (token.kind === 'seq') return String(parts.sequence).padStart(token.width, '0');
  return token.kind === 'field' ? (parts.fields?.[token.name] ?? '') : places[token.kind];
}
