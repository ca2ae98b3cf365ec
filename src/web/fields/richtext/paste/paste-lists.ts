import { type ListKind, kindOfSign } from './list-signs.ts';
import { LIST_MARK } from './paste-source.ts';
import { type Declarations, readDeclarations } from './style-text.ts';

interface OpenList {
  readonly element: Element;
  readonly tag: string;
  /** Word's name of the list: two beside each other differ in it. */
  readonly name: string;
}

const BY_MARK = `[${LIST_MARK}], [style*="mso-list:Ignore" i], [style*="mso-list: Ignore" i]`;

/**
 * Lists that Word, WPS and Outlook draw as paragraphs (`mso-list:l0 level2 lfo1`) become lists: with the type and the
 * start of their numbers, deeper levels inside, neighbours apart.
 * @returns signs that no list can draw; they stay as text
 */
export function listsFromWord(
  body: HTMLElement,
  rules: ReadonlyMap<string, Declarations>,
): readonly string[] {
  const texts: string[] = [];
  let open: OpenList[] = [];
  for (const paragraph of [...body.querySelectorAll<HTMLElement>('p, h1, h2, h3, h4, h5, h6')]) {
    const [, list = '', depth = '0', name = ''] =
      /^(l\d+)\s+level(\d)(?:\s+(lfo\d+))?/i.exec(
        readDeclarations(paragraph.getAttribute('style') ?? '').get('mso-list') ?? '',
      ) ?? [];
    const level = Number(depth);
    const isNext = paragraph.previousElementSibling === open[0]?.element;
    if (level === 0 || !isNext) open = [];
    if (level === 0) continue;
    const sign = signOf(paragraph);
    const kind = kindOfSign(sign, rules.get(`@list ${list}:level${level}`));
    if (kind === null || paragraph.localName !== 'p') {
      if (sign !== '') texts.push(sign);
      keepSign(paragraph, sign);
      open = [];
      continue;
    }
    open = openUpTo(open, { kind, level, name: `${list} ${name}`, before: paragraph });
    const item = body.ownerDocument.createElement('li');
    item.append(...paragraph.childNodes);
    open.at(-1)?.element.append(item);
    paragraph.remove();
  }
  return texts;
}

/** What is drawn before the text, taken out of it. An item without a mark of its own goes on as the list says. */
function signOf(paragraph: Element): string {
  const mark = paragraph.querySelector(BY_MARK);
  const sign = (mark?.textContent ?? '').replaceAll('\u00a0', ' ').trim();
  for (const one of paragraph.querySelectorAll(BY_MARK)) one.remove();
  return sign === '' && mark === null ? '·' : sign;
}

function keepSign(paragraph: Element, sign: string): void {
  if (sign !== '') paragraph.prepend(`${sign} `);
}

function openUpTo(
  open: readonly OpenList[],
  wanted: {
    readonly kind: ListKind;
    readonly level: number;
    readonly name: string;
    readonly before: Element;
  },
): OpenList[] {
  const { kind, level, name, before } = wanted;
  const lists = open.slice(0, level);
  const last = lists[level - 1];
  if (last !== undefined && (last.tag !== kind.tag || last.name !== name)) lists.length = level - 1;
  while (lists.length < level) {
    const element = before.ownerDocument.createElement(kind.tag);
    const outer = lists.at(-1)?.element;
    if (outer === undefined) before.before(element);
    else (outer.lastElementChild ?? outer).append(element);
    lists.push({ element, tag: kind.tag, name });
    // Levels that were jumped over say nothing of their numbers.
    if (lists.length === level) tellKind(element, kind);
  }
  return lists;
}

function tellKind(list: Element, kind: ListKind): void {
  if (kind.tag === 'ul') {
    if (kind.style !== '') list.setAttribute('style', `list-style-type: ${kind.style};`);
    return;
  }
  if (kind.start > 1) list.setAttribute('start', String(kind.start));
  if (kind.type === 'cjk') list.setAttribute('style', 'list-style-type: cjk-ideographic;');
  else if (kind.type !== '') list.setAttribute('type', kind.type);
}

const TYPES: Readonly<Record<string, string>> = {
  'lower-alpha': 'a',
  'lower-latin': 'a',
  'upper-alpha': 'A',
  'upper-latin': 'A',
  'lower-roman': 'i',
  'upper-roman': 'I',
};
const SHAPES = /^(?:circle|square|cjk-ideographic|simp-chinese-informal)$/;

/** Lists of web pages and mails: the kind of numbers is said in one way, and a list inside stands in its item. */
export function tidyLists(body: HTMLElement): void {
  for (const list of body.querySelectorAll<HTMLElement>('ul, ol')) {
    const own = readDeclarations(list.getAttribute('style') ?? '').get('list-style-type');
    const [first] = list.children;
    const ofItem = readDeclarations(first?.getAttribute('style') ?? '').get('list-style-type');
    const style = own ?? ofItem ?? '';
    const type = list.localName === 'ol' ? (TYPES[style] ?? list.getAttribute('type')) : null;
    list.removeAttribute('type');
    list.removeAttribute('style');
    if (type !== null && /^[aAiI]$/.test(type)) list.setAttribute('type', type);
    else if (SHAPES.test(style)) list.setAttribute('style', `list-style-type: ${style};`);
    if (list.getAttribute('start') === '1') list.removeAttribute('start');
  }
  for (const inner of [...body.querySelectorAll('ul > ul, ul > ol, ol > ul, ol > ol')]) {
    const before = inner.previousElementSibling;
    if (before?.localName === 'li') before.append(inner);
    else {
      const item = body.ownerDocument.createElement('li');
      inner.before(item);
      item.append(inner);
    }
  }
}
