import { importFault, MAX_IMPORT_COLUMNS, type ReadRow } from './import-fault.ts';

/** Rows of a csv file: UTF-8 (with or without its mark), UTF-16 with its mark, else GBK, which spreadsheets in China write. */
export function* readCsv(bytes: Buffer): Generator<ReadRow> {
  const text = decode(bytes);
  const separator = separatorOf(text);
  let cells: string[] = [];
  let place = 0;
  let row = 1;
  for (;;) {
    const { value, end, closedBy } = readCell(text, place, separator);
    if (cells.length < MAX_IMPORT_COLUMNS) cells.push(value);
    place = end;
    if (closedBy === separator) continue;
    yield {
      row,
      cells: cells.map((cell) => (cell.trim() === '' ? null : { text: cell.trim(), kind: 'text' })),
    };
    row += 1;
    cells = [];
    if (closedBy === 'end') return;
  }
}

interface CsvCell {
  readonly value: string;
  readonly end: number;
  readonly closedBy: string;
}

function readCell(text: string, start: number, separator: string): CsvCell {
  if (text[start] === '"') return readQuoted(text, start, separator);
  let end = start;
  while (end < text.length && text[end] !== separator && text[end] !== '\n' && text[end] !== '\r') end += 1;
  return closeCell(text, { value: text.slice(start, end), at: end, separator });
}

function readQuoted(text: string, start: number, separator: string): CsvCell {
  let value = '';
  let place = start + 1;
  for (;;) {
    const quote = text.indexOf('"', place);
    if (quote === -1) throw importFault('CSV 文件有误：有未闭合的引号');
    value += text.slice(place, quote);
    place = quote + 1;
    if (text[place] !== '"') break;
    value += '"';
    place += 1;
  }
  let end = place;
  while (end < text.length && text[end] !== separator && text[end] !== '\n' && text[end] !== '\r') end += 1;
  return closeCell(text, { value: value + text.slice(place, end), at: end, separator });
}

function closeCell(
  text: string,
  { value, at, separator }: { readonly value: string; readonly at: number; readonly separator: string },
): CsvCell {
  if (at >= text.length) return { value, end: at, closedBy: 'end' };
  if (text[at] === separator) return { value, end: at + 1, closedBy: separator };
  const width = text[at] === '\r' && text[at + 1] === '\n' ? 2 : 1;
  return { value, end: at + width, closedBy: at + width >= text.length ? 'end' : 'line' };
}

function separatorOf(text: string): string {
  const first = text.slice(0, text.search(/[\r\n]|$/));
  const counts = [',', '\t', ';'].map((sign) => [sign, first.split(sign).length] as const);
  return counts.reduce((best, next) => (next[1] > best[1] ? next : best), [',', 1] as const)[0];
}

function decode(bytes: Buffer): string {
  const mark = bytes.subarray(0, 2).toString('hex');
  if (mark === 'fffe') return new TextDecoder('utf-16le').decode(bytes);
  if (mark === 'feff') return new TextDecoder('utf-16be').decode(bytes);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    // Not UTF-8.
  }
  try {
    return new TextDecoder('gb18030', { fatal: true }).decode(bytes);
  } catch (cause) {
    throw importFault('无法识别文件编码，请另存为 UTF-8 编码的 CSV 或 xlsx', cause);
  }
}
