import type { ColumnDefinition } from '#engine/schema/layout-definition.ts';
import { hasTotal } from '#engine/schema/list-totals.ts';
import type { Field, Resource } from '#engine/schema/resource.ts';
import { formatNumber } from '#engine/numbering/number-pattern.ts';

/** A column as the table shows it. */
export interface ListColumn {
  readonly name: string;
  readonly title: string;
  readonly field: Field;
  readonly width: number;
  /** What its title, its states or its numbers take: narrower they would be cut. */
  readonly leastWidth?: number;
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
  textarea: 220,
};
const TEXT_WIDTH = 140;
/** What a record is called by is what one looks for in its list. */
const NAME_WIDTH = 210;
/** Names of companies, numbers of documents; countries, people, banks: words of a few characters. */
const REFERENCE_WIDTHS = { party: 178, document: 138, base: 124 } as const;
const MINIMUM_WIDTH = 60;
/** A title is whole in its column where it takes no more than this: nine characters, or six and a unit in brackets. */
const WHOLE_TITLE_PX = 120;
const TITLE_CHARACTER_PX = 13;
const TITLE_LETTER_PX = 8;
const TITLE_BESIDES_PX = 18;
const WHOLE_STATE = 8;
const STATE_CHARACTER_PX = 12;
const STATE_BESIDES_PX = 32;
/** A column may be this much narrower so that it is seen whole. */
export const SMALLEST_SHARE = 0.86;
const DIGIT_PX = 8;
const CELL_BESIDES_PX = 16;
const FLOWING: ReadonlySet<Resource['kind']> = new Set(['log', 'view', 'ledger']);

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
    const title = own?.title ?? field.title;
    const leastWidth = Math.max(
      titleWidth(title),
      numberWidth(resource, name),
      name === 'status' ? stateWidth(resource) : 0,
    );
    const usual = Math.max(own?.width ?? fieldWidth(resource, field), leastWidth);
    return [
      {
        name,
        field,
        title,
        width: Math.max(MINIMUM_WIDTH, layout.widths?.[name] ?? usual),
        leastWidth,
        hasTotal: own !== undefined && hasTotal(own),
        isFrozen: place < frozen,
      },
    ];
  });
}

function fieldWidth({ label, isNamed, number }: Resource, { name, type, leadsTo }: Field): number {
  if (isNamed === true && name === label && name !== number?.field && type === 'text') return NAME_WIDTH;
  if (type === 'reference') return REFERENCE_WIDTHS[leadsTo ?? 'base'];
  return TYPE_WIDTHS[type] ?? TEXT_WIDTH;
}

/** What the number of a document takes: cut, no two could be told apart. */
function numberWidth(resource: Resource, name: string): number {
  const pattern = resource.number?.field === name ? resource.number.pattern : undefined;
  if (typeof pattern !== 'string') return 0;
  const number = formatNumber(pattern, { co: 'AA', date: '2026-12-31', sequence: 1 });
  return number.length * DIGIT_PX + CELL_BESIDES_PX;
}

/** What the longest state takes as a tag. */
function stateWidth({ lifecycle }: Resource): number {
  const titles = Object.values(lifecycle?.states ?? {}).map(({ title }) => title.length);
  return Math.min(Math.max(0, ...titles), WHOLE_STATE) * STATE_CHARACTER_PX + STATE_BESIDES_PX;
}

/** What a title takes; a long one ends in an ellipsis rather than widen its column. */
function titleWidth(title: string): number {
  const letters = title.replace(/[^\x20-\x7e]/g, '').length;
  const px = letters * TITLE_LETTER_PX + (title.length - letters) * TITLE_CHARACTER_PX;
  return Math.min(px, WHOLE_TITLE_PX) + TITLE_BESIDES_PX;
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
    typeof column === 'object' && hasTotal(column) ? [column.field] : [],
  );
  const amount = amounts.find((name) => totalled.includes(name)) ?? amounts[0];
  // Of a setting neither who nor how much comes first.
  const facts =
    resource.kind === 'config'
      ? []
      : [...firstOf('reference', 2), ...(amount === undefined ? [] : [amount]), ...firstOf('date', 1)];
  const [start = ''] = names;
  // An entry of a log begins with its time: its own order says what matters.
  if (start !== resource.label && FLOWING.has(resource.kind)) return names;
  const first = [
    // What a record of two numbers, or of number and name, is known by stands together.
    start,
    ...names.filter((name) => name === resource.label),
    ...names.filter((name) => name === 'status'),
    ...facts,
  ];
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
