import { type Declarations, readRules } from './style-text.ts';

/** What came with the clipboard: its content as elements, and the rules that stood in its head. */
export interface PasteSource {
  readonly body: HTMLElement;
  readonly rules: ReadonlyMap<string, Declarations>;
  /** Written by an office program: its fonts are the author's choice, not a web page's. */
  readonly isOffice: boolean;
  /** What the comments of office programs hide from everybody else: shapes, objects, formulas. */
  readonly hidden: readonly Document[];
}

/** The mark around what Word draws as the number or bullet of a list. */
export const LIST_MARK = 'data-list-mark';

/** Reads HTML of the clipboard: only the part that was copied, without comments and without what no page can show. */
export function readSource(html: string): PasteSource {
  const page = new DOMParser().parseFromString(html, 'text/html');
  const { body } = page;
  const rules = new Map(
    [...page.querySelectorAll('style')].flatMap((sheet) => [...readRules(sheet.textContent)]),
  );
  const generator = [...page.querySelectorAll('meta[name]')]
    .filter((meta) => /^(?:generator|progid)$/i.test(meta.getAttribute('name') ?? ''))
    .map((meta) => meta.getAttribute('content') ?? '')
    .join(' ');
  const isOffice =
    /word|excel|powerpoint|wps|office/i.test(generator) || body.querySelector('[class^="Mso"]') !== null;
  keepFragment(body);
  markListSigns(body);
  const hidden = commentsOf(body).flatMap(({ data }) => hiddenPart(data) ?? []);
  for (const comment of commentsOf(body)) comment.remove();
  for (const element of body.querySelectorAll('style, script, meta, link, title, xml')) element.remove();
  // `o:p`, `v:shape` and other tags of their own: what they hold stays.
  for (const element of [...body.querySelectorAll('*')].toReversed())
    if (element.localName.includes(':')) element.replaceWith(...element.childNodes);
  return { body, rules, isOffice, hidden };
}

/** Takes away what stands before the start and behind the end of what was copied; what is around both stays. */
function keepFragment(body: HTMLElement): void {
  const comments = commentsOf(body);
  const start = comments.find(({ data }) => data.trim() === 'StartFragment');
  const end = comments.findLast(({ data }) => data.trim() === 'EndFragment');
  if (start !== undefined) dropBeside(start, body, 'previousSibling');
  if (end !== undefined) dropBeside(end, body, 'nextSibling');
}

function dropBeside(from: Node, body: HTMLElement, side: 'previousSibling' | 'nextSibling'): void {
  for (let node = from; node !== body; node = node.parentNode ?? body)
    for (let beside = node[side]; beside !== null;) {
      const next = beside[side];
      // The columns of a table stand before its first copied row.
      if (!(beside instanceof Element && beside.localName.startsWith('col'))) beside.remove();
      beside = next;
    }
}

/** `[if !supportLists]` to `[endif]`, as Word writes them and as browsers pass them on: both are comments of the page. */
function markListSigns(body: HTMLElement): void {
  for (const comment of commentsOf(body)) {
    if (comment.data.trim() !== '[if !supportLists]') continue;
    const mark = body.ownerDocument.createElement('span');
    mark.setAttribute(LIST_MARK, '');
    comment.replaceWith(mark);
    for (let node = mark.nextSibling; node !== null && !isEnd(node); node = mark.nextSibling)
      mark.append(node);
  }
}

function isEnd(node: Node): boolean {
  return node instanceof Comment && node.data.trim() === '[endif]';
}

function commentsOf(body: HTMLElement): readonly Comment[] {
  const walker = body.ownerDocument.createTreeWalker(body, NodeFilter.SHOW_COMMENT);
  const found: Comment[] = [];
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode())
    if (node instanceof Comment) found.push(node);
  return found;
}

/** The content of `[if gte vml 1]> … <![endif]`, which a page never shows; null for any other comment. */
function hiddenPart(data: string): Document | null {
  const from = data.indexOf(']>');
  const to = data.lastIndexOf('<![endif]');
  if (!data.startsWith('[if ') || from < 0 || to < from) return null;
  return new DOMParser().parseFromString(data.slice(from + 2, to), 'text/html');
}
