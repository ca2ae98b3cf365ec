import { createEditor, type IDomEditor, SlateEditor, SlateTransforms } from '@wangeditor/editor';
import { cleanHtml } from '../richtext-view.tsx';
import {
  backgroundHtml,
  type DocumentBackground,
  NO_BACKGROUND,
  splitBackground,
} from '../richtext-background.ts';
import { insertBlocks } from './insert-nodes.ts';
import { keptElement } from './kept-module.ts';
import { fromEditorHtml, toEditorHtml } from './kept-html.ts';

/** The document as it is stored; empty text for an empty one. */
export function readDocument(editor: IDomEditor): string {
  if (editor.isEmpty()) return '';
  return cleanHtml(`${fromEditorHtml(editor.getHtml())}${backgroundHtml(backgroundOf(editor))}`);
}

/** Told with the document's HTML each time that it was read for the form. */
export const READ_EVENT = 'richtextRead';

const BACKGROUNDS = new WeakMap<IDomEditor, DocumentBackground>();

/** What stands behind the text of this editor. */
export function backgroundOf(editor: IDomEditor): DocumentBackground {
  return BACKGROUNDS.get(editor) ?? NO_BACKGROUND;
}

/** Changes it and tells those who listen for changes of the document. */
export function setBackground(editor: IDomEditor, background: DocumentBackground): void {
  BACKGROUNDS.set(editor, background);
  editor.emit('change');
}

/** Takes the background of a document that is loaded. */
export function openBackground(editor: IDomEditor, html: string): void {
  BACKGROUNDS.set(editor, splitBackground(cleanHtml(html)).background);
}

/** HTML of anyone, sanitised and in the shape that the core reads without loss. */
export function loadableHtml(html: string): string {
  return toEditorHtml(splitBackground(cleanHtml(html)).html);
}

/**
 * Puts another document in the editor's place, as one step that can be undone. The core's own way corrupts what
 * starts with a table, so a second editor parses and its nodes are taken over.
 */
export function replaceDocument(editor: IDomEditor, html: string): void {
  const nodes = parseNodes(editor, html);
  setBackground(editor, splitBackground(cleanHtml(html)).background);
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
  insertBlocks(editor, parseNodes(editor, html));
}

/** Puts HTML that the core has no element for into the line, each of its elements as one piece, and the caret behind. */
export function insertInline(editor: IDomEditor, html: string): void {
  editor.restoreSelection();
  const { body } = new DOMParser().parseFromString(html, 'text/html');
  const pieces = [...body.children].map(({ outerHTML }) => keptElement('kept-inline', outerHTML));
  SlateTransforms.insertNodes(editor, pieces);
  editor.move(1);
}

function parseNodes({ getConfig }: IDomEditor, html: string): IDomEditor['children'] {
  const { MENU_CONF = {} } = getConfig();
  return createEditor({ html: loadableHtml(html), config: { MENU_CONF } }).children;
}
