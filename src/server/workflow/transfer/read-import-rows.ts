import type { ImportProblem } from '#contract/transfer.ts';
import type { Dictionary, Field } from '#engine/schema/resource.ts';
import { labelWithoutCode } from '#engine/values/label-without-code.ts';
import { loadDictionaries } from '#server/records/definitions/dictionary-values.ts';
import type { OpenRecord } from '#server/records/read/attach-references.ts';
import type { Call } from '#server/records/call/open-call.ts';
import { faultOf, hasLostDigits, isError, plainText, readCellValue, splitTexts } from './cell-value.ts';
import { cellName } from './group-documents.ts';
import type { FoundRecord, TextFinder, UnclearText } from './find-by-text.ts';
import type { ImportColumn } from './import-fields.ts';
import type { ReadCell, ReadRow } from './import-fault.ts';

/** A row of a file as the body of a create or PATCH call. */
export interface ImportRow {
  readonly row: number;
  /** The head. */
  readonly body: OpenRecord;
  /** The line that the row gives, by field of lines; none where its cells are empty. */
  readonly lines: Readonly<Record<string, OpenRecord>>;
  /** The record's number, where the file has one. */
  readonly number: string | null;
  readonly problems: readonly ImportProblem[];
  readonly doubts: readonly Doubt[];
  /** The texts of the row as they stand in the file. */
  readonly texts: readonly string[];
}

/** A reference whose text names several records: which of them the rest of the document may tell. */
export interface Doubt {
  readonly field: Field;
  /** The field of lines whose line it stands in; null: the head. */
  readonly lines: string | null;
  readonly among: readonly string[];
  /** What is told while it is not decided. */
  readonly problem: ImportProblem;
}

/** Values by what people may write for them: label or value, whatever the letters' case. */
export type ChoiceBook = ReadonlyMap<Field, ReadonlyMap<string, string>>;

/** The choices of every column with a closed list, by field. */
export async function loadChoices(call: Call, columns: readonly ImportColumn[]): Promise<ChoiceBook> {
  const names = columns.flatMap(({ field }) => (field.dictionary === undefined ? [] : [field.dictionary]));
  const dictionaries = await loadDictionaries(call, [...new Set(names)]);
  const book = new Map<Field, ReadonlyMap<string, string>>();
  for (const { field } of columns) {
    const choices = choicesOf(field, dictionaries);
    if (choices.length === 0) continue;
    const byText = new Map<string, string>();
    // A file may say either part of a label that begins with its code.
    for (const choice of choices) {
      const name = labelWithoutCode(choice);
      if (name !== null) byText.set(name.toLowerCase(), choice.value);
    }
    for (const { value, label } of choices) byText.set(label.toLowerCase(), value);
    for (const { value } of choices) byText.set(value.toLowerCase(), value);
    book.set(field, byText);
  }
  return book;
}

/** What may be chosen for a field: its own options or its dictionary's. */
export function choicesOf(
  field: Field,
  dictionaries: Readonly<Record<string, Dictionary>>,
): readonly { readonly value: string; readonly label: string }[] {
  if (field.options !== undefined)
    return Object.entries(field.options).map(([value, label]) => ({ value, label }));
  const dictionary = field.dictionary === undefined ? undefined : dictionaries[field.dictionary];
  return (dictionary?.items ?? []).filter(({ disabled }) => disabled !== true);
}

/** Reads a batch of rows: referenced records are looked up for all of them at once. Empty rows are left out. */
export async function readImportRows(
  rows: readonly ReadRow[],
  reading: {
    readonly columns: readonly ImportColumn[];
    readonly choices: ChoiceBook;
    readonly finder: TextFinder;
    readonly width: number;
  },
): Promise<readonly ImportRow[]> {
  const filled = rows.filter(({ cells }) => cells.some((cell) => cell !== null));
  for (const { field, place } of reading.columns) {
    if (field.type !== 'reference') continue;
    const texts = new Set(filled.flatMap(({ cells }) => referenceTexts(cells[place] ?? null, field)));
    await reading.finder.load(field, texts);
  }
  return filled.map(({ row, cells }) => {
    const body: OpenRecord = {};
    const lineBodies: Record<string, OpenRecord> = {};
    const problems: ImportProblem[] = [];
    const doubts: Doubt[] = [];
    let number: string | null = null;
    for (const { field, lines, place, title, isKeyOnly } of reading.columns) {
      const cell = cells[place] ?? null;
      // An empty cell says nothing: a new record gets its default, a stored one keeps what it has.
      if (cell === null) continue;
      const fault = faultOf(cell, field);
      if (isKeyOnly && fault === null) {
        number = plainText(cell);
        continue;
      }
      const read: ReturnType<typeof readField> = fault ?? readField(cell, field, reading);
      const target = lines === null ? body : (lineBodies[lines] ??= {});
      if ('value' in read) {
        target[field.name] = read.value;
        continue;
      }
      const problem = { column: title, cell: cellName(row, place), message: read.message };
      problems.push(problem);
      if (read.among !== undefined) doubts.push({ field, lines, among: read.among, problem });
    }
    const texts = Array.from({ length: reading.width }, (_cell, place) => {
      const cell = cells[place];
      // Lost digits are asked for again: sent back as text, their zeros would be taken for them.
      return cell === null || cell === undefined || hasLostDigits(cell) ? '' : cleanText(plainText(cell));
    });
    return { row, body, lines: lineBodies, number, problems, doubts, texts };
  });
}

function readField(
  cell: ReadCell,
  field: Field,
  { choices, finder }: { readonly choices: ChoiceBook; readonly finder: TextFinder },
): { readonly value: unknown } | UnclearText {
  const known = choices.get(field);
  if (field.type !== 'reference' && known === undefined) return readCellValue(cell, field);
  const values: string[] = [];
  for (const text of referenceTexts(cell, field)) {
    const found = field.type === 'reference' ? finder.find(field, text) : choose(known, text);
    if ('message' in found) return field.multiple === true ? { message: found.message } : found;
    values.push(found.id);
  }
  return { value: field.multiple === true ? [...new Set(values)] : (values[0] ?? null) };
}

function choose(known: ReadonlyMap<string, string> | undefined, text: string): FoundRecord {
  const value = known?.get(text.toLowerCase());
  return value === undefined ? { message: `“${text.slice(0, 40)}”不在可选范围内` } : { id: value };
}

function referenceTexts(cell: ReadCell | null, field: Field): readonly string[] {
  if (cell === null || isError(cell)) return [];
  return field.multiple === true ? splitTexts(plainText(cell)) : [plainText(cell)];
}

/** What the database cannot keep is left out of the copy of the file. */
function cleanText(text: string): string {
  return text.replace(/\p{Cs}|\0/gu, '');
}
