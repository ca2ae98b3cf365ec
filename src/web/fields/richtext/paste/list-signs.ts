import type { Declarations } from './style-text.ts';

/** How a list numbers its items: an ordered one with type and start, or bullets of a shape. */
export type ListKind =
  | { readonly tag: 'ol'; readonly type: string; readonly start: number }
  | { readonly tag: 'ul'; readonly style: string };

const BULLETS: Readonly<Record<string, string>> = {
  '·': '',
  '•': '',
  '●': '',
  l: '',
  '\uF0B7': '',
  '\uF06C': '',
  o: 'circle',
  '○': 'circle',
  '■': 'square',
  '▪': 'square',
  n: 'square',
  '§': 'square',
  '\uF06E': 'square',
  '\uF0A7': 'square',
};
/** Drawn with a font of signs, or by hand: bullets all the same. */
const OTHER_BULLET = /^[ØüÜv◆◇□☆★→➢✓√\-–—*\uF0D8\uF0FC\uF076]$/;

const DIGITS = '〇一二三四五六七八九';

/**
 * What the drawn sign of an item says of its list, with Word's own word for the level where it is known.
 * Null for a sign that no list of a page can draw (`第一条`, `1.1`, `①`): it is text.
 */
export function kindOfSign(sign: string, level: Declarations | undefined): ListKind | null {
  const text = sign.replace(/[\s\u00a0]+/g, '');
  const format = level?.get('mso-level-number-format') ?? '';
  if (format === 'bullet' || text in BULLETS || OTHER_BULLET.test(text))
    return { tag: 'ul', style: BULLETS[text] ?? '' };
  const [, value] = /^[（(]?([\d]+|[a-z]+|[〇一二三四五六七八九十百]+)[.、)）．]?$/i.exec(text) ?? [];
  if (value === undefined) return null;
  if (/^\d+$/.test(value)) return { tag: 'ol', type: '', start: Number(value) };
  if (/^[〇一二三四五六七八九十百]+$/.test(value))
    return { tag: 'ol', type: 'cjk', start: chineseNumber(value) };
  return letters(value, format);
}

/** `i` may be the ninth letter or the first Roman figure: the level says, else what lists begin with. */
function letters(value: string, format: string): ListKind | null {
  const isUpper = value === value.toUpperCase();
  const roman = romanNumber(value.toLowerCase());
  const isRoman = roman !== null && (format.startsWith('roman') || (format === '' && isLikelyRoman(value)));
  if (isRoman) return { tag: 'ol', type: isUpper ? 'I' : 'i', start: roman };
  const [letter = ''] = value.toLowerCase();
  if ([...value.toLowerCase()].some((one) => one !== letter)) return null;
  const start = letter.charCodeAt(0) - 96 + 26 * (value.length - 1);
  return { tag: 'ol', type: isUpper ? 'A' : 'a', start };
}

function isLikelyRoman(value: string): boolean {
  return /^(?:i|v|x|[ivx]{2,})$/i.test(value);
}

const ROMAN: Readonly<Record<string, number>> = { i: 1, v: 5, x: 10, l: 50, c: 100 };

function romanNumber(text: string): number | null {
  const values = [...text].map((sign) => ROMAN[sign]);
  let sum = 0;
  for (const [place, value] of values.entries()) {
    if (value === undefined) return null;
    sum += value < (values[place + 1] ?? 0) ? -value : value;
  }
  return sum;
}

/** Up to 99: 十二 is 12, 二十 is 20. */
function chineseNumber(text: string): number {
  const [tens = '', units = ''] = text.includes('十') ? text.split('十') : ['', text];
  return (text.includes('十') ? (tens === '' ? 1 : digitOf(tens)) * 10 : 0) + digitOf(units);
}

/** No sign is 0. */
function digitOf(sign: string): number {
  return sign === '' ? 0 : Math.max(0, DIGITS.indexOf(sign));
}

/** A number as the list draws it in Chinese: 12 is 十二. */
export function chineseFigure(number: number): string {
  if (number < 1 || number > 99) return String(number);
  const [tens, units] = [Math.floor(number / 10), number % 10];
  const ten = tens === 0 ? '' : `${tens === 1 ? '' : DIGITS.charAt(tens)}十`;
  return `${ten}${units === 0 ? '' : DIGITS.charAt(units)}`;
}
