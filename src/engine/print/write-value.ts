import { formatField } from '../fields/field-types.ts';
import type { Field } from '../schema/resource.ts';
import { isPlainDecimal, roundDecimal } from '../values/decimal.ts';
import { formatDecimal, groupDigits } from '../values/display.ts';
import type { PrintFormat, PrintTemplate } from './print-template.ts';

/** A value behind a path, as the record has it and as people read it. */
export interface PrintValue {
  readonly value: unknown;
  /** The name of what is referenced, or of the choice; null: the value itself is read. */
  readonly label: string | null;
  /** The name of the choice in English papers, where it has one. */
  readonly english?: string | null;
  /** Null for what is no field: names of the company. */
  readonly field: Field | null;
  /** Of an amount. */
  readonly currency: string | null;
}

/** Amounts in words are the trade's: it gives the functions. */
export interface Words {
  /** English, with the currency's name. */
  readonly words: (amount: string, currency: string) => string | null;
  /** Chinese capital numerals of yuan. */
  readonly yuan: (amount: string) => string | null;
}

const unset: Words = { words: () => null, yuan: () => null };
let defined = unset;

/** Gives the words of amounts; what builds the program does it once. */
export function definePrintWords(words: Words): void {
  defined = words;
}

const MONTHS = [
  'JAN.',
  'FEB.',
  'MAR.',
  'APR.',
  'MAY',
  'JUN.',
  'JUL.',
  'AUG.',
  'SEP.',
  'OCT.',
  'NOV.',
  'DEC.',
];
/** Money of these has no cents. */
const WHOLE: ReadonlySet<string> = new Set(['JPY', 'KRW', 'VND']);

/** The text of a value on paper; empty gives ''. */
export function writeValue(
  found: PrintValue,
  { format, language }: { readonly format: PrintFormat | null; readonly language: PrintTemplate['language'] },
): string {
  const { value, field } = found;
  if (value === null || value === undefined || value === '') return '';
  // Who may not read what is referenced sees nothing of it, not even its id.
  if (field?.type === 'reference') return cased(found.label ?? '', format);
  const plain = partOf(value, format);
  if (plain === null) return '';
  if (format === 'code') return String(plain);
  if (isPlainDecimal(plain)) {
    if (format === 'words') return defined.words(roundDecimal(plain, 2), found.currency ?? 'USD') ?? plain;
    if (format === 'yuan') return defined.yuan(roundDecimal(plain, 2)) ?? plain;
    if (format === 'money' || (field?.type === 'money' && (format === null || SIGNED.has(format))))
      return groupDigits(roundDecimal(plain, moneyDigits(found.currency)));
    if (field?.type === 'percent' && format === null) return `${formatDecimal(plain)}%`;
    if (format === 'number' || isNumber(field)) return formatDecimal(plain);
  }
  return cased(textOf(found, format === 'en' || language === 'en'), format);
}

const SIGNED: ReadonlySet<string> = new Set(['plus', 'minus']);

/** What a format leaves of a value: `plus` only what is above zero, `minus` what is below without its sign; null for the rest. */
export function partOf(value: unknown, format: PrintFormat | null): unknown {
  const plain = typeof value === 'number' ? String(value) : value;
  if (format === null || !SIGNED.has(format) || !isPlainDecimal(plain)) return plain;
  const isBelow = plain.startsWith('-');
  if (/^-?0*\.?0*$/.test(plain) || isBelow !== (format === 'minus')) return null;
  return isBelow ? plain.slice(1) : plain;
}

function cased(text: string, format: PrintFormat | null): string {
  return format === 'upper' ? text.toUpperCase() : text;
}

/** Decimals of an amount in a currency. */
export function moneyDigits(currency: string | null): number {
  return currency !== null && WHOLE.has(currency) ? 0 : 2;
}

function textOf({ value, label, english, field }: PrintValue, isEnglish: boolean): string {
  if (isEnglish && typeof english === 'string') return english;
  if (label !== null && label !== '') return label;
  if (typeof value === 'boolean') return isEnglish ? (value ? 'YES' : 'NO') : value ? '是' : '否';
  if (field?.type === 'date' && typeof value === 'string') return isEnglish ? englishDate(value) : value;
  return field === null ? (typeof value === 'string' ? value : '') : formatField(value, field);
}

/** NOV. 22, 2026: no partner mistakes the day for the month. */
function englishDate(date: string): string {
  const [year = '', month = '', day = ''] = date.slice(0, 10).split('-');
  return `${MONTHS[Number(month) - 1] ?? month} ${Number(day)}, ${year}`;
}

function isNumber(field: Field | null): boolean {
  return field !== null && (field.type === 'integer' || field.type === 'decimal');
}
