import { readFile } from 'node:fs/promises';

/** One line of a CSV file by its header's names. */
export type CsvRow = Readonly<Record<string, string>>;

/** Reads a UTF-8 CSV file with a header line; quoted cells may hold commas, quotes and line ends. */
export async function readCsv(path: string): Promise<readonly CsvRow[]> {
  const [header = [], ...lines] = cellsOf(await readFile(path, 'utf8'));
  return lines.map((cells) => Object.fromEntries(header.map((name, place) => [name, cells[place] ?? ''])));
}

/** Splits CSV text into lines of cells; lines without any text are left out. */
export function cellsOf(text: string): readonly (readonly string[])[] {
  const lines: string[][] = [];
  let line: string[] = [];
  // Either a quoted cell (quotes doubled inside) or a plain one, then what ends it.
  const cell = /(?:"((?:[^"]|"")*)"|([^,"\r\n]*))(,|\r?\n|$)/gy;
  const source = text.replace(/^\uFEFF/, '');
  while (cell.lastIndex < source.length) {
    const start = cell.lastIndex;
    const found = cell.exec(source);
    if (found === null) throw new TypeError(`CSV: broken cell at offset ${start}`);
    line.push(found[1]?.replaceAll('""', '"') ?? found[2] ?? '');
    if (found[3] === ',' && cell.lastIndex < source.length) continue;
    if (line.some((part) => part !== '')) lines.push(line);
    line = [];
  }
  return lines;
}
