import { canSee } from '#engine/access/resource-access.ts';
import { digitsOf } from '#engine/fields/decimal-value.ts';
import { resolveFieldPath } from '#engine/schema/field-path.ts';
import type { Field } from '#engine/schema/resource.ts';
import type { Call } from '#server/records/call/open-call.ts';
import type { CellFormat, SheetColumn } from './sheet-cell.ts';

/** A column of an export: a head field, or a value of a referenced record (`buyer_id.country_id`). */
export interface ExportColumn extends SheetColumn {
  readonly path: string;
  readonly field: Field;
}

/** The columns asked for, else those of the list; fields that no cell can hold are left out, as in the list. */
export function exportColumns(call: Call, asked: readonly string[] | null): readonly ExportColumn[] {
  const { resource, catalog } = call;
  const defined = resource.list.columns.map((column) =>
    typeof column === 'string' ? { field: column } : column,
  );
  const titles = new Map(
    defined.flatMap(({ field, title }) => (title === undefined ? [] : [[field, title]])),
  );
  const paths = [...new Set(asked ?? defined.map(({ field }) => field))];
  return paths.flatMap((path) => {
    const resolved = resolveFieldPath({ resource, catalog }, path);
    const head = resource.fields[path.split('.')[0] ?? ''];
    if (resolved.kind !== 'field' || head === undefined || head.type === 'lines') return [];
    const { field } = resolved;
    if (NO_CELL.has(field.type) || !canSee(call.access, head.name)) return [];
    const title = titles.get(path) ?? (path === head.name ? field.title : `${head.title}·${field.title}`);
    return [{ path, field, title, format: cellFormat(field), width: widthOf(field) }];
  });
}

/** How a field's values look in a spreadsheet. */
export function cellFormat(field: Field): CellFormat {
  if (field.multiple === true) return TEXT;
  switch (field.type) {
    case 'integer':
      return { kind: 'number', scale: 0, mark: 'none' };
    case 'decimal':
      return { kind: 'number', scale: digitsOf(field).scale, mark: 'none' };
    case 'percent':
      return { kind: 'number', scale: digitsOf(field).scale, mark: 'percent' };
    case 'money':
      return { kind: 'number', scale: digitsOf(field).scale, mark: 'grouped' };
    case 'date':
      return { kind: 'date' };
    case 'datetime':
      return { kind: 'datetime' };
    default:
      return TEXT;
  }
}

const TEXT: CellFormat = { kind: 'text' };
const NO_CELL: ReadonlySet<string> = new Set(['lines', 'secret', 'json', 'richtext', 'attachment']);

function widthOf(field: Field): number {
  return WIDTHS[field.type] ?? 18;
}

const WIDTHS: Readonly<Record<string, number>> = {
  date: 12,
  datetime: 18,
  integer: 10,
  boolean: 8,
  percent: 12,
  reference: 26,
  textarea: 40,
};
