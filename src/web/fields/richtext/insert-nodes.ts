import {
  type IDomEditor,
  SlateEditor,
  SlateElement,
  SlateNode,
  type SlatePath,
  SlateRange,
  SlateText,
  SlateTransforms,
} from '@wangeditor/editor';
import { placeOf, typeOf } from './places.ts';

type Nodes = readonly SlateNode[];

/**
 * Puts blocks where the caret is, in place of what is selected. The core's own way puts a paragraph in the place of an
 * empty cell and loses blocks in lines of code: a cell takes lines, code takes text, elsewhere whole blocks stand
 * between what was before and behind the caret, and a single line of text goes into the line.
 */
export function insertBlocks(editor: IDomEditor, nodes: Nodes): void {
  if (nodes.length === 0) return;
  SlateEditor.withoutNormalizing(editor, () => {
    if (editor.selection === null) SlateTransforms.select(editor, SlateEditor.end(editor, []));
    if (editor.selection !== null && SlateRange.isExpanded(editor.selection)) SlateTransforms.delete(editor);
    if (placeOf(editor, /^(?:code|pre)$/) !== null) SlateTransforms.insertText(editor, textOf(nodes));
    else if (placeOf(editor, /^table-cell$/) !== null) insertLine(editor, lineOf(nodes));
    else insertAtTop(editor, nodes);
  });
}

function insertAtTop(editor: IDomEditor, nodes: Nodes): void {
  const at = editor.selection?.anchor.path[0] ?? 0;
  const current = editor.children[at];
  if (current === undefined) return;
  const isText = isTextBlock(current);
  const isEmpty = isText && SlateNode.string(current) === '' && !holdsElements(current);
  const [first] = nodes;
  if (isEmpty && typeOf(current) === 'paragraph') {
    SlateTransforms.removeNodes(editor, { at: [at] });
    insertAll(editor, at, nodes);
  } else if (isText && nodes.length === 1 && first !== undefined && isTextBlock(first)) {
    insertLine(editor, childrenOf(first));
  } else if (isText) insertBetween(editor, at, nodes);
  else insertAll(editor, at + 1, nodes);
}

/** First and last paragraph join the halves of the line that the caret was in. */
function insertBetween(editor: IDomEditor, at: number, nodes: Nodes): void {
  const blocks = [...nodes];
  SlateTransforms.splitNodes(editor, { always: true });
  const [first] = blocks;
  const last = blocks.at(-1);
  let tail: Nodes = [];
  if (last !== undefined && blocks.length > 1 && typeOf(last) === 'paragraph') {
    tail = childrenOf(last);
    blocks.pop();
  }
  if (tail.length > 0) SlateTransforms.insertNodes(editor, [...tail], { at: [at + 1, 0] });
  if (first !== undefined && typeOf(first) === 'paragraph') {
    blocks.shift();
    SlateTransforms.insertNodes(editor, [...childrenOf(first)], { at: endOf(editor, at) });
  }
  const behind = editor.children[at + 1];
  const isBare = tail.length === 0 && behind !== undefined && SlateNode.string(behind) === '';
  if (isBare && !holdsElements(behind) && typeOf(behind) === 'paragraph')
    SlateTransforms.removeNodes(editor, { at: [at + 1] });
  insertAll(editor, at + 1, blocks);
  if (tail.length > 0)
    SlateTransforms.select(editor, SlateEditor.end(editor, [at + blocks.length + 1, tail.length - 1]));
  const before = editor.children[at];
  const isHeadBare = before !== undefined && isTextBlock(before) && SlateNode.string(before) === '';
  if (isHeadBare && !holdsElements(before) && editor.children.length > 1)
    SlateTransforms.removeNodes(editor, { at: [at] });
}

function endOf(editor: IDomEditor, at: number): SlatePath {
  const block = editor.children[at];
  return [at, block === undefined ? 0 : childrenOf(block).length];
}

/** The caret stands at the end of the last one. */
function insertAll(editor: IDomEditor, at: number, nodes: Nodes): void {
  if (nodes.length === 0) return;
  SlateTransforms.insertNodes(editor, [...nodes], { at: [at] });
  SlateTransforms.select(editor, SlateEditor.end(editor, [at + nodes.length - 1]));
}

function insertLine(editor: IDomEditor, nodes: Nodes): void {
  if (nodes.length > 0) SlateTransforms.insertNodes(editor, [...nodes], { select: true });
}

/** Blocks as one line of a cell, a line break between them; what is no text stays where it may. */
function lineOf(nodes: Nodes): Nodes {
  return nodes.flatMap((node, index) => {
    const inner = inlinesOf(node);
    return index === 0 ? inner : [{ text: '\n' }, ...inner];
  });
}

function inlinesOf(node: SlateNode): Nodes {
  if (isTextBlock(node)) return childrenOf(node);
  if (typeOf(node) === 'kept-block') return [Object.assign({}, node, { type: 'kept-inline' })];
  const inner = childrenOf(node);
  const glue = typeOf(node) === 'table-row' ? '\t' : '\n';
  return inner.flatMap((child, index) => [
    ...(index === 0 ? [] : [{ text: glue }]),
    ...(SlateText.isText(child) ? [child] : inlinesOf(child)),
  ]);
}

function textOf(nodes: Nodes): string {
  return lineOf(nodes)
    .map((node) => SlateNode.string(node))
    .join('');
}

/** A block whose children are text and what stands in a line. */
function isTextBlock(node: SlateNode): boolean {
  return /^(?:paragraph|header\d|blockquote|list-item|todo|table-cell|code)$/.test(typeOf(node));
}

function holdsElements(node: SlateNode): boolean {
  return childrenOf(node).some((child) => SlateElement.isElement(child));
}

function childrenOf(node: SlateNode): Nodes {
  return SlateText.isText(node) ? [] : node.children;
}
