import { cleanHtml } from '../../richtext-view.tsx';
import { declaredStyles, keptStyle, marksOf, missingFamily } from './office-styles.ts';
import { dropLost } from './lost-parts.ts';
import { listsFromWord, tidyLists } from './paste-lists.ts';
import { tidyPicture } from './paste-picture.ts';
import { type PasteSource, readSource } from './paste-source.ts';
import { saidWidth, tidyTables } from './paste-table.ts';
import { pixelsOf, readDeclarations } from './style-text.ts';

export interface CleanPaste {
  /** The content as the editor takes it; empty when nothing is left. */
  readonly html: string;
  /** What could not be taken over, in the author's words. */
  readonly lost: readonly string[];
}

/**
 * HTML of the clipboard without what the program that wrote it adds: its own tags, classes, conditional comments and
 * every style that the editor has no button for. One line of steps over the parsed page; what has no place is told.
 */
export function cleanPaste(html: string): CleanPaste {
  const source = readSource(html);
  const { body, rules } = source;
  const lost = [...dropLost(source)];
  for (const link of [...body.querySelectorAll('a')]) dropBookmark(link);
  for (const line of [...body.querySelectorAll('br[style*="page-break"]')]) breakPage(line);
  for (const image of [...body.querySelectorAll('img')]) tidyPicture(image);
  for (const sign of listsFromWord(body, rules)) lost.push(`自动编号（「${sign}」已成为文字）`);
  tidyLists(body);
  for (const quote of [...body.querySelectorAll('blockquote')]) indentOfQuote(quote);
  for (const element of [...body.querySelectorAll<HTMLElement>('*')]) tidyElement(element, source, lost);
  for (const holder of [
    ...body.querySelectorAll<HTMLElement>('div, section, article, center, main'),
  ].toReversed())
    unwrapBlock(holder);
  for (const mark of [...body.querySelectorAll('b, strong, i, em, u, span, font')].toReversed())
    unwrapMark(mark);
  lost.push(...tidyTables(body));
  for (const cell of body.querySelectorAll<HTMLElement>('td, th')) joinParagraphs(cell);
  for (const quote of body.querySelectorAll<HTMLElement>('blockquote, li')) joinParagraphs(quote);
  wrapLooseText(body);
  for (const paragraph of body.querySelectorAll('p'))
    if (paragraph.textContent.trim() === '' && paragraph.children.length === 0) paragraph.innerHTML = '<br>';
  return { html: cleanHtml(body.innerHTML.replace(/\n+/g, ' ').trim()), lost: [...new Set(lost)] };
}

/** Word marks chapters and comments with anchors that nobody links to. */
function dropBookmark(link: HTMLAnchorElement): void {
  const name = link.getAttribute('name');
  // A table of contents leads to such chapters, which have no anchor here.
  if (/^#_(?:Toc|Ref|Hlk)/.test(link.getAttribute('href') ?? '')) link.removeAttribute('href');
  if (!link.hasAttribute('href') && (name === null || name.startsWith('_')))
    link.replaceWith(...link.childNodes);
}

/** Word writes a page break as a line break inside a span. */
function breakPage(line: Element): void {
  const rule = line.ownerDocument.createElement('hr');
  rule.className = 'pagebreak';
  let holder = line;
  while (holder.parentElement !== null && /^(?:span|b|p)$/.test(holder.parentElement.localName))
    holder = holder.parentElement;
  holder.after(rule);
  line.remove();
  if (holder.textContent?.trim() === '') holder.remove();
}

/** Mail programs indent with a quote that has no line at its side: `margin:0 0 0 40px;border:none`. */
function indentOfQuote(quote: Element): void {
  const style = readDeclarations(quote.getAttribute('style') ?? '');
  const sides = (style.get('margin') ?? '').split(/\s+/);
  const left = pixelsOf(style.get('margin-left') ?? sides[3]);
  if (left === null || left <= 0 || !/^(?:none|0)/.test(style.get('border') ?? '')) return;
  for (const block of quote.querySelectorAll<HTMLElement>(':scope > div, :scope > p')) {
    const line = quote.ownerDocument.createElement('p');
    line.setAttribute('style', `margin-left: ${left}px;`);
    line.append(...block.childNodes);
    block.replaceWith(line);
  }
  quote.replaceWith(...quote.childNodes);
}

const KEPT_ATTRIBUTES =
  /^(?:href|src|alt|colspan|rowspan|start|target|name|data-chart|download|span|data-word-image)$/;

function tidyElement(element: HTMLElement, { rules, isOffice }: PasteSource, lost: string[]): void {
  const { localName } = element;
  if (localName === 'hr' && element.className === 'pagebreak') return;
  if (localName === 'ul' || localName === 'ol') return dropAttributes(element, /^(?:start|type|style)$/);
  if (localName === 'img') return dropAttributes(element, /^(?:src|alt|width|height|data-word-image)$/);
  const declared = declaredStyles(element, rules);
  if (/^(?:b|strong)$/.test(localName) && /^(?:normal|400)$/.test(declared.get('font-weight') ?? ''))
    element.setAttribute('data-plain', '');
  const width = /^(?:col|td|th)$/.test(localName) ? saidWidth(element, declared) : null;
  const isFull =
    localName === 'table' && [element.getAttribute('width'), declared.get('width')].includes('100%');
  dropAttributes(element, KEPT_ATTRIBUTES);
  if (width !== null) element.setAttribute('width', width);
  if (isFull) element.setAttribute('style', 'width: 100%;');
  if (!/^(?:p|h\d|span|font|td|th)$/.test(localName)) return;
  const family = isOffice && element.textContent.trim() !== '' ? missingFamily(declared) : null;
  if (family !== null) lost.push(`字体「${family}」`);
  const styled = localName === 'font' ? spanFor(element) : element;
  const style = keptStyle(styled.localName, declared);
  if (style !== '') styled.setAttribute('style', style);
  if (/^(?:td|th)$/.test(localName)) textOfCell(element, keptStyle('span', new Map([...declared].filter(([name]) => name.startsWith('font-'))))); // prettier-ignore
  if (/^(?:span|td|th)$/.test(styled.localName)) markContent(styled, marksOf(declared));
}

function dropAttributes(element: Element, kept: RegExp): void {
  for (const { name } of [...element.attributes])
    if (!kept.test(name) && name !== 'data-plain') element.removeAttribute(name);
}

function spanFor(font: HTMLElement): HTMLElement {
  const span = font.ownerDocument.createElement('span');
  span.append(...font.childNodes);
  font.replaceWith(span);
  return span;
}

/** Font and size of a spreadsheet's cell stand on its text. */
function textOfCell(cell: Element, style: string): void {
  if (style === '' || cell.textContent?.trim() === '' || cell.querySelector(BLOCKS) !== null) return;
  const span = cell.ownerDocument.createElement('span');
  span.setAttribute('style', style);
  span.append(...cell.childNodes);
  cell.append(span);
}

const SAME_MARKS: Readonly<Record<string, string>> = {
  strong: 'strong, b:not([data-plain])',
  em: 'em, i',
  u: 'u',
  s: 's, del',
};

/** Puts what is in the element into the marks that its style said, where it is not in them already. */
function markContent(element: HTMLElement, marks: readonly string[]): void {
  if (element.textContent.trim() === '') return;
  for (const tag of marks.toReversed()) {
    if (element.closest(SAME_MARKS[tag] ?? tag) !== null) continue;
    const mark = element.ownerDocument.createElement(tag);
    mark.append(...element.childNodes);
    element.append(mark);
  }
}

/** Marks around whole blocks, marks that mark nothing, and spans that say nothing. */
function unwrapMark(mark: Element): void {
  const isPlain = mark.hasAttribute('data-plain') || mark.querySelector(BLOCKS) !== null;
  const isBare = /^(?:span|font)$/.test(mark.localName) && mark.attributes.length === 0;
  const isEmpty = mark.textContent === '' && mark.children.length === 0;
  if (isPlain || isBare || isEmpty) mark.replaceWith(...mark.childNodes);
}

const BLOCKS = 'p, div, table, ul, ol, h1, h2, h3, h4, h5, h6, blockquote, pre, hr';

/** Text that stands beside blocks becomes a paragraph of its own; text alone stays what goes into a line. */
function wrapLooseText(holder: HTMLElement): void {
  if (holder.querySelector(BLOCKS) === null) return;
  let paragraph: HTMLElement | null = null;
  for (const node of [...holder.childNodes]) {
    const isBlock = node instanceof Element && node.matches(BLOCKS);
    const isBlank = node.nodeType === Node.TEXT_NODE && node.textContent?.trim() === '';
    if (isBlock) paragraph = null;
    else if (isBlank && paragraph === null) node.remove();
    else {
      if (paragraph === null) {
        paragraph = holder.ownerDocument.createElement('p');
        node.before(paragraph);
      }
      paragraph.append(node);
    }
  }
}

function unwrapBlock(holder: HTMLElement): void {
  if (holder.querySelector(BLOCKS) !== null) {
    wrapLooseText(holder);
    holder.replaceWith(...holder.childNodes);
    return;
  }
  const paragraph = holder.ownerDocument.createElement('p');
  paragraph.append(...holder.childNodes);
  holder.replaceWith(paragraph);
}

/** Paragraphs in a cell become lines of it: the core's cells hold lines only. What they agree on goes to the cell. */
function joinParagraphs(holder: HTMLElement): void {
  const paragraphs = [...holder.querySelectorAll<HTMLElement>(':scope > p')];
  const aligns = new Set(paragraphs.map(({ style }) => style.textAlign));
  const [align = ''] = aligns;
  if (aligns.size === 1 && align !== '' && holder.style.textAlign === '') {
    const style = holder.getAttribute('style');
    holder.setAttribute('style', `${style === null ? '' : `${style} `}text-align: ${align};`);
  }
  for (const paragraph of paragraphs) {
    const next = paragraph.nextElementSibling;
    if (next !== null && !next.matches('ul, ol')) paragraph.append(holder.ownerDocument.createElement('br'));
    paragraph.replaceWith(...paragraph.childNodes);
  }
}
