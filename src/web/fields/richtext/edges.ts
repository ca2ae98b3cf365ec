import {
  Boot,
  type IDomEditor,
  SlateEditor,
  SlateElement,
  SlateNode,
  SlatePath,
  SlateRange,
  SlateTransforms,
} from '@wangeditor/editor';
import { deleteWithTables } from './delete-selection.ts';
import { EDITOR_DEFAULTS } from './editor-options.ts';
import { keptHtml } from './kept-module.ts';
import { paragraphOf } from './places.ts';
import { withRoomInTables } from './new-table.ts';
import { addLastRow, cellAt } from './table-cells.ts';

/** Once a page: the core keeps a global list. */
export function registerEdgeModule(): void {
  Boot.registerModule({ editorPlugin: withEdges });
}

/** What keys do at the edges of tables and kept elements. */
function withEdges<T extends IDomEditor>(editor: T): T {
  const { handleTab, deleteBackward, deleteForward, deleteFragment, insertText, insertBreak } = editor;
  editor.selectAll = () => SlateTransforms.select(editor, cellOrAll(editor));
  editor.apply = withRoomInTables(editor, editor.apply);
  let isTab = false;
  editor.handleTab = () => {
    if (goToCell(editor, 1)) return;
    isTab = true;
    handleTab();
    isTab = false;
  };
  editor.deleteBackward = (unit) => {
    if (!selectKept(editor, -1)) deleteBackward(unit);
  };
  editor.deleteForward = (unit) => {
    if (!isAtEndOfCell(editor) && !selectKept(editor, 1)) deleteForward(unit);
  };
  editor.deleteFragment = (unit) => {
    if (!deleteWithTables(editor)) deleteFragment(unit);
  };
  editor.insertText = (text) => {
    deleteWithTables(editor);
    // The core knows one width of its own.
    insertText(isTab && BLANKS.test(text) ? ' '.repeat(tabSizeOf(editor)) : text);
  };
  editor.insertBreak = () => {
    deleteWithTables(editor);
    if (isAtStartOfDocument(editor) && cellAt(editor) !== null) addLine(editor, 0);
    else insertBreak();
  };
  return editor;
}

const BLANKS = /^ +$/;

const TAB_SIZES = new WeakMap<IDomEditor, number>();

/** So many spaces Tab puts in. */
export function setTabSize(editor: IDomEditor, spaces: number): void {
  TAB_SIZES.set(editor, spaces);
}

export function tabSizeOf(editor: IDomEditor): number {
  return TAB_SIZES.get(editor) ?? EDITOR_DEFAULTS.tabSize;
}

/** Ctrl+A: what is in the cell, then the whole document. */
function cellOrAll(editor: IDomEditor): SlateRange {
  const cell = cellAt(editor)?.cell;
  const { selection } = editor;
  const all = SlateEditor.range(editor, []);
  if (cell === undefined || selection === null) return all;
  const inside = SlateEditor.range(editor, cell.path);
  const isOneCell = [selection.anchor, selection.focus].every(({ path }) =>
    SlatePath.isAncestor(cell.path, path),
  );
  const [start, end] = SlateRange.edges(selection);
  const isTaken = SlateRange.equals({ anchor: start, focus: end }, inside);
  return isOneCell && !isTaken ? inside : all;
}

/** To the next cell or the one before; behind the last one a row is added. False where there is none. */
export function goToCell(editor: IDomEditor, by: 1 | -1): boolean {
  const place = cellAt(editor);
  if (place === null) return false;
  const { cell, grid } = place;
  const next = grid[grid.indexOf(cell) + by];
  if (next !== undefined) SlateTransforms.select(editor, SlateEditor.range(editor, next.path));
  else if (by === 1) addLastRow(editor, grid, cell.path.slice(0, -2));
  return next !== undefined || by === 1;
}

/** An empty paragraph at this place of the document, with the caret in it. */
export function addLine(editor: IDomEditor, at: number, text = ''): void {
  SlateTransforms.insertNodes(editor, [paragraphOf(text)], { at: [at] });
  SlateTransforms.select(editor, SlateEditor.end(editor, [at]));
}

function isAtStartOfDocument(editor: IDomEditor): boolean {
  const { selection } = editor;
  return (
    selection !== null &&
    SlateRange.isCollapsed(selection) &&
    SlateEditor.isStart(editor, selection.anchor, [])
  );
}

/** The next paragraph is not drawn into the table. */
function isAtEndOfCell(editor: IDomEditor): boolean {
  const { selection } = editor;
  const place = cellAt(editor);
  return (
    place !== null &&
    selection !== null &&
    SlateRange.isCollapsed(selection) &&
    SlateEditor.isEnd(editor, selection.anchor, place.cell.path)
  );
}

/** A kept box beside the caret is selected first: one key too many must not delete what cannot be typed again. */
function selectKept(editor: IDomEditor, by: 1 | -1): boolean {
  const { selection } = editor;
  if (selection === null || SlateRange.isExpanded(selection)) return false;
  const [at = 0] = selection.anchor.path;
  const block = editor.children[at];
  const beside = editor.children[at + by];
  if (block === undefined || beside === undefined || keptHtml(beside) === null || keptHtml(block) !== null)
    return false;
  const isEdge =
    by === 1
      ? SlateEditor.isEnd(editor, selection.anchor, [at])
      : SlateEditor.isStart(editor, selection.anchor, [at]);
  if (!isEdge) return false;
  const path = SlateEditor.pathRef(editor, [at + by]);
  const isEmpty =
    SlateNode.string(block) === '' && !childrenOf(block).some((child) => SlateElement.isElement(child));
  if (isEmpty && editor.children.length > 2) SlateTransforms.removeNodes(editor, { at: [at] });
  const target = path.unref();
  if (target !== null)
    SlateTransforms.select(editor, SlateEditor.start(editor, SlatePath.isPath(target) ? target : []));
  return true;
}

function childrenOf(node: SlateNode): readonly SlateNode[] {
  return SlateElement.isElement(node) ? node.children : [];
}
