/**
 * What the editor's core cannot hold is carried through it whole: a block or a piece of a line that it would flatten
 * becomes an element that shows the HTML and gives it back unchanged. Nested lists change their shape on the way.
 */

/** Sanitised HTML as the core reads it without loss. */
export function toEditorHtml(html: string): string {
  const body = parse(html);
  for (const list of [...body.children].filter(isList)) if (!isKeptList(list)) liftNestedLists(list);
  for (const node of [...body.childNodes]) {
    if (!(node instanceof Element)) continue;
    if (!isHeldBlock(node)) node.replaceWith(keptElement('div', 'kept-block', node.outerHTML));
    else if (node.localName !== 'pre') keepInlineParts(node);
  }
  return body.innerHTML;
}

/** The core's HTML as it is stored: lists nested as HTML wants it, without the core's own marks. */
export function fromEditorHtml(html: string): string {
  const body = parse(html);
  for (const list of [...body.querySelectorAll('ul > ul, ul > ol, ol > ul, ol > ol')])
    (list.previousElementSibling ?? list).append(list);
  for (const table of body.querySelectorAll('table:has(> colgroup[contenteditable])')) tidyTable(table);
  for (const image of body.querySelectorAll('img'))
    for (const name of ['data-href', 'width', 'height'])
      if (image.getAttribute(name) === '') image.removeAttribute(name);
  return body.innerHTML;
}

function parse(html: string): HTMLElement {
  return new DOMParser().parseFromString(html, 'text/html').body;
}

function isList(element: Element): boolean {
  return element.localName === 'ul' || element.localName === 'ol';
}

/** Lists whose numbering or content the core has no place for. */
function isKeptList(list: Element): boolean {
  return [list, ...list.querySelectorAll('*')].some(
    (element) =>
      ((isList(element) || element.localName === 'li') && element.attributes.length > 0) ||
      (element.localName === 'li' &&
        [...element.children].some((child) => !isInline(child) && !isList(child))),
  );
}

/** `li > ul` becomes `ul > ul`, which the core reads as a deeper level; it loses the first form. */
function liftNestedLists(list: Element): void {
  for (const nested of [...list.querySelectorAll('li > ul, li > ol')].toReversed()) {
    const item = nested.parentElement;
    // Text after an inner list would change places: such an item is rare and is read in order.
    if (item !== null) item.after(nested);
  }
}

function isHeldBlock(block: Element): boolean {
  if (/^(?:p|h[1-5])$/.test(block.localName)) return hasOnlyStyles(block, BLOCK_STYLES) && holdsInline(block);
  if (isList(block)) return !isKeptList(block);
  if (block.localName === 'blockquote') return block.attributes.length === 0 && holdsInline(block);
  if (block.localName === 'hr') return block.attributes.length === 0;
  if (block.localName === 'pre')
    return /^<code(?: class="language-[\w-]+")?>[^<]*<\/code>$/.test(block.innerHTML);
  return block.localName === 'table' && isHeldTable(block);
}

const BLOCK_STYLES = new Set([
  'text-align',
  'line-height',
  'text-indent',
  'padding-left',
  'margin-top',
  'margin-bottom',
]);
const CELL_STYLES = new Set([
  'background-color',
  'text-align',
  'border-style',
  'border-width',
  'border-color',
]);

function isHeldTable(table: Element): boolean {
  const attributes = new Set(['border', 'style', 'width']);
  if ([...table.attributes].some(({ name }) => !attributes.has(name))) return false;
  if (table.getAttribute('border') !== '1') return false;
  if (table.querySelector('caption, thead, tfoot, table, col[span], col[style]') !== null) return false;
  return [...table.querySelectorAll('tr, td, th')].every(
    (cell) =>
      [...cell.attributes].every(({ name }) => /^(?:colspan|rowspan|style)$/.test(name)) &&
      hasStyles(cell, CELL_STYLES) &&
      (cell.localName === 'tr' || holdsInline(cell)),
  );
}

function holdsInline(block: Element): boolean {
  return [...block.children].every(isInline);
}

function hasOnlyStyles(element: Element, known: ReadonlySet<string>): boolean {
  return [...element.attributes].every(({ name }) => name === 'style') && hasStyles(element, known);
}

function hasStyles(element: Element, known: ReadonlySet<string>): boolean {
  const declarations = (element.getAttribute('style') ?? '').split(';').filter((text) => text.trim() !== '');
  return declarations.every((text) => known.has(text.slice(0, text.indexOf(':')).trim().toLowerCase()));
}

function isInline(element: Element): boolean {
  return INLINE.test(element.localName);
}

const INLINE =
  /^(?:a|abbr|audio|b|bdi|bdo|big|br|cite|code|data|del|dfn|em|font|i|iframe|img|ins|kbd|mark|q|ruby|s|samp|small|span|strike|strong|sub|sup|time|tt|u|var|video)$/;
const SPAN_STYLES = new Set(['color', 'background-color', 'font-size', 'font-family']);

/** Pieces of a line that the core would drop: anchors, attachments, music, frames, marks it does not know. */
function keepInlineParts(block: Element): void {
  for (const element of [...block.querySelectorAll('*')]) {
    if (!element.isConnected || !isInline(element) || isHeldInline(element)) continue;
    if (element.closest('[data-w-e-type]') !== null) continue;
    element.replaceWith(keptElement('span', 'kept-inline', element.outerHTML));
  }
}

function isHeldInline(element: Element): boolean {
  const names = [...element.attributes].map(({ name }) => name);
  if (element.localName === 'a')
    return element.hasAttribute('href') && names.every((name) => /^(?:href|target|rel)$/.test(name));
  // The product's own images come with the session, which the core's image knows nothing of.
  if (element.localName === 'img' && (element.getAttribute('src') ?? '').startsWith('/erp/')) return false;
  if (element.localName === 'img')
    return names.every((name) => /^(?:src|alt|style|width|height|data-href)$/.test(name));
  if (element.localName === 'span') return hasOnlyStyles(element, SPAN_STYLES);
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

function tidyTable(table: Element): void {
  table.setAttribute('border', '1');
  dropStyles(table, ['height', 'border-width']);
  table.querySelector('colgroup')?.removeAttribute('contenteditable');
  for (const cell of table.querySelectorAll('td, th')) {
    dropStyles(cell, ['border-style']);
    if (cell.getAttribute('width') === 'auto') cell.removeAttribute('width');
    for (const name of ['colspan', 'rowspan'])
      if (cell.getAttribute(name) === '1') cell.removeAttribute(name);
  }
}

function dropStyles(element: Element, names: readonly string[]): void {
  if (!(element instanceof HTMLElement) || element.getAttribute('style') === null) return;
  for (const name of names) element.style.removeProperty(name);
  if (element.style.length === 0) element.removeAttribute('style');
}
