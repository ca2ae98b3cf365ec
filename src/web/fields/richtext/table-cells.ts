import {
  type IDomEditor,
  SlateEditor,
  SlateElement,
  type SlateNode,
  SlatePath,
  SlateTransforms,
} from '@wangeditor/editor';
import { placeOf, typeOf } from './places.ts';

/** A cell and the columns and rows it covers. */
export interface GridCell {
  readonly path: SlatePath;
  readonly row: number;
  readonly column: number;
  readonly rows: number;
  readonly columns: number;
}

/** The cells of a table in reading order, merged ones with what they cover; covered ones are left out. */
export function gridOf(table: SlateNode, at: SlatePath): readonly GridCell[] {
  const taken = new Set<string>();
  return childrenOf(table).flatMap((line, row) => {
    let column = 0;
    return childrenOf(line).flatMap((cell, index) => {
      if (Reflect.get(cell, 'hidden') === true) return [];
      while (taken.has(`${row}:${column}`)) column += 1;
      const rows = spanOf(cell, 'rowSpan');
      const columns = spanOf(cell, 'colSpan');
      for (let down = 0; down < rows; down += 1)
        for (let right = 0; right < columns; right += 1) taken.add(`${row + down}:${column + right}`);
      return [{ path: [...at, row, index], row, column, rows, columns }];
    });
  });
}

/** The cell that the caret is in, with the grid of its table. */
export function cellAt(
  editor: IDomEditor,
): { readonly cell: GridCell; readonly grid: readonly GridCell[] } | null {
  const table = placeOf(editor, /^table$/);
  const place = placeOf(editor, /^table-cell$/);
  if (table === null || place === null) return null;
  const grid = gridOf(table.node, table.path);
  const cell = grid.find(({ path }) => SlatePath.equals(path, place.path));
  return cell === undefined ? null : { cell, grid };
}

/** The cells of the rectangle between two cells; it grows until no merged cell stands out of it. */
export function cellsBetween(grid: readonly GridCell[], one: GridCell, other: GridCell): readonly GridCell[] {
  let box = boxOf([one, other]);
  for (;;) {
    const inside = grid.filter((cell) => overlaps(cell, box));
    const grown = boxOf(inside);
    if (JSON.stringify(grown) === JSON.stringify(box)) return inside;
    box = grown;
  }
}

type Box = Omit<GridCell, 'path'>;

function boxOf(cells: readonly GridCell[]): Box {
  const row = Math.min(...cells.map((cell) => cell.row));
  const column = Math.min(...cells.map((cell) => cell.column));
  const rows = Math.max(...cells.map((cell) => cell.row + cell.rows)) - row;
  const columns = Math.max(...cells.map((cell) => cell.column + cell.columns)) - column;
  return { row, column, rows, columns };
}

function overlaps(cell: Box, box: Box): boolean {
  return (
    cell.row < box.row + box.rows &&
    box.row < cell.row + cell.rows &&
    cell.column < box.column + box.columns &&
    box.column < cell.column + cell.columns
  );
}

/** Empties a cell and leaves it in its place. */
export function clearCell(editor: IDomEditor, path: SlatePath): void {
  const [cell] = SlateEditor.node(editor, path);
  for (let index = childrenOf(cell).length - 1; index >= 0; index -= 1)
    SlateTransforms.removeNodes(editor, { at: [...path, index] });
  SlateTransforms.insertNodes(editor, [{ text: '' }], { at: [...path, 0] });
}

/** One more row at the end of the table, its cells like those of the last one; the caret goes to its first cell. */
export function addLastRow(editor: IDomEditor, grid: readonly GridCell[], table: SlatePath): void {
  const last = Math.max(...grid.map(({ path }) => path.at(-2) ?? 0));
  const count = Math.max(...grid.map(({ column, columns }) => column + columns));
  const cells = Array.from({ length: count }, (_, column) =>
    cellLike(
      editor,
      grid.find((cell) => cell.row === last && cell.column === column && cell.columns === 1),
    ),
  );
  const row = [...table, last + 1];
  SlateTransforms.insertNodes(editor, [Object.assign({ type: 'table-row' }, { children: cells })], {
    at: row,
  });
  SlateTransforms.select(editor, SlateEditor.start(editor, row));
}

/** An empty cell that looks like another one. */
export function cellLike(editor: IDomEditor, like: GridCell | undefined): SlateNode {
  const [node] = like === undefined ? [{}] : SlateEditor.node(editor, like.path);
  const own = Object.fromEntries(
    ['textAlign', 'backgroundColor', 'kept'].flatMap((name) =>
      Reflect.has(node, name) ? [[name, Reflect.get(node, name)]] : [],
    ),
  );
  return Object.assign({ type: 'table-cell', ...own }, { children: [{ text: '' }] });
}

function spanOf(cell: SlateNode, name: 'rowSpan' | 'colSpan'): number {
  return Math.max(1, Number(Reflect.get(cell, name) ?? 1) || 1);
}

function childrenOf(node: SlateNode): readonly SlateNode[] {
  return SlateElement.isElement(node) ? node.children : [];
}

/** True for a table. */
export function isTable(node: SlateNode | undefined): boolean {
  return node !== undefined && typeOf(node) === 'table';
}
