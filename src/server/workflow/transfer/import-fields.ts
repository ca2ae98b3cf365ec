import { canWrite } from '#engine/access/resource-access.ts';
import type { Field } from '#engine/schema/resource.ts';
import type { Call } from '#server/records/call/open-call.ts';
import { importFault, type ReadRow } from './import-fault.ts';

/** A field that a column of a file fills. */
export interface ImportField {
  readonly field: Field;
  /** The field of lines that it is a column of; null for the head's. */
  readonly lines: string | null;
  readonly title: string;
  readonly isRequired: boolean;
  /** The number of a record: it finds the record, it is never written. */
  readonly isKeyOnly: boolean;
}

/** A field and the place of its column. */
export interface ImportColumn extends ImportField {
  readonly place: number;
}

/** The header of a sheet, understood. */
export interface ImportHeader {
  readonly row: number;
  readonly columns: readonly ImportColumn[];
  /** The column that says which rows are one document; null without one. */
  readonly groupPlace: number | null;
  /** The titles as they stand in the file. */
  readonly titles: readonly string[];
  /** Titles that no field has: their columns are left out. */
  readonly ignored: readonly string[];
}

/** Fields that somebody chose for columns, by place; null: the column is left out. */
export type ChosenColumns = ReadonlyMap<number, string | null>;

/** The title of the column that tells documents of a file apart. */
export const GROUP_TITLE = '单据序号';

/** The fields that this role may fill by a file, the head's and then the lines', in the order of the definition; titles are unique. */
export function importFields(call: Call): readonly ImportField[] {
  const { resource, access } = call;
  const numberField = resource.number?.field;
  const isOpen = (field: Field, path: string): boolean =>
    !field.computed && field.readOnly !== true && isFillable(field) && canWrite(access, path);
  const heads = Object.values(resource.fields).filter(
    (field) => field.name === numberField || isOpen(field, field.name),
  );
  const cells = Object.values(resource.fields)
    .filter((field) => field.type === 'lines' && !field.computed && canWrite(access, field.name))
    .flatMap((lines) =>
      Object.values(lines.fields ?? {})
        .filter((field) => isOpen(field, `${lines.name}.${field.name}`))
        .map((field) => ({ field, lines })),
    );
  const titles = new Map<string, number>();
  for (const { title } of [...heads, ...cells.map(({ field }) => field)])
    titles.set(title, (titles.get(title) ?? 0) + 1);
  const headTitles = countOf(heads.map(({ title }) => title));
  return [
    ...heads.map((field) => ({
      field,
      lines: null,
      title: (headTitles.get(field.title) ?? 0) > 1 ? `${field.title}（${field.name}）` : field.title,
      isRequired: isAsked(field),
      isKeyOnly: field.name === numberField && (field.computed || !canWrite(access, field.name)),
    })),
    ...cells.map(({ field, lines }) => ({
      field,
      lines: lines.name,
      title: (titles.get(field.title) ?? 0) > 1 ? `${lines.title}·${field.title}` : field.title,
      isRequired: isAsked(field),
      isKeyOnly: false,
    })),
  ];
}

/** `buyer_id`, or `items.quantity`. */
export function pathOf({ field, lines }: ImportField): string {
  return lines === null ? field.name : `${lines}.${field.name}`;
}

/** Finds the header among the first rows: the first one in which some field's title stands, or that was chosen for. @throws IMPORT_FAULT */
export function findHeader(
  fields: readonly ImportField[],
  rows: readonly ReadRow[],
  chosen: ChosenColumns = new Map(),
): ImportHeader {
  const byTitle = new Map(fields.map((field) => [normalTitle(field.title), field]));
  const byPath = new Map(fields.map((field) => [pathOf(field), field]));
  const known = (title: string, place: number): ImportField | undefined => {
    const path = chosen.get(place);
    if (path !== undefined) return path === null ? undefined : byPath.get(path);
    return byTitle.get(normalTitle(title)) ?? byPath.get(title.trim());
  };
  const isChosen = chosen.size > 0;
  for (const { row, cells } of rows) {
    const titles = cells.map((cell) => cell?.text ?? '');
    const columns = titles.flatMap((title, place): ImportColumn[] => {
      const found = title === '' ? undefined : known(title, place);
      return found === undefined ? [] : [{ ...found, place }];
    });
    // Somebody chose for the first row with several titles: what stands below may look like titles too.
    if (columns.length === 0 && !(isChosen && isTitleRow(titles))) continue;
    const repeated = columns.find((column) =>
      columns.some((other) => pathOf(other) === pathOf(column) && other.place < column.place),
    );
    if (repeated !== undefined) throw importFault(`表头“${repeated.title}”出现了多次`);
    const group = titles.findIndex((title) => normalTitle(title) === GROUP_TITLE);
    const places = new Set(columns.map(({ place }) => place));
    const ignored = titles.filter((title, place) => title !== '' && !places.has(place) && place !== group);
    return { row, columns, groupPlace: group < 0 ? null : group, titles, ignored };
  }
  const first = rows.find(({ cells }) => isTitleRow(cells.map((cell) => cell?.text ?? '')));
  if (first === undefined || chosen.size > 0) throw importFault('没有找到可识别的表头，请使用导入模板');
  // Nothing is known of it: whoever sent it is asked what its columns are.
  const titles = first.cells.map((cell) => cell?.text ?? '');
  return {
    row: first.row,
    columns: [],
    groupPlace: null,
    titles,
    ignored: titles.filter((title) => title !== ''),
  };
}

function countOf(texts: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
  return counts;
}

function isAsked(field: Field): boolean {
  return field.required && field.drawn !== true && field.default === undefined && field.type !== 'boolean';
}

const FEWEST_TITLES = 2;

function isTitleRow(titles: readonly string[]): boolean {
  return titles.filter((title) => title !== '').length >= FEWEST_TITLES;
}

/** Marks of a required column, spaces and the kind of brackets say nothing. */
function normalTitle(title: string): string {
  return title
    .replace(/[*＊\s]/g, '')
    .replace(/[(（]/g, '(')
    .replace(/[)）]/g, ')')
    .toLowerCase();
}

function isFillable(field: Field): boolean {
  if (NOT_IN_A_CELL.has(field.type)) return false;
  return field.type !== 'reference' || typeof field.to === 'string';
}

const NOT_IN_A_CELL: ReadonlySet<string> = new Set(['lines', 'secret', 'json', 'richtext', 'attachment']);
