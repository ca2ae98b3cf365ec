import type { ColumnDefinition } from '#engine/schema/layout-definition.ts';
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
  money: 138,
  decimal: 110,
  integer: 80,
  percent: 90,
  date: 96,
  datetime: 142,
  boolean: 70,
  dictionary: 96,
  reference: 164,
  textarea: 220,
};
const MINIMUM_WIDTH = 60;

/** The columns that a list shows: the definition's, in the person's order, less the hidden ones. Fields that the role may not see are not in the definition. */
export function shownColumns(
  resource: Resource,
  defined: readonly ColumnDefinition[],
  layout: ColumnLayout,
): readonly ListColumn[] {
  const chosen = layout.order ?? orderByImportance(resource, defined);
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

/**
 * The columns as one reads them: which it is, how it stands, with whom, how much, when; then the rest as the definition
 * has them. So number, party, amount and state stand in view on a small screen.
 */
export function orderByImportance(
  resource: Resource,
  defined: readonly ColumnDefinition[],
): readonly string[] {
  const names = defined.map(columnName);
  const firstOf = (type: Field['type'], count: number): readonly string[] =>
    names.filter((name) => resource.fields[name]?.type === type).slice(0, count);
  const amounts = names.filter((name) => resource.fields[name]?.type === 'money');
  const totalled = defined.flatMap((column) =>
    typeof column === 'object' && column.total === true ? [column.field] : [],
  );
  const amount = amounts.find((name) => totalled.includes(name)) ?? amounts[0];
  const first = [
    ...names.filter((name) => name === resource.label),
    ...names.filter((name) => name === 'status'),
    ...firstOf('reference', 2),
    ...(amount === undefined ? [] : [amount]),
    ...firstOf('date', 1),
  ];
  // Where the number is not what a list begins with, its own order says what matters.
  if (names[0] !== resource.label) return names;
  return [...new Set([...first, ...names])];
}

/** Every field that could be a column, the defined ones first. */
export function possibleColumns(resource: Resource, defined: readonly ColumnDefinition[]): readonly Field[] {
  const first = defined.map(columnName);
  const others = Object.keys(resource.fields).filter(
    (name) => !first.includes(name) && resource.fields[name]?.internal !== true,
  );
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
