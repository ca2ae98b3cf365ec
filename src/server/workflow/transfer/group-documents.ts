import type { ImportProblem } from '#contract/transfer.ts';
import type { OpenRecord } from '#server/records/read/attach-references.ts';
import type { ImportHeader } from './import-fields.ts';
import { pathOf } from './import-fields.ts';
import type { Doubt, ImportRow } from './read-import-rows.ts';

/** Where a value of a body stands in the file. */
export interface CellPlace {
  readonly column: string;
  readonly cell: string;
}

/** A document of a file: its head, its lines, and the rows that they came from. */
export interface ImportDocument {
  /** Its first row. */
  readonly row: number;
  readonly body: OpenRecord;
  readonly number: string | null;
  readonly problems: readonly ImportProblem[];
  /** Its undecided references, with the line of the body that each stands in; null: the head. */
  readonly doubts: readonly PlacedDoubt[];
  readonly texts: readonly string[];
  /** Its further rows as they stand in the file. */
  readonly more: readonly FurtherRow[];
  /** Where a problem's path (`sign_date`, `items.2.quantity`) stands; null where the file has no such cell. */
  readonly placeOf: (path: string) => CellPlace | null;
}

export interface PlacedDoubt extends Doubt {
  readonly line: OpenRecord | null;
}

export interface FurtherRow {
  readonly texts: readonly string[];
  /** It stands in the second sheet. */
  readonly isSecond: boolean;
}

/** A row that belongs to a document, with the header that its columns are read by. */
interface Part {
  readonly row: ImportRow;
  readonly header: ImportHeader;
  readonly isSecond: boolean;
}

/**
 * Puts the rows of a sheet together to documents. A row goes on with the one before when it has line columns and its
 * head cells are empty or repeat those above; a column 单据序号 says it by itself.
 */
export class DocumentGrouper {
  readonly #header: ImportHeader;
  readonly #hasLines: boolean;
  #open: Part[] = [];

  constructor(header: ImportHeader) {
    this.#header = header;
    this.#hasLines = header.columns.some(({ lines }) => lines !== null);
  }

  /** Takes rows; gives the documents that they end. */
  take(rows: readonly ImportRow[]): readonly ImportDocument[] {
    const done: ImportDocument[] = [];
    for (const row of rows) {
      const [first] = this.#open;
      if (first !== undefined && !this.#goesOn(first.row, row)) done.push(...this.end());
      this.#open.push({ row, header: this.#header, isSecond: false });
    }
    return done;
  }

  /** The last document. */
  end(): readonly ImportDocument[] {
    const parts = this.#open;
    this.#open = [];
    return parts.length === 0 ? [] : [documentOf(parts)];
  }

  #goesOn(first: ImportRow, row: ImportRow): boolean {
    const { groupPlace, columns } = this.#header;
    if (groupPlace !== null) {
      const group = row.texts[groupPlace] ?? '';
      return group === '' || group === first.texts[groupPlace];
    }
    if (!this.#hasLines) return false;
    return columns.every(({ lines, place }) => {
      const text = row.texts[place] ?? '';
      return lines !== null || text === '' || text === first.texts[place];
    });
  }
}

/** Documents with the lines of a second sheet, by 单据序号 or number; rows of nobody come back with their fault. */
export function joinSheets(
  documents: readonly ImportDocument[],
  first: ImportHeader,
  second: { readonly header: ImportHeader; readonly rows: readonly ImportRow[] },
): readonly ImportDocument[] {
  const parts = new Map<ImportDocument, Part[]>();
  const byKey = new Map<string, ImportDocument>();
  for (const document of documents) {
    parts.set(document, [{ row: { ...document, lines: {} }, header: first, isSecond: false }]);
    byKey.set(keyOf(document, first), document);
  }
  const lost: ImportDocument[] = [];
  for (const row of second.rows) {
    const owner = byKey.get(keyOf(row, second.header));
    const part: Part = { row, header: second.header, isSecond: true };
    const list = owner === undefined ? undefined : parts.get(owner);
    if (list !== undefined) list.push(part);
    else {
      const problem = { column: '单据', message: '第一张表中没有这一行明细所属的单据' };
      lost.push(documentOf([{ ...part, row: { ...row, problems: [...row.problems, problem] } }]));
    }
  }
  return [...documents.map((document) => documentOf(parts.get(document) ?? [])), ...lost];
}

function documentOf(parts: readonly Part[]): ImportDocument {
  const [first] = parts;
  if (first === undefined) throw new TypeError('a document has a row');
  const body: OpenRecord = { ...first.row.body };
  const places = new Map<string, CellPlace>();
  const problems: ImportProblem[] = [];
  const doubts: PlacedDoubt[] = [];
  for (const { row, header, isSecond } of parts) {
    problems.push(...row.problems);
    for (const doubt of row.doubts)
      if (doubt.lines !== null) doubts.push({ ...doubt, line: row.lines[doubt.lines] ?? null });
      else if (row === first.row) doubts.push({ ...doubt, line: null });
    const sheet = isSecond ? '明细表 ' : '';
    const at = new Map<string, number>();
    for (const [name, line] of Object.entries(row.lines)) {
      const before = body[name];
      const list: OpenRecord[] = Array.isArray(before) ? before : [];
      at.set(name, list.length);
      body[name] = [...list, line];
    }
    for (const column of header.columns) {
      const { lines, field, place, title } = column;
      if (lines === null && row !== first.row) continue;
      const index = lines === null ? null : at.get(lines);
      if (index === undefined) continue;
      const path = index === null ? pathOf(column) : `${lines ?? ''}.${index}.${field.name}`;
      places.set(path, { column: title, cell: `${sheet}${cellName(row.row, place)}` });
    }
  }
  return {
    // Rows are told apart by their numbers: those of the second sheet count downwards.
    row: first.isSecond ? -first.row.row : first.row.row,
    body,
    number: first.row.number,
    problems,
    doubts,
    texts: first.row.texts,
    more: parts.slice(1).map(({ row, isSecond }) => ({ texts: row.texts, isSecond })),
    placeOf: (path) => places.get(path) ?? null,
  };
}

/** C7: as spreadsheets call the cell of a row and the place of a column. */
export function cellName(row: number, place: number): string {
  let letters = '';
  for (let rest = place + 1; rest > 0; rest = Math.floor((rest - 1) / 26))
    letters = String.fromCharCode(65 + ((rest - 1) % 26)) + letters;
  return `${letters}${row}`;
}

function keyOf(row: Pick<ImportRow, 'texts' | 'number'>, { groupPlace }: ImportHeader): string {
  return groupPlace === null ? (row.number ?? '') : (row.texts[groupPlace] ?? '');
}
