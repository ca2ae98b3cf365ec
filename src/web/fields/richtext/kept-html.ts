import { dropMarks, KEPT, KEPT_LIST, markElement, parseKept, restoreElements } from './kept-attributes.ts';
import { isEditableTable, markTable, restoreTable } from './table-html.ts';

/**
 * What the editor's core cannot hold is carried through it: attributes and styles as marks of their element, a block
 * or a piece of a line that it would flatten as an element that shows the HTML and gives it back unchanged. Nested
 * lists change their shape on the way.
 */

/** Sanitised HTML as the core reads it without loss. */
export function toEditorHtml(html: string): string {
  const body = parse(html);
  dropMarks(body);
  for (const node of [...body.childNodes]) {
    if (!(node instanceof HTMLElement)) continue;
    if (isTodo(node)) markTodo(node);
    else if (isEditableBlock(node)) markBlock(node);
    else node.replaceWith(keptElement('div', 'kept-block', node.outerHTML));
  }
  return body.innerHTML;
}

/** The core's HTML as it is stored: lists nested as HTML wants it, without the core's own marks. */
export function fromEditorHtml(html: string): string {
  const body = parse(html);
  for (const list of [...body.querySelectorAll('ul > ul, ul > ol, ol > ul, ol > ol')])
    (list.previousElementSibling ?? list).append(list);
  for (const list of body.querySelectorAll('ul, ol')) splitList(list);
  for (const item of body.querySelectorAll(`li[${KEPT_LIST}]`)) restoreList(item);
  for (const table of body.querySelectorAll<HTMLElement>('table[data-widths]')) restoreTable(table);
  restoreElements(body);
  for (const todo of body.querySelectorAll('div[data-w-e-type="todo"]'))
    todo.removeAttribute('data-w-e-type');
  for (const link of body.querySelectorAll('a[target=""]')) link.removeAttribute('target');
  return body.innerHTML;
}

function parse(html: string): HTMLElement {
  return new DOMParser().parseFromString(html, 'text/html').body;
}

function isList(element: Element): boolean {
  return element.localName === 'ul' || element.localName === 'ol';
}

function isEditableBlock(block: Element): boolean {
  if (/^(?:p|h[1-6]|blockquote)$/.test(block.localName)) return holdsInline(block);
  if (isList(block)) return isEditableList(block);
  if (block.localName === 'hr') return block.attributes.length === 0;
  if (block.localName === 'pre')
    return (
      block.attributes.length === 0 &&
      /^<code(?: class="language-[\w-]+")?>[^<]*<\/code>$/.test(block.innerHTML)
    );
  return block.localName === 'table' && isEditableTable(block, holdsInline);
}

/** A task as the core writes it: a box to tick and a line of text. */
function isTodo(block: Element): boolean {
  const [box, ...others] = block.children;
  return (
    block.localName === 'div' &&
    [...block.attributes].every(({ name }) => name === 'style') &&
    box === block.firstChild &&
    box?.localName === 'input' &&
    box.getAttribute('type') === 'checkbox' &&
    others.every(isInline)
  );
}

function markTodo(block: HTMLElement): void {
  const [box] = block.children;
  if (box === undefined) return;
  box.remove();
  keepInlineParts(block);
  block.prepend(box);
  markElement(block);
  block.setAttribute('data-w-e-type', 'todo');
}

function markBlock(block: HTMLElement): void {
  if (block.localName === 'pre' || block.localName === 'hr') return;
  keepInlineParts(block);
  if (isList(block)) markList(block);
  else if (block.localName === 'table') markTable(block);
  else markElement(block);
}

/** Items hold text and inner lists; text behind an inner list has no place in the core. */
function isEditableList(list: Element): boolean {
  return [list, ...list.querySelectorAll('ul, ol')].every((inner) =>
    [...inner.children].every((item) => item.localName === 'li' && isEditableItem(item)),
  );
}

function isEditableItem(item: Element): boolean {
  const nodes = [...item.childNodes].filter((node) => node.nodeType !== 3 || node.textContent?.trim() !== '');
  const inner = nodes.findIndex((node) => node instanceof Element && isList(node));
  const texts = inner < 0 ? nodes : nodes.slice(0, inner);
  const lists = inner < 0 ? [] : nodes.slice(inner);
  return (
    texts.every((node) => !(node instanceof Element) || isInline(node)) &&
    lists.every((node) => node instanceof Element && isList(node)) &&
    (lists.length === 0 || texts.length > 0)
  );
}

/** Each item carries the mark of its list; `li > ul` becomes `ul > ul`, which the core reads as a deeper level. */
function markList(block: HTMLElement): void {
  const before = block.previousElementSibling;
  const isBeside = before?.localName === block.localName;
  for (const list of [block, ...block.querySelectorAll<HTMLElement>('ul, ol')]) {
    markElement(list, list === block && isBeside ? { [BESIDE]: besideNote(before) } : {});
    const mark = list.getAttribute(KEPT);
    list.removeAttribute(KEPT);
    for (const item of list.querySelectorAll<HTMLElement>(':scope > li')) {
      markElement(item);
      if (mark !== null) item.setAttribute(KEPT_LIST, mark);
    }
  }
  for (const nested of [...block.querySelectorAll('li > ul, li > ol')].toReversed())
    nested.parentElement?.after(nested);
}

/** Two lists beside each other are one for the core: the second is told apart by a note. */
const BESIDE = '#beside';

function besideNote(before: Element): string {
  const note = parseKept(before.querySelector(`[${KEPT_LIST}]`)?.getAttribute(KEPT_LIST))[BESIDE];
  return String(Number(note ?? 0) + 1);
}

function noteOf(item: Element): string {
  return parseKept(item.getAttribute(KEPT_LIST))[BESIDE] ?? '';
}

/** Items of another list begin a list of their own. */
function splitList(list: Element): void {
  const items = [...list.children];
  const at = items.findIndex((item, place) => place > 0 && noteOf(item) !== noteOf(items[place - 1] ?? item));
  if (at < 0) return;
  const other = list.ownerDocument.createElement(list.localName);
  other.append(...items.slice(at));
  list.after(other);
  splitList(other);
}

/** The first item says what its list is like. */
function restoreList(item: Element): void {
  const mark = item.getAttribute(KEPT_LIST);
  item.removeAttribute(KEPT_LIST);
  const list = item.parentElement;
  if (list === null || item.previousElementSibling !== null) return;
  for (const [name, value] of Object.entries(parseKept(mark)))
    if (!name.startsWith('#')) list.setAttribute(name, value);
}

function holdsInline(block: Element): boolean {
  return [...block.children].every(isInline);
}

function isInline(element: Element): boolean {
  return INLINE.test(element.localName);
}

const INLINE =
  /^(?:a|abbr|audio|b|bdi|bdo|big|br|cite|code|data|del|dfn|em|font|i|iframe|img|ins|kbd|mark|q|ruby|s|samp|small|span|strike|strong|sub|sup|time|tt|u|var|video)$/;

/** Pieces of a line that the core would drop: anchors, attachments, music, frames, marks it does not know. */
function keepInlineParts(block: Element): void {
  for (const element of [...block.querySelectorAll<HTMLElement>('*')]) {
    if (!element.isConnected || !isInline(element)) continue;
    if (element.closest('[data-w-e-type]') !== null) continue;
    if (!isHeldInline(element)) element.replaceWith(keptElement('span', 'kept-inline', element.outerHTML));
    else if (element.localName === 'span' || element.localName === 'a') markElement(element);
  }
}

function isHeldInline(element: Element): boolean {
  const names = [...element.attributes].map(({ name }) => name);
  if (element.localName === 'a')
    return element.hasAttribute('href') && !element.hasAttribute('download') && element.textContent !== '';
  // Text takes one mark only.
  if (element.localName === 'span')
    return element.textContent !== '' && element.parentElement?.closest(`span[${KEPT}]`) == null;
  return /^(?:b|strong|i|em|u|s|del|strike|sub|sup|code|br)$/.test(element.localName) && names.length === 0;
}

function keptElement(tag: 'div' | 'span', type: string, html: string): HTMLElement {
  const element = document.createElement(tag);
  element.setAttribute('data-w-e-type', type);
  element.setAttribute('data-w-e-is-void', '');
  if (tag === 'span') element.setAttribute('data-w-e-is-inline', '');
  element.setAttribute('data-html', html);
  return element;
}
