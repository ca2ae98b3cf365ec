import {
  type IDomEditor,
  SlateEditor,
  SlateElement,
  SlateNode,
  type SlatePath,
  SlateRange,
  SlateTransforms,
} from '@wangeditor/editor';
import { placeOf } from './places.ts';
import { setProperties } from './set-properties.ts';
import { cellAt, cellLike, cellsBetween, type GridCell, gridOf } from './table-cells.ts';

/** Rows, columns and merged cells of the table that the caret is in; the core adds below and at the left only. */

export type TableSide = 'above' | 'below' | 'left' | 'right';

/** A row or a column beside the cell of the caret, whose cells are like their neighbours; the caret goes into it. */
export function addBeside(editor: IDomEditor, side: TableSide): void {
  const place = cellAt(editor);
  const table = placeOf(editor, /^table$/);
  if (place === null || table === null) return;
  const { cell, grid } = place;
  const spot = { grid, table: table.path, cell };
  SlateEditor.withoutNormalizing(editor, () => {
    if (side === 'above' || side === 'below') addRow(editor, spot, side);
    else addColumn(editor, spot, side);
  });
}

interface Spot {
  readonly grid: readonly GridCell[];
  readonly table: SlatePath;
  readonly cell: GridCell;
}

function addRow(editor: IDomEditor, { grid, table, cell }: Spot, side: 'above' | 'below'): void {
  const at = side === 'above' ? cell.row : cell.row + cell.rows;
  const like = side === 'above' ? cell.row : at - 1;
  const over = grid.filter((one) => one.row < at && one.row + one.rows > at);
  for (const { path, rows } of over) setProperties(editor, { rowSpan: rows + 1 }, { at: path });
  const cells = columnsOf(grid).flatMap((column) => {
    if (over.some((one) => covers(one, column))) return [];
    const beside = grid.find((one) => covers(one, column) && one.row <= like && like < one.row + one.rows);
    return [cellLike(editor, beside)];
  });
  const path = [...table, at];
  SlateTransforms.insertNodes(editor, [Object.assign({ type: 'table-row' }, { children: cells })], {
    at: path,
  });
  SlateTransforms.select(editor, SlateEditor.start(editor, path));
}

function addColumn(editor: IDomEditor, { grid, table, cell }: Spot, side: 'left' | 'right'): void {
  const at = side === 'left' ? cell.column : cell.column + cell.columns;
  const over = grid.filter((one) => one.column < at && one.column + one.columns > at);
  for (const { path, columns } of over) setProperties(editor, { colSpan: columns + 1 }, { at: path });
  const rows = Math.max(...grid.map((one) => one.row + one.rows));
  // From the last row, so that the places before hold.
  for (let row = rows - 1; row >= 0; row -= 1) {
    if (over.some((one) => one.row <= row && row < one.row + one.rows)) continue;
    const before = grid.filter((one) => one.row === row && one.column < at).length;
    const beside = grid.find((one) => one.row === row && covers(one, side === 'left' ? at : at - 1));
    const path = [...table, row, before];
    SlateTransforms.insertNodes(editor, [cellLike(editor, beside)], { at: path });
    if (row === cell.row) SlateTransforms.select(editor, SlateEditor.start(editor, path));
  }
  widen(editor, table, side === 'left' ? at : at - 1, at);
}

/** The new column is as wide as the one beside it. */
function widen(editor: IDomEditor, table: SlatePath, beside: number, at: number): void {
  const [node] = SlateEditor.node(editor, table);
  const widths: unknown = Reflect.get(node, 'columnWidths');
  if (!Array.isArray(widths)) return;
  const own: unknown = widths[beside];
  setProperties(editor, { columnWidths: widths.toSpliced(at, 0, own ?? NEW_WIDTH_PX) }, { at: table });
}

const NEW_WIDTH_PX = 90;

function columnsOf(grid: readonly GridCell[]): readonly number[] {
  return Array.from({ length: Math.max(...grid.map((one) => one.column + one.columns)) }, (_, at) => at);
}

function covers(cell: GridCell, column: number): boolean {
  return cell.column <= column && column < cell.column + cell.columns;
}

/** The cells of the selection when they can become one; null for one cell, and across tables. */
function selectedCells(editor: IDomEditor): readonly GridCell[] | null {
  const { selection } = editor;
  const table = placeOf(editor, /^table$/);
  if (selection === null || table === null || SlateRange.isCollapsed(selection)) return null;
  const grid = gridOf(table.node, table.path);
  const [one, other] = SlateRange.edges(selection).map(({ path }) =>
    grid.find((cell) => cell.path.every((step, depth) => path[depth] === step)),
  );
  if (one === undefined || other === undefined || one === other) return null;
  return cellsBetween(grid, one, other);
}

/** True when several cells of one table are selected. */
export function canMerge(editor: IDomEditor): boolean {
  return selectedCells(editor) !== null;
}

/** Makes one cell of the selected ones. What stood in each becomes a line of it, as in Word; empty ones leave none. */
export function mergeCells(editor: IDomEditor): void {
  const cells = selectedCells(editor);
  const [base] = cells ?? [];
  if (cells === null || base === undefined) return;
  const rows = Math.max(...cells.map((cell) => cell.row + cell.rows)) - base.row;
  const columns = Math.max(...cells.map((cell) => cell.column + cell.columns)) - base.column;
  const lines = cells.map(({ path }) => contentOf(editor, path)).filter((content) => content.length > 0);
  const content = lines.flatMap((line, place) => (place === 0 ? line : [{ text: '\n' }, ...line]));
  SlateEditor.withoutNormalizing(editor, () => {
    for (const { path } of cells.slice(1).toReversed()) SlateTransforms.removeNodes(editor, { at: path });
    const [node] = SlateEditor.node(editor, base.path);
    for (let at = childrenOf(node).length - 1; at >= 0; at -= 1)
      SlateTransforms.removeNodes(editor, { at: [...base.path, at] });
    SlateTransforms.insertNodes(editor, content.length === 0 ? [{ text: '' }] : content, {
      at: [...base.path, 0],
    });
    setProperties(editor, { rowSpan: rows, colSpan: columns }, { at: base.path });
    dropEmptyRows(editor, base.path.slice(0, -2));
    SlateTransforms.select(editor, SlateEditor.end(editor, base.path));
  });
}

/** A row without a cell of its own goes; what reached over it is one row shorter. */
function dropEmptyRows(editor: IDomEditor, table: SlatePath): void {
  const [node] = SlateEditor.node(editor, table);
  const at = childrenOf(node).findLastIndex((row) => childrenOf(row).length === 0);
  if (at < 0) return;
  for (const { path, row, rows } of gridOf(node, table))
    if (row < at && row + rows > at) setProperties(editor, { rowSpan: rows - 1 }, { at: path });
  SlateTransforms.removeNodes(editor, { at: [...table, at] });
  dropEmptyRows(editor, table);
}

function contentOf(editor: IDomEditor, path: SlatePath): readonly SlateNode[] {
  const [cell] = SlateEditor.node(editor, path);
  const isBlank =
    SlateNode.string(cell).trim() === '' && !childrenOf(cell).some((child) => SlateElement.isElement(child));
  return isBlank ? [] : childrenOf(cell);
}

function childrenOf(node: SlateNode): readonly SlateNode[] {
  return SlateElement.isElement(node) ? node.children : [];
}
