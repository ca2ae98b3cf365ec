import type { ColumnDefinition } from '#engine/schema/definition.ts';
import type { Field, Resource } from '#engine/schema/resource.ts';

/** A column as the table shows it. */
export interface ListColumn {
  readonly name: string;
  readonly title: string;
  readonly field: Field;
  readonly width: number;
  readonly hasTotal: boolean;
  readonly isFrozen: boolean;
}

/** What a person changed of the columns: order, what is hidden, widths, how many stay at the left. */
export interface ColumnLayout {
  readonly order?: readonly string[];
  readonly hidden?: readonly string[];
  readonly widths?: Readonly<Record<string, number>>;
  readonly frozen?: number;
}

const TYPE_WIDTHS: Partial<Record<Field['type'], number>> = {
  money: 150,
  decimal: 110,
  integer: 80,
  percent: 90,
  date: 104,
  datetime: 142,
  boolean: 70,
  dictionary: 110,
  reference: 170,
  textarea: 220,
};
const MINIMUM_WIDTH = 60;

/** The columns that a list shows: the definition's, in the person's order, less the hidden ones. Fields that the role may not see are not in the definition. */
export function shownColumns(
  resource: Resource,
  defined: readonly ColumnDefinition[],
  layout: ColumnLayout,
): readonly ListColumn[] {
  const chosen = layout.order ?? defined.map(columnName);
  const hidden = new Set(layout.hidden);
  const names = [...new Set(chosen)].filter((name) => !hidden.has(name));
  const frozen = layout.frozen ?? 1;
  return names.flatMap((name, place) => {
    const field = resource.fields[name];
    if (field === undefined || !isListable(field)) return [];
    const definition = defined.find((column) => columnName(column) === name);
    const own = typeof definition === 'object' ? definition : undefined;
    return [
      {
        name,
        field,
        title: own?.title ?? field.title,
        width: Math.max(MINIMUM_WIDTH, layout.widths?.[name] ?? own?.width ?? TYPE_WIDTHS[field.type] ?? 140),
        hasTotal: own?.total === true,
        isFrozen: place < frozen,
      },
    ];
  });
}

/** Every field that could be a column, the defined ones first. */
export function possibleColumns(resource: Resource, defined: readonly ColumnDefinition[]): readonly Field[] {
  const first = defined.map(columnName);
  const others = Object.keys(resource.fields).filter((name) => !first.includes(name));
  return [...first, ...others].flatMap((name) => {
    const field = resource.fields[name];
    return field !== undefined && isListable(field) ? [field] : [];
  });
}

/** The columns after one was moved in front of another. */
export function movedColumn(names: readonly string[], moved: string, before: string): readonly string[] {
  if (moved === before) return names;
  const rest = names.filter((name) => name !== moved);
  const place = rest.indexOf(before);
  return [...rest.slice(0, place), moved, ...rest.slice(place)];
}

export function columnName(column: ColumnDefinition): string {
  return typeof column === 'string' ? column : column.field;
}

function isListable(field: Field): boolean {
  return !['lines', 'secret', 'json', 'richtext', 'attachment'].includes(field.type) && field.name !== 'id';
}
