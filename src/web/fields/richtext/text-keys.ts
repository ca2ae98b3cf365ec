import {
  DomEditor,
  type IDomEditor,
  SlateEditor,
  SlateElement,
  SlatePath,
  SlateRange,
  SlateTransforms,
} from '@wangeditor/editor';
import type { KeyboardEvent } from 'react';
import { addLine, goToCell, tabSizeOf } from './edges.ts';
import { placeOf, typeOf } from './places.ts';
import { setProperties } from './set-properties.ts';
import { cellAt, isTable } from './table-cells.ts';

/** Keys inside the text that the browser or the core would swallow or take elsewhere. */
export function runTextKey(editor: IDomEditor, event: KeyboardEvent<HTMLElement>): void {
  const { target } = event;
  if (!(target instanceof Element) || target.closest('[data-slate-editor]') === null) return;
  if (editor.isDisabled() || event.nativeEvent.isComposing) return;
  if (!isText(event.key) || voidAt(editor) !== null) takeCaret(editor);
  if (editor.selection === null) return;
  const isDone =
    event.key === 'Tab' && event.shiftKey
      ? goBack(editor)
      : event.ctrlKey || event.metaKey || event.altKey
        ? false
        : typeOverCells(editor, event.key) || leaveVoid(editor, event) || leaveUpOrDown(editor, event);
  if (!isDone) return;
  event.preventDefault();
  event.stopPropagation();
}

/** The core hears of a click a moment late: a key that comes sooner would work where the caret was. */
function takeCaret(editor: IDomEditor): void {
  const native = getSelection();
  const isOwn =
    native?.isCollapsed === true && native.anchorNode?.parentElement?.closest('[data-slate-editor]');
  if (!isOwn || (editor.selection !== null && SlateRange.isExpanded(editor.selection))) return;
  const range = DomEditor.toSlateRange(editor, native, { exactMatch: false, suppressThrow: true });
  if (range !== null) editor.select(range);
}

/** Shift+Tab: the cell before, a level up in a list, spaces off a line of code. Elsewhere it leaves the text. */
function goBack(editor: IDomEditor): boolean {
  if (goToCell(editor, -1)) return true;
  const items = [
    ...SlateEditor.nodes(editor, {
      match: (node) => SlateElement.isElement(node) && typeOf(node) === 'list-item' && levelOf(node) > 0,
    }),
  ];
  for (const [node, path] of items) setProperties(editor, { level: levelOf(node) - 1 }, { at: path });
  return items.length > 0 || outdentCode(editor);
}

function levelOf(node: object): number {
  return Number(Reflect.get(node, 'level') ?? 0);
}

function outdentCode(editor: IDomEditor): boolean {
  const code = placeOf(editor, /^code$/);
  const { selection } = editor;
  if (code === null || selection === null) return false;
  const { path, offset } = SlateRange.start(selection);
  const text = SlateEditor.string(editor, code.path);
  const start = text.lastIndexOf('\n', offset - 1) + 1;
  const blanks = /^ */.exec(text.slice(start))?.[0].length ?? 0;
  const spaces = Math.min(blanks, tabSizeOf(editor));
  if (spaces > 0)
    SlateTransforms.delete(editor, {
      at: { anchor: { path, offset: start }, focus: { path, offset: start + spaces } },
    });
  return true;
}

/** Delete and typing over cells, alone or with text before or behind them. */
function typeOverCells(editor: IDomEditor, key: string): boolean {
  const { selection } = editor;
  if (selection === null || SlateRange.isCollapsed(selection)) return false;
  if (!goesAcrossCells(editor, selection)) return false;
  const isDelete = key === 'Delete' || key === 'Backspace';
  if (!isDelete && !isText(key) && key !== 'Process') return false;
  editor.deleteFragment();
  if (isText(key)) editor.insertText(key);
  return isDelete || isText(key);
}

/** The core and the browser do nothing about a selection that a table is at an end of. */
function goesAcrossCells(editor: IDomEditor, { anchor, focus }: SlateRange): boolean {
  const ends = [anchor.path, focus.path];
  const hasTable = ends.some(([at = 0]) => isTable(editor.children[at]));
  const [one = [], other = []] = ends.map((path) => path.slice(0, 3));
  return hasTable && !SlatePath.equals(one, other);
}

function isText(key: string): boolean {
  return [...key].length === 1;
}

function voidAt(editor: IDomEditor) {
  if (editor.selection === null) return null;
  const [entry] = SlateEditor.nodes(editor, {
    match: (node) => SlateElement.isElement(node) && editor.isVoid(node),
  });
  return entry ?? null;
}

/** A selected picture or box takes no text: it goes behind. */
function leaveVoid(editor: IDomEditor, { key, shiftKey }: KeyboardEvent): boolean {
  const entry = voidAt(editor);
  if (entry === null || !(isText(key) || key === 'Enter' || key === 'Process')) return false;
  const [node, path] = entry;
  if (SlateElement.isElement(node) && editor.isInline(node)) {
    SlateTransforms.select(editor, SlateEditor.start(editor, SlatePath.next(path)));
    if (key === 'Enter') editor.insertBreak();
    else if (isText(key)) editor.insertText(key);
  } else {
    const [at = 0] = path;
    addLine(editor, key === 'Enter' && shiftKey ? at : at + 1, isText(key) ? key : '');
  }
  // An input method goes on by itself where the caret is now.
  return key !== 'Process';
}

/** Above a table, code or box at the start there is room for a line, and below a box at the end; cells go by column. */
function leaveUpOrDown(editor: IDomEditor, { key, shiftKey }: KeyboardEvent): boolean {
  if (shiftKey || !/^Arrow(?:Up|Down)$/.test(key) || editor.selection === null) return false;
  if (SlateRange.isExpanded(editor.selection)) return false;
  const by = key === 'ArrowUp' ? -1 : 1;
  const [at = 0] = editor.selection.anchor.path;
  const block = editor.children[at];
  if (block === undefined || !/^(?:table|pre|kept-block|divider)$/.test(typeOf(block))) return false;
  if (!(SlateElement.isElement(block) && editor.isVoid(block)) && !isOnEdgeLine(by)) return false;
  const cell = cellBeside(editor, by);
  if (cell !== null) {
    SlateTransforms.select(
      editor,
      by === 1 ? SlateEditor.start(editor, cell) : SlateEditor.end(editor, cell),
    );
    return true;
  }
  const next = editor.children[at + by];
  if (next === undefined) addLine(editor, by === 1 ? at + 1 : 0);
  else SlateTransforms.select(editor, SlateEditor.start(editor, [at + by]));
  return true;
}

function cellBeside(editor: IDomEditor, by: 1 | -1): SlatePath | null {
  const place = cellAt(editor);
  if (place === null) return null;
  const { cell, grid } = place;
  const row = by === 1 ? cell.row + cell.rows : cell.row - 1;
  const found = grid.find(
    (other) =>
      other.row <= row &&
      row < other.row + other.rows &&
      other.column <= cell.column &&
      cell.column < other.column + other.columns,
  );
  return found?.path ?? null;
}

/** The caret stands on the first (or last) line of its cell or block, as the browser has broken it. */
function isOnEdgeLine(by: 1 | -1): boolean {
  const selection = getSelection();
  if (selection === null || selection.rangeCount === 0) return true;
  const range = selection.getRangeAt(0);
  const caret = range.getBoundingClientRect();
  const holder = range.startContainer.parentElement?.closest('td, th, pre, [data-slate-node="element"]');
  if (holder === null || holder === undefined || caret.height === 0) return true;
  const all = document.createRange();
  all.selectNodeContents(holder);
  const box = all.getBoundingClientRect();
  return by === 1 ? box.bottom - caret.bottom < caret.height / 2 : caret.top - box.top < caret.height / 2;
}
