import { cleanHtml } from '../richtext-view.tsx';

/**
 * HTML from Word, Excel, WPS or a web page without what those programs add: their own tags, classes, conditional
 * comments and every style that the editor has no button for. Lists that Word draws as paragraphs become lists.
 */
export function cleanPaste(html: string): string {
  const { body } = new DOMParser().parseFromString(withoutOffice(html), 'text/html');
  listsFromWord(body);
  for (const element of [...body.querySelectorAll('*')]) tidyElement(element);
  for (const holder of [...body.querySelectorAll('div, section, article, center, main')].toReversed())
    unwrapBlock(holder);
  for (const cell of body.querySelectorAll('td, th')) joinParagraphs(cell);
  for (const quote of body.querySelectorAll('blockquote, li')) joinParagraphs(quote);
  for (const table of body.querySelectorAll('table')) plainTable(table);
  for (const span of [...body.querySelectorAll('span, font')].toReversed())
    if (span.attributes.length === 0) span.replaceWith(...span.childNodes);
  return cleanHtml(body.innerHTML.replace(/\n+/g, ' ').trim());
}

function withoutOffice(html: string): string {
  const fragment = /<!--StartFragment-->([\s\S]*)<!--EndFragment-->/.exec(html)?.[1];
  // A fragment that begins inside a table would lose its cells without the table around it.
  const text = fragment === undefined || /^\s*<(?:t[rdh]|col|tbody)\b/i.test(fragment) ? html : fragment;
  return text
    .replace(/<!--\[if[\s\S]*?<!\[endif\]-->/gi, '')
    .replace(/<!\[if !supportLists\]>[\s\S]*?<!\[endif\]>/gi, '')
    .replace(/<!--[\s\S]*?-->/g, '')
    .replace(/<\/?(?:[ovwmx]|st1):[^>]*>/gi, '');
}

/** Word writes `<p class=MsoListParagraph style="mso-list:l0 level2 lfo1">`; the level is kept. */
function listsFromWord(body: HTMLElement): void {
  const open: Element[] = [];
  for (const paragraph of [...body.querySelectorAll('p')]) {
    const level = Number(/mso-list:\s*l\d+ level(\d)/i.exec(paragraph.getAttribute('style') ?? '')?.[1] ?? 0);
    const previous = paragraph.previousElementSibling;
    if (level === 0 || (open[0] !== undefined && previous !== open[0])) open.length = 0;
    if (level === 0) continue;
    const text = paragraph.textContent;
    const tag = /^\s*[\d一二三四五六七八九十a-z]+[.、)）]/i.test(text) ? 'ol' : 'ul';
    open.length = Math.min(open.length, level);
    while (open.length < level) openList(open, tag, paragraph);
    const item = body.ownerDocument.createElement('li');
    item.innerHTML = paragraph.innerHTML.replace(
      /^(\s|&nbsp;)*(?:[·•●○■◆§Øü]|[\d一二三四五六七八九十a-z]+[.、)）])(\s|&nbsp;)*/i,
      '',
    );
    open.at(-1)?.append(item);
    paragraph.remove();
  }
}

function openList(open: Element[], tag: string, before: Element): void {
  const list = before.ownerDocument.createElement(tag);
  const outer = open.at(-1);
  if (outer === undefined) before.before(list);
  else (outer.lastElementChild ?? outer).append(list);
  open.push(list);
}

const KEPT_STYLES =
  /^(?:color|background-color|font-size|text-align|text-indent|line-height|text-decoration)$/;

function tidyElement(element: Element): void {
  const style = element.getAttribute('style');
  for (const { name } of [...element.attributes])
    if (!/^(?:href|src|alt|colspan|rowspan|start|target|name|data-chart|download)$/.test(name))
      element.removeAttribute(name);
  if (style === null || !/^(?:p|h\d|span|td|th)$/.test(element.localName)) return;
  const kept = style
    .split(';')
    .map((text) => text.split(':').map((part) => part.trim()))
    .filter(([name = '', value = '']) => KEPT_STYLES.test(name.toLowerCase()) && isPlainValue(name, value))
    .map(([name, value]) => `${name}: ${value};`);
  if (kept.length > 0) element.setAttribute('style', kept.join(' '));
}

function isPlainValue(name: string, value: string): boolean {
  if (/windowtext|auto|initial|inherit|mso-/i.test(value)) return false;
  return name !== 'text-indent' || !value.startsWith('-');
}

function unwrapBlock(holder: Element): void {
  const hasBlocks =
    holder.querySelector('p, div, table, ul, ol, h1, h2, h3, h4, h5, h6, blockquote, pre') !== null;
  if (hasBlocks) {
    holder.replaceWith(...holder.childNodes);
    return;
  }
  const paragraph = holder.ownerDocument.createElement('p');
  paragraph.append(...holder.childNodes);
  holder.replaceWith(paragraph);
}

/** Paragraphs in a cell become lines of it: the core's cells hold lines only. */
function joinParagraphs(holder: Element): void {
  for (const paragraph of [...holder.querySelectorAll(':scope > p')]) {
    if (paragraph.nextElementSibling !== null) paragraph.append(holder.ownerDocument.createElement('br'));
    paragraph.replaceWith(...paragraph.childNodes);
  }
}

function plainTable(table: HTMLTableElement): void {
  table.setAttribute('border', '1');
  for (const group of table.querySelectorAll('colgroup')) group.remove();
}
