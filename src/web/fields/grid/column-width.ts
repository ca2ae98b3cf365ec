import type { FieldType } from '#engine/schema/definition.ts';
import type { Field } from '#engine/schema/resource.ts';

const WIDTHS_PX = {
  text: 140, textarea: 180, richtext: 160, integer: 90, decimal: 116, money: 130, percent: 90, date: 128, datetime: 160,
  boolean: 64, dictionary: 116, reference: 190, attachment: 120, lines: 80, json: 140, secret: 120,
} as const satisfies Record<FieldType, number>; // prettier-ignore
const NUMBER_WIDTH_PX = 44;
const TITLE_LETTER_PX = 14;
const TITLE_ROOM_PX = 30;

/** The width a column starts with: by its type, never narrower than its title. */
export function startWidth(column: Field): number {
  const title = column.title.length * TITLE_LETTER_PX + TITLE_ROOM_PX;
  return Math.max(WIDTHS_PX[column.type], Math.min(title, 200));
}

/** The tracks of a row: the number, then the columns; the last one takes what is left. */
export function gridTemplate(
  columns: readonly Field[],
  widths: Readonly<Record<string, number>>,
): { readonly columns: string; readonly widthPx: number } {
  const sizes = columns.map((column) => widths[column.name] ?? startWidth(column));
  const tracks = sizes.map((size, index) =>
    index === sizes.length - 1 ? `minmax(${size}px, 1fr)` : `${size}px`,
  );
  return {
    columns: [`${NUMBER_WIDTH_PX}px`, ...tracks].join(' '),
    widthPx: sizes.reduce((sum, size) => sum + size, NUMBER_WIDTH_PX),
  };
}
