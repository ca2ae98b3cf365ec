import {
  type IDomEditor,
  SlateEditor,
  SlateNode,
  SlatePath,
  SlatePoint,
  SlateRange,
  SlateTransforms,
} from '@wangeditor/editor';
import { paragraphOf } from './places.ts';
import { cellsBetween, clearCell, type GridCell, gridOf, isTable } from './table-cells.ts';

/**
 * Deletes what is selected where a table is part of it, which the core does not: cells are emptied, tables that are
 * selected whole go. False when there is no table at either end; the core's own way is right then.
 */
export function deleteWithTables(editor: IDomEditor): boolean {
  const { selection } = editor;
  if (selection === null || SlateRange.isCollapsed(selection)) return false;
  const [start, end] = SlateRange.edges(selection);
  const isAll =
    SlatePoint.equals(start, SlateEditor.start(editor, [])) &&
    SlatePoint.equals(end, SlateEditor.end(editor, []));
  const [from = 0] = start.path;
  const [to = 0] = end.path;
  if (!isAll && !isTable(editor.children[from]) && !isTable(editor.children[to])) return false;
  if (!isAll && from === to) return deleteInTable(editor, from, start, end);
  SlateEditor.withoutNormalizing(editor, () => {
    if (isAll) for (let at = to; at >= 0; at -= 1) SlateTransforms.removeNodes(editor, { at: [at] });
    else deleteBlocks(editor, start, end);
    if (editor.children.length === 0) SlateTransforms.insertNodes(editor, [paragraphOf()], { at: [0] });
    const at = Math.min(from, editor.children.length - 1);
    const isLeft = SlateNode.has(editor, start.path) && !isAll;
    SlateTransforms.select(editor, isLeft ? start : SlateEditor.start(editor, [at]));
  });
  return true;
}

/** Cells between the two ends; inside one cell the core knows how. */
function deleteInTable(editor: IDomEditor, at: number, start: SlatePoint, end: SlatePoint): boolean {
  const table = editor.children[at];
  const grid = table === undefined ? [] : gridOf(table, [at]);
  const one = cellOf(grid, start);
  const other = cellOf(grid, end);
  if (one === undefined || other === undefined || one === other) return false;
  SlateEditor.withoutNormalizing(editor, () => {
    for (const { path } of cellsBetween(grid, one, other)) clearCell(editor, path);
    SlateTransforms.select(editor, SlateEditor.start(editor, one.path));
  });
  return true;
}

function cellOf(grid: readonly GridCell[], point: SlatePoint): GridCell | undefined {
  return grid.find(({ path }) => SlatePath.isAncestor(path, point.path));
}

/** From the end, so that the places before hold. */
function deleteBlocks(editor: IDomEditor, start: SlatePoint, end: SlatePoint): void {
  const [from = 0] = start.path;
  const [to = 0] = end.path;
  deletePart(editor, to, { anchor: SlateEditor.start(editor, [to]), focus: end });
  for (let at = to - 1; at > from; at -= 1) SlateTransforms.removeNodes(editor, { at: [at] });
  deletePart(editor, from, { anchor: start, focus: SlateEditor.end(editor, [from]) });
}

/** Deletes a part of one block; a table or another block that is selected whole goes, text leaves an empty line. */
function deletePart(editor: IDomEditor, at: number, range: SlateRange): void {
  const block = editor.children[at];
  if (block === undefined || SlatePoint.equals(range.anchor, range.focus)) return;
  const isWhole = SlateRange.equals(range, SlateEditor.range(editor, [at]));
  if (!isTable(block)) {
    SlateTransforms.delete(editor, { at: range });
    return;
  }
  if (isWhole) {
    SlateTransforms.removeNodes(editor, { at: [at] });
    return;
  }
  const first = range.anchor.path.slice(0, 3);
  const last = range.focus.path.slice(0, 3);
  for (const { path } of gridOf(block, [at]))
    if (!SlatePath.isBefore(path, first) && !SlatePath.isAfter(path, last)) clearCell(editor, path);
}
