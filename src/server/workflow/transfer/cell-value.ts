import { digitsOf } from '#engine/fields/decimal-value.ts';
import type { Field } from '#engine/schema/resource.ts';
import { isDate } from '#engine/values/dates.ts';
import { isPlainDecimal, multiplyDecimals } from '#engine/values/decimal.ts';
import { withoutGroups } from '#engine/values/grouped-digits.ts';
import { NO_RESULT, type ReadCell } from './import-fault.ts';

/** The value that a field's API takes, or why the cell has none. */
export type CellReading = { readonly value: unknown } | { readonly message: string };

const DAY_MS = 86_400_000;
const EPOCH_MS = Date.UTC(1899, 11, 30);
const LAST_SERIAL = 2_958_465;

/**
 * Reads a cell for a field that needs no look-up. What people and spreadsheets write is understood (`1,234.5`,
 * `2026/3/5`, 是); whether the value is allowed is for the engine to say.
 */
export function readCellValue(cell: ReadCell, field: Field): CellReading {
  const fault = faultOf(cell, field);
  if (fault !== null) return fault;
  if (field.multiple === true) return { value: splitTexts(cell.text) };
  switch (field.type) {
    case 'integer': {
      const text = plainNumber(cell, 0);
      return text !== null && /^-?\d{1,15}$/.test(text) ? { value: Number(text) } : { message: '应为整数' };
    }
    case 'decimal':
    case 'money':
    case 'percent': {
      const text = plainNumber(cell, digitsOf(field).scale);
      if (text === null) return { message: '应为数字' };
      const isFraction = field.type === 'percent' && cell.kind === 'percent';
      return { value: isFraction ? trimZeros(multiplyDecimals(text, '100')) : text };
    }
    case 'date': {
      const date = readDay(cell);
      return date === null ? { message: '日期格式不正确，应如 2026-03-31' } : { value: date };
    }
    case 'datetime': {
      const instant = readInstant(cell);
      return instant === null ? { message: '时间格式不正确，应如 2026-03-31 14:05' } : { value: instant };
    }
    case 'boolean': {
      const known = BOOLEANS.get(cell.text.toLowerCase());
      return known === undefined ? { message: '应为“是”或“否”' } : { value: known };
    }
    default:
      return { value: plainText(cell) };
  }
}

/**
 * Why a cell has no value for a field whatever its text: an error says that something was to stand there, so it is
 * neither empty nor a text, also in the file of bad rows or a csv.
 */
export function faultOf(
  cell: ReadCell,
  field: Pick<Field, 'type'> = { type: 'text' },
): { readonly message: string } | null {
  if (isError(cell))
    return cell.text === NO_RESULT
      ? { message: '公式没有计算结果，请用 Excel 打开并保存后再导入' }
      : { message: `单元格是错误值 ${cell.text.slice(0, 20)}，请改正后再导入` };
  return isWritten(field) && hasLostDigits(cell) ? LOST_DIGITS : null;
}

/** Whether a cell holds an error (`#N/A`), as such or as its text. */
export function isError({ kind, text }: ReadCell): boolean {
  return kind === 'error' || text === NO_RESULT || ERROR_TEXT.test(text);
}

const ERROR_TEXT = /^#(N\/A|REF!|VALUE!|DIV\/0!|NAME\?|NULL!|NUM!|SPILL!|CALC!)$/;

/** Whether a field's cells are text, be it all digits; a number, a day or a yes is read by what it means. */
export function isWritten({ type }: Pick<Field, 'type'>): boolean {
  return !IS_RECKONED.has(type);
}

/**
 * Whether a spreadsheet has kept only the first of a number's digits: it knows 15 of them and fills up with zeros. As an
 * amount that is what it shows; as the number of an invoice it is another one.
 */
export function hasLostDigits({ kind, text }: ReadCell): boolean {
  return kind === 'number' && Math.abs(Number(text)) >= 10 ** KEPT_DIGITS;
}

const KEPT_DIGITS = 15;

/** What is told of a cell with lost digits. */
const LOST_DIGITS = {
  message: `数字超过 ${KEPT_DIGITS} 位，表格没有保留后面的位数，请把该列设为文本格式后重新填写`,
} as const satisfies CellReading;

/** The texts of a cell that holds several: 甲、乙 or 甲;乙. */
export function splitTexts(text: string): readonly string[] {
  return [
    ...new Set(
      text
        .split(/[、,，;；\n]/)
        .map((part) => part.trim())
        .filter((part) => part !== ''),
    ),
  ];
}

/** The text of a cell as a person reads it: a number without exponent, a date as a date. */
export function plainText(cell: ReadCell): string {
  if (cell.kind === 'date') return readDay(cell) ?? cell.text;
  if (cell.kind === 'text' || cell.kind === 'error') return cell.text;
  return plainNumber(cell, KEPT_DIGITS) ?? cell.text;
}

/** Types whose cells are reckoned with: they have their own words for what is no value of theirs. */
const IS_RECKONED: ReadonlySet<Field['type']> = new Set([
  'integer',
  'decimal',
  'money',
  'percent',
  'date',
  'datetime',
  'boolean',
]);

const BOOLEANS: ReadonlyMap<string, boolean> = new Map([
  ...['是', '有', 'true', 'yes', 'y', '1', '√', '✓'].map((text) => [text, true] as const),
  ...['否', '无', 'false', 'no', 'n', '0', '×', '✗'].map((text) => [text, false] as const),
]);

/** Plain decimal text. A spreadsheet's binary noise (0.30000000000000004) is rounded away, a person's digits stay. */
function plainNumber(cell: ReadCell, scale: number): string | null {
  const written = cell.text
    .normalize('NFKC')
    .replace(/\s/g, '')
    .replace(/^[¥￥$€£]/, '')
    .replace(/%$/, '')
    .replace(/^\+/, '');
  const text = withoutGroups(written);
  if (text === null) return null;
  if (isPlainDecimal(text)) return cell.kind === 'text' ? text : withoutNoise(text, scale);
  if (!/^-?\d+(\.\d+)?e[+-]?\d{1,3}$/i.test(text)) return null;
  const value = Number(text);
  return Number.isFinite(value) ? withoutExponent(value) : null;
}

function withoutNoise(text: string, scale: number): string {
  const digits = text.replace(/[-.]/g, '').replace(/^0+/, '');
  const fraction = text.split('.')[1] ?? '';
  if (digits.length <= 15 && fraction.length <= scale) return text;
  if (digits.length <= 15) return trimZeros(text);
  return withoutExponent(Number(text));
}

/** The number to 15 digits, written out. */
function withoutExponent(value: number): string {
  const [mantissa = '', exponent] = Number(value.toPrecision(15)).toString().split('e');
  if (exponent === undefined) return mantissa;
  const shift = Number(exponent);
  const isNegative = mantissa.startsWith('-');
  const [whole = '', fraction = ''] = mantissa.replace('-', '').split('.');
  const digits = whole + fraction;
  const point = whole.length + shift;
  const text =
    point <= 0
      ? `0.${'0'.repeat(-point)}${digits}`
      : point >= digits.length
        ? digits.padEnd(point, '0')
        : `${digits.slice(0, point)}.${digits.slice(point)}`;
  return isNegative ? `-${text}` : text;
}

function trimZeros(text: string): string {
  return text.includes('.') ? text.replace(/\.?0+$/, '') : text;
}

function readDay(cell: ReadCell): string | null {
  const serial = serialOf(cell);
  if (serial !== null) return new Date(EPOCH_MS + Math.floor(serial) * DAY_MS).toISOString().slice(0, 10);
  return dayOf(cell.text);
}

function readInstant(cell: ReadCell): string | null {
  const serial = serialOf(cell);
  if (serial !== null) {
    const minute = new Date(EPOCH_MS + Math.round(serial * 86_400) * 1000).toISOString().slice(0, 19);
    return `${minute}+08:00`;
  }
  const [, day = '', hour, minutes, seconds] =
    /^(.+?)(?:[T\s]+(\d{1,2}):(\d{2})(?::(\d{2})(?:\.\d+)?)?)?$/.exec(cell.text.trim()) ?? [];
  const date = dayOf(day);
  if (date === null) return null;
  const time = [hour ?? '00', minutes ?? '00', seconds ?? '00']
    .map((part) => part.padStart(2, '0'))
    .join(':');
  return `${date}T${time}+08:00`;
}

/** Days since 1899-12-30 of a cell that a spreadsheet shows as a date, or of a bare number that must be one. */
function serialOf(cell: ReadCell): number | null {
  if (cell.kind === 'text' || !/^\d{1,7}(\.\d+)?$/.test(cell.text)) return null;
  const serial = Number(cell.text);
  return serial >= 1 && serial <= LAST_SERIAL ? serial : null;
}

function dayOf(text: string): string | null {
  const parts =
    /^(\d{4})\s*[-/.年]\s*(\d{1,2})\s*[-/.月]\s*(\d{1,2})\s*日?$/.exec(text.trim()) ??
    /^(\d{4})(\d{2})(\d{2})$/.exec(text.trim());
  if (parts === null) return null;
  const [, year = '', month = '', day = ''] = parts;
  const date = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
  return isDate(date) ? date : null;
}
