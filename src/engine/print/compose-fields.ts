import type { FilledBlock } from './filled-print.ts';
import type { PageMaker } from './page-maker.ts';

type FieldsBlock = Extract<FilledBlock, { readonly kind: 'fields' }>;
type Item = FieldsBlock['items'][number];

const SIZE = 9;
/** A label above its value, as on official forms. */
const ABOVE = 7;
const GAP = 8;
const PADDING = 4;

/** Labels with their values, in rows of so many columns. */
export function composeFields(pages: PageMaker, block: FieldsBlock): void {
  for (const [place, items] of rowsOf(block).entries()) {
    const cells = cellsOf(pages, block, items);
    const height = Math.max(...cells.map((cell) => cell.height));
    const isNew = pages.need(height);
    for (const cell of cells) cell.draw(pages.y);
    if (block.grid) {
      const right = pages.left + pages.room;
      if (place === 0 || isNew) pages.line(pages.left, pages.y, right, pages.y);
      pages.line(pages.left, pages.y + height, right, pages.y + height);
      for (const x of [...cells.map((cell) => cell.x), right]) pages.line(x, pages.y, x, pages.y + height);
    }
    pages.y += height + (block.grid ? 0 : 2);
  }
  if (!block.joined) pages.y += GAP;
}

/** What takes the whole width has a row of its own. */
function rowsOf({ items, columns }: FieldsBlock): readonly (readonly Item[])[] {
  const rows: Item[][] = [];
  for (const item of items) {
    const last = rows.at(-1);
    if (last === undefined || item.wide || last.length === columns || last[0]?.wide === true)
      rows.push([item]);
    else last.push(item);
  }
  return rows;
}

interface Cell {
  readonly x: number;
  readonly height: number;
  readonly draw: (top: number) => void;
}

/** The last row may be short: without shares of its own its cells stay below those of the rows before. */
function cellsOf(pages: PageMaker, block: FieldsBlock, items: readonly Item[]): readonly Cell[] {
  const shares = items.reduce((sum, { width }) => sum + width, 0);
  const all = Math.max(shares, items[0]?.wide === true ? 0 : block.columns);
  let x = pages.left;
  return items.map((item) => {
    const width = item.wide ? pages.room : (pages.room * item.width) / (block.stacked ? shares : all);
    const cell = (block.stacked ? stackedCell : besideCell)(pages, block, { item, x, width });
    x += width;
    return cell;
  });
}

interface Place {
  readonly item: Item;
  readonly x: number;
  readonly width: number;
}

function besideCell(pages: PageMaker, { grid }: FieldsBlock, { item, x, width }: Place): Cell {
  const pad = grid ? PADDING : 0;
  const label = `${item.label}${/[\u0021-\u007e]$/.test(item.label) ? ': ' : '：'}`;
  const labelWidth = Math.min(pages.widthOf(label, SIZE) + 2, width * 0.5);
  const valueWidth = width - labelWidth - 2 * pad - (grid ? 0 : GAP);
  const labels = pages.wrap(label, labelWidth, SIZE);
  const values = pages.wrap(item.value, valueWidth, SIZE);
  return {
    x,
    height: pages.heightOf(Math.max(labels.length, values.length), SIZE) + 2 * pad,
    draw: (top) => {
      pages.texts(labels, { x: x + pad, width: labelWidth, top: top + pad }, { size: SIZE, isSoft: true });
      pages.texts(values, { x: x + pad + labelWidth, width: valueWidth, top: top + pad }, { size: SIZE });
    },
  };
}

function stackedCell(pages: PageMaker, _block: FieldsBlock, { item, x, width }: Place): Cell {
  const room = width - PADDING;
  const labels = pages.wrap(item.label, room, ABOVE);
  const values = pages.wrap(item.value, room, SIZE);
  const labelHeight = pages.heightOf(labels.length, ABOVE);
  return {
    x,
    height: labelHeight + pages.heightOf(values.length, SIZE) + PADDING,
    draw: (top) => {
      const at = { x: x + PADDING / 2, width: room };
      pages.texts(labels, { ...at, top: top + PADDING / 2 }, { size: ABOVE, isSoft: true });
      pages.texts(values, { ...at, top: top + PADDING / 2 + labelHeight }, { size: SIZE });
    },
  };
}
