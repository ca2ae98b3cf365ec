import { typedDecimal, typedInteger } from '../number-text.ts';
import { writtenMoment } from '../typed-date.ts';
import { writtenDay } from '#engine/values/written-day.ts';
import type { Field } from '#engine/schema/resource.ts';
import { type Choice, choiceByText } from '../dictionary-context.ts';

/** The cells of a block copied from a spreadsheet. */
export type Block = readonly (readonly string[])[];

/**
 * Reads tab-separated text as Excel and WPS copy it: cells in quotes may hold tabs, line breaks and doubled quotes;
 * the line break at the end is no row.
 * @example parseBlock('a\tb\r\n"x\ny"\t2\r\n') // [['a', 'b'], ['x\ny', '2']]
 */
export function parseBlock(text: string): Block {
  const rows: string[][] = [];
  let row: string[] = [];
  let cell = '';
  let isQuoted = false;
  const endCell = (): void => {
    row.push(cell);
    cell = '';
  };
  const endRow = (): void => {
    endCell();
    rows.push(row);
    row = [];
  };
  const source = text.replace(/\r\n?/g, '\n');
  for (let at = 0; at < source.length; at += 1) {
    const letter = source[at] ?? '';
    if (isQuoted) {
      if (letter !== '"') cell += letter;
      else if (source[at + 1] === '"') {
        cell += '"';
        at += 1;
      } else isQuoted = false;
    } else if (letter === '"' && cell === '') isQuoted = true;
    else if (letter === '\t') endCell();
    else if (letter === '\n') endRow();
    else cell += letter;
  }
  if (cell !== '' || row.length > 0) endRow();
  return rows;
}

/** Cells as tab-separated text for a spreadsheet. */
export function blockText(block: Block): string {
  return block
    .map((row) =>
      row.map((cell) => (/["\t\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)).join('\t'),
    )
    .join('\n');
}

/** For every column of the block the grid's column it goes to, or null for none. */
export type ColumnMapping = readonly (string | null)[];

export interface BlockPlan {
  readonly mapping: ColumnMapping;
  /** The first row holds titles and is not pasted. */
  readonly hasHeader: boolean;
  /** The user should look at the mapping before it is used. */
  readonly needsDialog: boolean;
}

/**
 * Decides where a block goes. A first row of known titles maps by title; otherwise the columns follow the active
 * one. The dialog is asked for when titles are involved or the block is wider than what is left.
 */
export function planBlock(block: Block, columns: readonly Field[], activeColumn: string): BlockPlan {
  const header = block[0] ?? [];
  const byTitle = header.map((title) => columnByTitle(columns, title)?.name ?? null);
  const known = byTitle.filter((name) => name !== null).length;
  const hasHeader = block.length > 1 && (known >= 2 || (known === 1 && header.length === 1));
  if (hasHeader) return { mapping: eachOnce(byTitle, header, columns), hasHeader, needsDialog: true };
  const start = Math.max(
    0,
    columns.findIndex((column) => column.name === activeColumn),
  );
  const width = Math.max(0, ...block.map((row) => row.length));
  const mapping = Array.from({ length: width }, (_, index) => columns[start + index]?.name ?? null);
  return { mapping, hasHeader: false, needsDialog: start + width > columns.length };
}

/** Of several titles that mean one column the one that is written as it is keeps it, else the first. */
function eachOnce(
  mapping: ColumnMapping,
  header: readonly string[],
  columns: readonly Field[],
): ColumnMapping {
  return mapping.map((name, index) => {
    if (name === null) return null;
    const title = columns.find((column) => column.name === name)?.title;
    const exact = mapping.findIndex((one, at) => one === name && header[at]?.trim() === title);
    return index === (exact < 0 ? mapping.indexOf(name) : exact) ? name : null;
  });
}

/** What a title says more than that of its column: of what the figure is, */
const BEFORE = /^(总|合计|包装|产品|货物|商品)/;
/** its unit or currency, */
const UNIT = /^([a-z0-9/%.$¥￥-]+|美元|欧元|人民币|元|公斤|千克|立方米)$/;
/** and by what a record is called. */
const CALLED = /^(编号|编码|代码|名称|名)$/;

/**
 * The column that a title of a spreadsheet means: by its title or key, by how its title begins, then without what people
 * write around it.
 * @example columnByTitle(columns, '商品编号') // the column 商品
 */
export function columnByTitle(columns: readonly Field[], title: string): Field | undefined {
  const wanted = plainTitle(title);
  if (wanted === '') return undefined;
  const titled = (text: string): Field | undefined =>
    columns.find((column) => plainTitle(column.title) === text);
  return (
    titled(wanted) ??
    columns.find((column) => column.name === title.trim()) ??
    columns.find((column) => plainTitle(column.title).startsWith(wanted) && wanted.length >= 2) ??
    titled(wanted.replace(BEFORE, '')) ??
    columnWithin(columns, wanted)
  );
}

/** The column of whose title more is written: a unit, or by what its record is called. The longest title is meant. */
function columnWithin(columns: readonly Field[], wanted: string): Field | undefined {
  const within = columns.filter((column) => {
    const title = plainTitle(column.title);
    const rest = wanted.slice(title.length);
    const isMore = UNIT.test(rest) || (column.type === 'reference' && CALLED.test(rest));
    return title.length >= 2 && wanted.startsWith(title) && isMore;
  });
  return within.toSorted((one, other) => other.title.length - one.title.length)[0];
}

/** A cell that needs nobody's help: the value, or why the text is not one. References are looked up by the caller. */
export type CellValue = { readonly value: unknown; readonly label?: string } | { readonly problem: string };

/**
 * The value that the text of one spreadsheet cell means in a column.
 * @example cellValue(dateColumn, '2026/3/1', []) // { value: '2026-03-01' }
 */
export function cellValue(column: Field, text: string, choices: readonly Choice[]): CellValue {
  const trimmed = text.trim();
  if (trimmed === '') return { value: null };
  if (column.type === 'integer') return { value: typedInteger(trimmed) };
  if (column.type === 'decimal' || column.type === 'money' || column.type === 'percent')
    return { value: typedDecimal(trimmed) };
  if (column.type === 'date') return dateValue(trimmed);
  if (column.type === 'datetime') {
    const moment = writtenMoment(trimmed);
    return moment === null ? { problem: `「${trimmed}」不是时间` } : { value: moment };
  }
  if (column.type === 'boolean') return booleanValue(trimmed);
  if (column.type === 'dictionary' || column.options !== undefined) {
    const choice = choiceByText(choices, trimmed);
    return choice === null
      ? { problem: `「${trimmed}」不在可选范围内` }
      : { value: choice.value, label: choice.label };
  }
  return { value: text.trimEnd() };
}

function dateValue(text: string): CellValue {
  // Spreadsheets copy a midnight along with a day.
  const [day = ''] = text.split(/[ T]/);
  const value = writtenDay(day);
  return value === null ? { problem: `「${text}」不是日期` } : { value };
}

const YES: ReadonlySet<string> = new Set(['是', '√', '1', 'true', 'yes', 'y']);
const NO: ReadonlySet<string> = new Set(['否', '×', '0', 'false', 'no', 'n']);

function booleanValue(text: string): CellValue {
  if (YES.has(text.toLowerCase())) return { value: true };
  return NO.has(text.toLowerCase()) ? { value: false } : { problem: `「${text}」应为是或否` };
}

/** A title without what people add to it in spreadsheets: stars, units in brackets, spaces. */
export function plainTitle(title: string): string {
  return title
    .replace(/[（(][^）)]*[）)]/g, '')
    .replace(/[*＊\s:：]/g, '')
    .toLowerCase();
}
