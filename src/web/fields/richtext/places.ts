import {
  type IDomEditor,
  SlateEditor,
  SlateElement,
  type SlateNode,
  type SlatePath,
  SlateTransforms,
} from '@wangeditor/editor';

/** What stands where the caret is. */
export interface Place {
  readonly node: SlateElement;
  readonly path: SlatePath;
}

/** The nearest element of these types around the caret, null when there is none. */
export function placeOf(editor: IDomEditor, types: RegExp): Place | null {
  if (editor.selection === null) return null;
  const [entry] = SlateEditor.nodes(editor, { match: (node) => isOfType(node, types), mode: 'lowest' });
  if (entry === undefined) return null;
  const [node, path] = entry;
  return SlateElement.isElement(node) ? { node, path } : null;
}

export function isInTable(editor: IDomEditor): boolean {
  return placeOf(editor, /^table$/) !== null;
}

export function isInCell(editor: IDomEditor): boolean {
  return placeOf(editor, /^table-cell$/) !== null;
}

/** The link that the caret is in. */
export function linkAt(editor: IDomEditor): Place | null {
  return placeOf(editor, /^link$/);
}

/** Takes the link away and leaves its text. */
export function unlink(editor: IDomEditor): void {
  SlateTransforms.unwrapNodes(editor, { match: (node) => isOfType(node, /^link$/) });
}

/** Type of an element, empty for text. */
export function typeOf(node: object): string {
  const type: unknown = Reflect.get(node, 'type');
  return typeof type === 'string' ? type : '';
}

function isOfType(node: SlateNode, types: RegExp): boolean {
  return SlateElement.isElement(node) && types.test(typeOf(node));
}

/** A paragraph with this text, to be inserted. */
export function paragraphOf(text = ''): SlateElement {
  return Object.assign({ type: 'paragraph' }, { children: [{ text }] });
}
