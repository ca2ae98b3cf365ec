import { Boot } from '@wangeditor/editor';
import { chineseFigure } from './paste/list-signs.ts';
import { KEPT, KEPT_LIST, parseKept } from './kept-attributes.ts';

/**
 * Lets the editor's core keep the marks of `kept-attributes.ts` with its nodes, show them while writing, and write
 * tables as they are stored. Once a page: the core keeps a global list.
 */
export function registerAttributeModule(): void {
  Boot.registerModule({
    parseStyleHtml: (element, node) => {
      readMarks(element, node);
      return node;
    },
    styleToHtml: writeMarks,
    renderStyle: (node, vnode) => {
      showMarks(node, vnode);
      return vnode;
    },
    elemsToHtml: [
      { type: 'table', elemToHtml: tableToHtml },
      { type: 'table-row', elemToHtml: rowToHtml },
      { type: 'table-cell', elemToHtml: cellToHtml },
    ],
  });
}

/** The mark of a node, empty when it has none. */
export function keptOf(node: object): string {
  return textOf(node, 'kept');
}

function textOf(node: object, name: string): string {
  const value = new Map<string, unknown>(Object.entries(node)).get(name);
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

function readMarks(element: object, node: object): void {
  if (!(element instanceof Element)) return;
  // The nodes of a list get its own element too, after theirs.
  if (/^(?:ul|ol)$/.test(element.localName)) return;
  const kept = element.getAttribute(KEPT);
  const list = element.getAttribute(KEPT_LIST);
  if (kept !== null) Object.assign(node, { kept });
  if (list !== null) Object.assign(node, { keptList: list });
  if (!/^(?:table|td|th)$/.test(element.localName)) return;
  // The core makes up a border for each cell.
  for (const name of ['borderWidth', 'borderStyle', 'borderColor']) Reflect.deleteProperty(node, name);
}

function writeMarks(node: object, html: string): string {
  const kept = keptOf(node);
  const list = textOf(node, 'keptList');
  if (kept === '' && list === '') return html;
  const marks = `${attribute(KEPT, kept)}${attribute(KEPT_LIST, list)}`;
  if ('text' in node) return `<span${marks}>${html}</span>`;
  return html.replace(/^<[a-z]\w*/i, (tag) => `${tag}${marks}`);
}

function attribute(name: string, value: string): string {
  if (value === '') return '';
  return ` ${name}="${value.replaceAll('&', '&amp;').replaceAll('"', '&quot;')}"`;
}

function tableToHtml(node: object, children: string): string {
  const widths =
    'columnWidths' in node && Array.isArray(node.columnWidths) ? node.columnWidths.join(',') : '';
  // A table made here has a border of 1 (spec section 9).
  const border = keptOf(node) === '' ? ' border="1"' : '';
  const style = textOf(node, 'width') === '100%' ? ' style="width: 100%;"' : '';
  return `<table data-widths="${widths}"${border}${style}><tbody>${children}</tbody></table>`;
}

function rowToHtml(node: object, children: string): string {
  const height = textOf(node, 'height');
  return `<tr${height === '' || height === '0' ? '' : ` style="height: ${height}px;"`}>${children}</tr>`;
}

function cellToHtml(node: object, children: string): string {
  if ('hidden' in node && node.hidden === true) return '';
  const tag = 'isHeader' in node && node.isHeader === true ? 'th' : 'td';
  const spans = (['colSpan', 'rowSpan'] as const)
    .filter((name) => Number(textOf(node, name)) > 1)
    .map((name) => ` ${name.toLowerCase()}="${textOf(node, name)}"`);
  return `<${tag}${spans.join('')}>${children}</${tag}>`;
}

/** What the core's vnode offers; tables are drawn inside a container. */
interface DrawnNode {
  sel?: string | undefined;
  data?: { style?: object; props?: object; attrs?: object } | undefined;
  children?: (DrawnNode | string)[] | undefined;
  text?: string | undefined;
}

function showMarks(node: object, vnode: DrawnNode): void {
  const list = parseKept(textOf(node, 'keptList'));
  if (Object.keys(list).length > 0) showNumber(vnode, list);
  const kept = parseKept(keptOf(node));
  if (Object.keys(kept).length === 0) return;
  const isTable = 'type' in node && node.type === 'table';
  const target = isTable ? tableOf(vnode) : vnode;
  if (isTable) showTableNotes(vnode, kept);
  if (target === undefined) return;
  const style = shownStyle(kept, isTable);
  if (Object.keys(style).length > 0) {
    target.data ??= {};
    target.data.style = { ...style, ...target.data.style };
  }
}

/** The core measures a table by its columns, so sizes of its own style are left out. */
function shownStyle(kept: Readonly<Record<string, string>>, isTable: boolean): Record<string, string> {
  const holder = document.createElement('span').style;
  holder.cssText = kept['style'] ?? '';
  const shown: Record<string, string> = {};
  for (let index = 0; index < holder.length; index += 1) {
    const name = holder.item(index);
    if (!/^(?:display|position|float|height)$/.test(name) && !(isTable && name.endsWith('width')))
      shown[camel(name)] = holder.getPropertyValue(name);
  }
  if (kept['align'] !== undefined && !isTable) shown['textAlign'] = kept['align'];
  if (kept['valign'] !== undefined) shown['verticalAlign'] = kept['valign'];
  if (kept['bgcolor'] !== undefined) shown['backgroundColor'] = kept['bgcolor'];
  return shown;
}

function camel(name: string): string {
  return name.replace(/-([a-z])/g, (_all, sign: string) => sign.toUpperCase());
}

function tableOf(vnode: DrawnNode): DrawnNode | undefined {
  const found = vnode.children?.find((child) => typeof child === 'object' && child.sel === 'table');
  if (typeof found === 'object') return found;
  const inner = vnode.children?.find((child) => typeof child === 'object');
  return typeof inner === 'object' && inner.children !== undefined ? tableOf(inner) : undefined;
}

/** The caption stands above the table: inside it the core would take it for a row. */
function showTableNotes(vnode: DrawnNode, kept: Readonly<Record<string, string>>): void {
  const caption = kept['#caption'];
  if (caption === undefined || caption === '') return;
  vnode.data ??= {};
  vnode.data.attrs = { ...vnode.data.attrs, 'data-caption': caption };
}

const ROMAN = [
  [10, 'x'],
  [9, 'ix'],
  [5, 'v'],
  [4, 'iv'],
  [1, 'i'],
] as const;

/** The core numbers from 1 in figures; the list may say otherwise. */
function showNumber(vnode: DrawnNode, list: Readonly<Record<string, string>>): void {
  const [sign] = vnode.children ?? [];
  if (typeof sign !== 'object') return;
  const [inner] = sign.children ?? [];
  const text = typeof inner === 'object' ? inner.text : sign.text;
  const [, figure] = /^(\d+)\.$/.exec(text ?? '') ?? [];
  if (figure === undefined) return;
  const number = Number(figure) + Number(list['start'] ?? 1) - 1;
  const isChinese = (list['style'] ?? '').includes('cjk-ideographic');
  const shown = isChinese ? `${chineseFigure(number)}、` : `${numberText(number, list['type'])}.`;
  if (typeof inner === 'object') inner.text = shown;
  else sign.text = shown;
}

function numberText(number: number, type: string | undefined): string {
  if (type === 'a' || type === 'A') {
    const letter = String.fromCharCode((type === 'a' ? 97 : 65) + ((number - 1) % 26));
    return letter.repeat(Math.ceil(number / 26));
  }
  if (type !== 'i' && type !== 'I') return String(number);
  let rest = number;
  let text = '';
  for (const [value, sign] of ROMAN)
    while (rest >= value) {
      text += sign;
      rest -= value;
    }
  return type === 'i' ? text : text.toUpperCase();
}
