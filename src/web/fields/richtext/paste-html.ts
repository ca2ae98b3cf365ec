import { cleanHtml } from '../richtext-view.tsx';
import { wordImageHtml } from './word-images.ts';
import { declaredStyles, keptStyle, marksOf, sheetStyles } from './office-styles.ts';

/**
 * HTML from Word, Excel, WPS or a web page without what those programs add: their own tags, classes, conditional
 * comments and every style that the editor has no button for. Lists that Word draws as paragraphs become lists.
 */
export function cleanPaste(html: string): string {
  const sheet = sheetStyles(html);
  const { body } = new DOMParser().parseFromString(withoutOffice(html), 'text/html');
  for (const link of [...body.querySelectorAll('a')]) dropBookmark(link);
  for (const line of [...body.querySelectorAll('br[style*="page-break"]')]) breakPage(line);
  for (const image of [...body.querySelectorAll('img')]) keepName(image);
  listsFromWord(body);
  for (const element of [...body.querySelectorAll<HTMLElement>('*')]) tidyElement(element, sheet);
  for (const holder of [
    ...body.querySelectorAll<HTMLElement>('div, section, article, center, main'),
  ].toReversed())
    unwrapBlock(holder);
  for (const mark of [...body.querySelectorAll('b, strong, i, em, u, span, font')].toReversed())
    unwrapMark(mark);
  for (const cell of body.querySelectorAll<HTMLElement>('td, th')) joinParagraphs(cell);
  for (const quote of body.querySelectorAll<HTMLElement>('blockquote, li')) joinParagraphs(quote);
  for (const table of body.querySelectorAll('table')) plainTable(table);
  wrapLooseText(body);
  for (const paragraph of body.querySelectorAll('p'))
    if (paragraph.textContent.trim() === '' && paragraph.children.length === 0) paragraph.innerHTML = '<br>';
  return cleanHtml(body.innerHTML.replace(/\n+/g, ' ').trim());
}

function withoutOffice(html: string): string {
  const fragment = /<!--StartFragment-->([\s\S]*)<!--EndFragment-->/.exec(html)?.[1];
  // A fragment that begins inside a table would lose its cells without the table around it.
  const text = fragment === undefined || /^\s*<(?:t[rdh]|col|tbody)\b/i.test(fragment) ? html : fragment;
  return (
    text
      // What Word draws as the number or bullet of a list, in its own form and as browsers pass it on.
      .replace(
        /<!(?:--)?\[if !supportLists\](?:--)?>([\s\S]*?)<!(?:--)?\[endif\](?:--)?>/gi,
        '<span data-list-mark>$1</span>',
      )
      .replace(/<!--\[if[\s\S]*?<!\[endif\]-->/gi, '')
      .replace(/<!--[\s\S]*?-->/g, '')
      .replace(/<\/?(?:[ovwmx]|st1):[^>]*>/gi, '')
  );
}

/** Word writes `<p class=MsoListParagraph style="mso-list:l0 level2 lfo1">`; the level is kept. */
function listsFromWord(body: HTMLElement): void {
  const open: Element[] = [];
  for (const paragraph of [...body.querySelectorAll('p')]) {
    const level = Number(/mso-list:\s*l\d+ level(\d)/i.exec(paragraph.getAttribute('style') ?? '')?.[1] ?? 0);
    const previous = paragraph.previousElementSibling;
    if (level === 0 || (open[0] !== undefined && previous !== open[0])) open.length = 0;
    if (level === 0) continue;
    const text = paragraph.querySelector(LIST_MARK)?.textContent ?? paragraph.textContent;
    paragraph.querySelector(LIST_MARK)?.remove();
    const tag = /^\s*[\d一二三四五六七八九十a-z]+[.、)）]/i.test(text) ? 'ol' : 'ul';
    open.length = Math.min(open.length, level);
    // Bullets after numbers are a list of their own.
    if (open[level - 1] !== undefined && open[level - 1]?.localName !== tag) open.length = level - 1;
    while (open.length < level) openList(open, tag, paragraph);
    const item = body.ownerDocument.createElement('li');
    item.innerHTML = paragraph.innerHTML.replace(
      /^(\s|&nbsp;)*(?:[·•●○■◆§Øü]|[\d一二三四五六七八九十a-z]+[.、)）])(\s|&nbsp;)*/i,
      '',
    );
    open.at(-1)?.append(item);
    paragraph.remove();
  }
  for (const mark of body.querySelectorAll(LIST_MARK)) mark.remove();
}

const LIST_MARK = '[data-list-mark]';

function openList(open: Element[], tag: string, before: Element): void {
  const list = before.ownerDocument.createElement(tag);
  const outer = open.at(-1);
  if (outer === undefined) before.before(list);
  else (outer.lastElementChild ?? outer).append(list);
  open.push(list);
}

/** Word marks chapters and comments with anchors that nobody links to. */
function dropBookmark(link: HTMLAnchorElement): void {
  const name = link.getAttribute('name');
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

/** A picture on the author's own disk leaves its name: the address itself may not stay. */
function keepName(image: HTMLImageElement): void {
  const address = image.getAttribute('src') ?? '';
  if (/^(?:file:|[a-z]:[\\/])/i.test(address)) image.outerHTML = wordImageHtml(address);
}

const KEPT_ATTRIBUTES =
  /^(?:href|src|alt|colspan|rowspan|start|target|name|data-chart|download|span|data-word-image)$/;

function tidyElement(element: HTMLElement, sheet: ReadonlyMap<string, string>): void {
  const { localName } = element;
  if (localName === 'hr' && element.className === 'pagebreak') return;
  const declared = declaredStyles(element, sheet);
  if (/^(?:b|strong)$/.test(localName) && /^(?:normal|400)$/.test(declared.get('font-weight') ?? ''))
    element.setAttribute('data-plain', '');
  const width = localName === 'col' ? element.getAttribute('width') : null;
  for (const { name } of [...element.attributes])
    if (!KEPT_ATTRIBUTES.test(name) && name !== 'data-plain') element.removeAttribute(name);
  if (width !== null && /^\d+$/.test(width)) element.setAttribute('width', width);
  if (!/^(?:p|h\d|span|td|th)$/.test(localName)) return;
  const style = keptStyle(localName, declared);
  if (style !== '') element.setAttribute('style', style);
  if (/^(?:span|td|th)$/.test(localName)) markContent(element, marksOf(declared));
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
    if (paragraph.nextElementSibling !== null) paragraph.append(holder.ownerDocument.createElement('br'));
    paragraph.replaceWith(...paragraph.childNodes);
  }
}

/** A border of 1, and the columns of a spreadsheet in a group of their own. */
function plainTable(table: HTMLTableElement): void {
  table.setAttribute('border', '1');
  const columns = [...table.querySelectorAll('col')].filter((column) => column.hasAttribute('width'));
  for (const column of table.querySelectorAll('col, colgroup')) column.remove();
  if (columns.length === 0) return;
  const group = table.ownerDocument.createElement('colgroup');
  for (const column of columns) {
    const plain = table.ownerDocument.createElement('col');
    for (const name of ['width', 'span']) {
      const value = column.getAttribute(name);
      if (value !== null) plain.setAttribute(name, value);
    }
    group.append(plain);
  }
  table.prepend(group);
}
