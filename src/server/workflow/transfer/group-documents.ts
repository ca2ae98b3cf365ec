import type { ImportProblem } from '#contract/transfer.ts';
import type { OpenRecord } from '#server/records/read/attach-references.ts';
import { mapInTurns } from '#server/kernel/let-others.ts';
import { faultOf } from './cell-value.ts';
import { GROUP_TITLE, type ImportHeader, pathOf } from './import-fields.ts';
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
 * head cells are empty or repeat those above; a column 单据序号 says it by itself, wherever in the file its rows stand.
 */
export class DocumentGrouper {
  readonly #header: ImportHeader;
  readonly #hasLines: boolean;
  readonly #byGroup = new Map<string, Part[]>();
  /** The rows of the documents that were not given yet. */
  #kept: Part[][] = [];
  /** The document of the row before. */
  #open: Part[] = [];

  constructor(header: ImportHeader) {
    this.#header = header;
    this.#hasLines = header.columns.some(({ lines }) => lines !== null);
  }

  /** Takes rows; gives the documents that they end: none with 单据序号, whose rows may come later. */
  take(rows: readonly ImportRow[]): readonly ImportDocument[] {
    const done: ImportDocument[] = [];
    for (const read of rows) {
      const row = this.#withGroupFault(read);
      const parts = this.#partsOf(row);
      if (parts.length === 0) {
        if (this.#header.groupPlace === null) done.push(...this.#kept.splice(0).map(documentOf));
        this.#kept.push(parts);
      }
      parts.push({ row, header: this.#header, isSecond: false });
      this.#open = parts;
    }
    return done;
  }

  /** The other documents, in the order of their first rows. */
  async end(): Promise<readonly ImportDocument[]> {
    return mapInTurns(this.#kept.splice(0), documentOf, ({ length }) => length);
  }

  /** The rows of the document that a row belongs to; none where it begins one. */
  #partsOf(row: ImportRow): Part[] {
    const group = this.#groupOf(row);
    if (group === '') {
      const [first] = this.#open;
      return first !== undefined && this.#goesOn(first.row, row) ? this.#open : [];
    }
    const parts = this.#byGroup.get(group) ?? [];
    this.#byGroup.set(group, parts);
    return parts;
  }

  #groupOf({ texts }: ImportRow): string {
    const { groupPlace } = this.#header;
    return groupPlace === null ? '' : (texts[groupPlace] ?? '');
  }

  #withGroupFault(row: ImportRow): ImportRow {
    const { groupPlace } = this.#header;
    const fault = groupPlace === null ? null : faultOf({ text: this.#groupOf(row), kind: 'text' });
    if (groupPlace === null || fault === null) return row;
    const problem = { column: GROUP_TITLE, cell: cellName(row.row, groupPlace), ...fault };
    return { ...row, problems: [...row.problems, problem] };
  }

  #goesOn(first: ImportRow, row: ImportRow): boolean {
    if (!this.#hasLines) return false;
    return this.#header.columns.every(({ lines, place }) => {
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
    const key = keyOf(document, first);
    // Documents without 单据序号 or number are told apart by nothing; of two with the same, the further one is refused.
    if (key !== '' && !byKey.has(key)) byKey.set(key, document);
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
    if (!isSecond && row !== first.row) problems.push(...otherHeads(first.row, row, header));
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

/** What a further row of a document says of its head otherwise than the first one: only one of them could be kept. */
function otherHeads(first: ImportRow, row: ImportRow, { columns }: ImportHeader): readonly ImportProblem[] {
  return columns.flatMap(({ lines, field: { name }, place, title }) => {
    const text = row.texts[place] ?? '';
    if (lines !== null || text === '' || text === first.texts[place]) return [];
    const [value, before] = [row.body[name], first.body[name]];
    if (value !== undefined && JSON.stringify(value) === JSON.stringify(before)) return [];
    const cell = cellName(row.row, place);
    if (row.problems.some((problem) => problem.cell === cell)) return [];
    return [{ column: title, cell, message: `与第${first.row}行同一${GROUP_TITLE}，但内容不同` }];
  });
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
