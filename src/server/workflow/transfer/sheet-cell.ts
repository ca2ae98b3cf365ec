/** How a column's cells look: text, a number with so many decimals, a calendar date, or an instant in company time. */
export type CellFormat =
  | { readonly kind: 'text' }
  | { readonly kind: 'number'; readonly scale: number; readonly mark: 'none' | 'grouped' | 'percent' }
  | { readonly kind: 'date' }
  | { readonly kind: 'datetime' };

/** A cell's content as text: decimals `12.50`, dates `2026-03-31`, instants in ISO form; null is an empty cell. */
export type CellValue = string | null;

export interface SheetColumn {
  readonly title: string;
  readonly format: CellFormat;
  /** In characters. */
  readonly width: number;
  /** What somebody types below has the column's format, too: digits stay as they are where that is text. */
  readonly isTyped?: boolean;
}

/** The cells of a row; what sums up others says so and is set off from them. */
export type SheetRow = readonly CellValue[] | { readonly sums: readonly CellValue[] };

/** One sheet of a workbook; its rows are asked for as the file is written. */
export interface Sheet {
  readonly name: string;
  readonly columns: readonly SheetColumn[];
  /** Lines of text above the header. */
  readonly above?: readonly (readonly string[])[];
  readonly rows: AsyncIterable<SheetRow> | Iterable<SheetRow>;
  /** Rows of sums below the others. */
  readonly below?: readonly (readonly CellValue[])[];
}

/** Where a cell stands (`B7`), its style number, and that of text in it where it is not the plain one. */
export interface CellPlace {
  readonly address: string;
  readonly style: number;
  readonly textStyle?: number;
}

/** Excel's own limit, the header's row included. */
export const MAX_SHEET_ROWS = 1_048_576;
/** Longest text of a cell. */
const MAX_CELL_TEXT = 32_767;
/** A spreadsheet's number keeps this many digits; longer ones are written as text. */
const MAX_DIGITS = 15;
/** Control characters and half surrogate pairs. */
const UNWRITABLE = /(?![\t\n\r])\p{Cc}|\p{Cs}|[\ufffe\uffff]/gu;
const EPOCH_MS = Date.UTC(1899, 11, 30);
const DAY_MS = 86_400_000;
const SHANGHAI_OFFSET_MS = 8 * 3_600_000;

/** Style numbers of a workbook: the header, plain text, text that looks like a formula, the formats in use, and all of these for sums and a title. */
export const HEADER_STYLE = 1;
const TEXT_STYLE = 2;
const QUOTED_STYLE = 3;
const FIRST_FORMAT_STYLE = 4;

/** The distinct number formats of some columns, in the order of their styles. */
export function formatCodes(columns: readonly SheetColumn[]): readonly string[] {
  return [
    ...new Set(
      columns.map(({ format }) => formatCode(format)).filter((code): code is string => code !== null),
    ),
  ];
}

/** The style of a column's cells that hold no text. */
export function columnStyle(column: SheetColumn, codes: readonly string[]): number {
  const code = formatCode(column.format);
  return code === null ? TEXT_STYLE : FIRST_FORMAT_STYLE + codes.indexOf(code);
}

/** The style of text in a row of sums; that of its formats follow it in their order. */
export function sumTextStyle(codes: readonly string[]): number {
  return FIRST_FORMAT_STYLE + codes.length;
}

/** The style of a row of sums for a column's style. */
export function sumStyle(style: number, codes: readonly string[]): number {
  return sumTextStyle(codes) + (style < FIRST_FORMAT_STYLE ? 0 : 1 + style - FIRST_FORMAT_STYLE);
}

/** The style of the line that names a sheet. */
export function titleStyle(codes: readonly string[]): number {
  return sumTextStyle(codes) + 1 + codes.length;
}

/**
 * The XML of one cell; '' when it is empty. Text is an inline string, which a spreadsheet never evaluates; where it
 * begins like a formula the cell also carries the quote prefix, so that editing does not make it one.
 */
export function cellXml(value: CellValue, format: CellFormat, at: CellPlace): string {
  if (value === null || value === '') return '';
  const number = asNumber(value, format);
  if (number !== null) return `<c r="${at.address}" s="${at.style}"><v>${number}</v></c>`;
  const plain = at.textStyle ?? TEXT_STYLE;
  return textCellXml(value, { ...at, style: isFormulaLike(value) ? QUOTED_STYLE : plain });
}

/** The XML of a text cell. */
export function textCellXml(value: string, { address, style }: CellPlace): string {
  return `<c r="${address}" s="${style}" t="inlineStr"><is><t xml:space="preserve">${escapeXml(value.slice(0, MAX_CELL_TEXT))}</t></is></c>`;
}

/** The letters of a column, the first being 0: A, B ... Z, AA. */
export function columnLetters(index: number): string {
  const rest = Math.floor(index / 26);
  return `${rest === 0 ? '' : columnLetters(rest - 1)}${String.fromCharCode(65 + (index % 26))}`;
}

/** True for text that a spreadsheet would take for a formula when typed. */
export function isFormulaLike(text: string): boolean {
  return /^\s*[=+\-@]|^[\t\r\n]/.test(text);
}

/** Text for XML: escaped, without the characters that XML cannot hold. */
export function escapeXml(text: string): string {
  // Underscore-x escapes are how spreadsheets spell control characters: a literal one is escaped itself.
  return text
    .replace(UNWRITABLE, '')
    .replace(/_(?=x[0-9A-Fa-f]{4}_)/g, '_x005F_')
    .replace(/&/g, '&amp;')
    .replace(/</g, '&lt;')
    .replace(/>/g, '&gt;')
    .replace(/"/g, '&quot;')
    .replace(/\r/g, '&#13;');
}

/** Days since 1899-12-30, as spreadsheets count; null when the text is no date. */
export function dateSerial(date: string): string | null {
  const ms = Date.parse(`${date}T00:00:00Z`);
  return Number.isNaN(ms) || ms < Date.UTC(1900, 2, 1) ? null : String(Math.round((ms - EPOCH_MS) / DAY_MS));
}

function asNumber(value: string, format: CellFormat): string | null {
  switch (format.kind) {
    case 'text':
      return null;
    case 'date':
      return dateSerial(value);
    case 'datetime': {
      const ms = Date.parse(value);
      return Number.isNaN(ms) ? null : ((ms + SHANGHAI_OFFSET_MS - EPOCH_MS) / DAY_MS).toFixed(8);
    }
    case 'number':
      return /^-?\d+(\.\d+)?$/.test(value) && digitsIn(value) <= MAX_DIGITS ? value : null;
  }
}

function digitsIn(value: string): number {
  return value.replace(/[-.]/g, '').replace(/^0+/, '').length;
}

function formatCode(format: CellFormat): string | null {
  switch (format.kind) {
    case 'text':
      return null;
    case 'date':
      return 'yyyy-mm-dd';
    case 'datetime':
      return 'yyyy-mm-dd hh:mm';
    case 'number': {
      const whole = format.mark === 'grouped' ? '#,##0' : '0';
      const code = format.scale === 0 ? whole : `${whole}.${'0'.repeat(format.scale)}`;
      // The sign as plain text: 13 stays 13 and shows as 13%.
      return format.mark === 'percent' ? `${code}"%"` : code;
    }
  }
}
