import { canWrite } from '#engine/access/resource-access.ts';
import type { Field } from '#engine/schema/resource.ts';
import type { Call } from '#server/records/call/open-call.ts';
import { importFault, type ReadRow } from './import-fault.ts';

/** A field that a column of a file fills. */
export interface ImportField {
  readonly field: Field;
  readonly title: string;
  readonly isRequired: boolean;
  /** The number of a record: it finds the record, it is never written. */
  readonly isKeyOnly: boolean;
}

/** A field and the place of its column. */
export interface ImportColumn extends ImportField {
  readonly place: number;
}

/** The header of a file, understood. */
export interface ImportHeader {
  readonly row: number;
  readonly columns: readonly ImportColumn[];
  /** The titles as they stand in the file. */
  readonly titles: readonly string[];
  /** Titles that no field has: their columns are left out. */
  readonly ignored: readonly string[];
}

/** The head fields that this role may fill by a file, in the order of the definition; titles are unique. */
export function importFields(call: Call): readonly ImportField[] {
  const { resource, access } = call;
  const numberField = resource.number?.field;
  const fields = Object.values(resource.fields).filter(
    (field) =>
      field.name === numberField ||
      (!field.computed && field.readOnly !== true && isFillable(field) && canWrite(access, field.name)),
  );
  const titles = new Map<string, number>();
  for (const { title } of fields) titles.set(title, (titles.get(title) ?? 0) + 1);
  return fields.map((field) => ({
    field,
    title: (titles.get(field.title) ?? 0) > 1 ? `${field.title}（${field.name}）` : field.title,
    isRequired: field.required && field.default === undefined && field.type !== 'boolean',
    isKeyOnly: field.name === numberField && (field.computed || !canWrite(access, field.name)),
  }));
}

/** Finds the header among the first rows: the first one in which some field's title stands. @throws IMPORT_FAULT */
export function findHeader(fields: readonly ImportField[], rows: readonly ReadRow[]): ImportHeader {
  const byTitle = new Map(fields.map((field) => [normalTitle(field.title), field]));
  const byName = new Map(fields.map((field) => [field.field.name, field]));
  for (const { row, cells } of rows) {
    const titles = cells.map((cell) => cell?.text ?? '');
    const columns = titles.flatMap((title, place): ImportColumn[] => {
      const found = byTitle.get(normalTitle(title)) ?? byName.get(title.trim());
      return found === undefined ? [] : [{ ...found, place }];
    });
    if (columns.length === 0) continue;
    const repeated = columns.find(({ field, place }) =>
      columns.some((other) => other.field === field && other.place < place),
    );
    if (repeated !== undefined) throw importFault(`表头“${repeated.title}”出现了多次`);
    const known = new Set(columns.map(({ place }) => place));
    const ignored = titles.filter((title, place) => title !== '' && !known.has(place));
    return { row, columns, titles, ignored };
  }
  throw importFault('没有找到可识别的表头，请使用导入模板');
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
