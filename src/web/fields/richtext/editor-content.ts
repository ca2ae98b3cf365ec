import { createEditor, type IDomEditor, SlateEditor, SlateTransforms } from '@wangeditor/editor';
import { cleanHtml } from '../richtext-view.tsx';
import { EDITOR_MENUS } from './editor-options.ts';
import { keptElement } from './kept-module.ts';
import { fromEditorHtml, toEditorHtml } from './kept-html.ts';

/** The document as it is stored; empty text for an empty one. */
export function readDocument(editor: IDomEditor): string {
  return editor.isEmpty() ? '' : cleanHtml(fromEditorHtml(editor.getHtml()));
}

/** HTML of anyone, sanitised and in the shape that the core reads without loss. */
export function loadableHtml(html: string): string {
  return toEditorHtml(cleanHtml(html));
}

/**
 * Puts another document in the editor's place, as one step that can be undone. The core's own way corrupts what
 * starts with a table, so a second editor parses and its nodes are taken over.
 */
export function replaceDocument(editor: IDomEditor, html: string): void {
  const nodes = parseNodes(html);
  SlateEditor.withoutNormalizing(editor, () => {
    for (let index = editor.children.length - 1; index >= 0; index -= 1)
      SlateTransforms.removeNodes(editor, { at: [index] });
    SlateTransforms.insertNodes(editor, [...nodes], { at: [0] });
  });
  SlateTransforms.select(editor, SlateEditor.start(editor, []));
}

/** Puts the content of HTML where the caret is. */
export function insertDocument(editor: IDomEditor, html: string): void {
  editor.restoreSelection();
  SlateTransforms.insertFragment(editor, [...parseNodes(html)]);
}

/** Puts HTML that the core has no element for into the line, and the caret behind it. */
export function insertInline(editor: IDomEditor, html: string): void {
  editor.restoreSelection();
  SlateTransforms.insertNodes(editor, [keptElement('kept-inline', html)]);
  editor.move(1);
}

function parseNodes(html: string): IDomEditor['children'] {
  return createEditor({ html: loadableHtml(html), config: { MENU_CONF: EDITOR_MENUS } }).children;
}
