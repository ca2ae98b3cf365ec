import { Boot, DomEditor, type IDomEditor, type SlateElement } from '@wangeditor/editor';
import { showFiles, withoutFileAddresses } from '../richtext-files.ts';
import { cleanHtml } from '../richtext-view.tsx';

/** An element that shows HTML which the core cannot edit, and gives it back unchanged. */
export interface KeptElement {
  readonly type: 'kept-block' | 'kept-inline';
  readonly html: string;
  children: { text: string }[];
}

/** The element of a piece of HTML, to be inserted. */
export function keptElement(type: KeptElement['type'], html: string): KeptElement {
  return { type, html, children: [{ text: '' }] };
}

/** The HTML of such an element, null for every other one. */
export function keptHtml(node: object): string | null {
  return 'type' in node && String(node.type).startsWith('kept-') && 'html' in node ? String(node.html) : null;
}

/** Makes the core know these elements and the space around paragraphs. Once a page: the core keeps a global list. */
export function registerKeptModule(): void {
  Boot.registerModule({
    editorPlugin: withKeptElements,
    renderElems: [
      { type: 'kept-block', renderElem: (node) => drawKept('div', node) },
      { type: 'kept-inline', renderElem: (node) => drawKept('span', node) },
    ],
    elemsToHtml: [
      { type: 'kept-block', elemToHtml: (node) => keptHtml(node) ?? '' },
      { type: 'kept-inline', elemToHtml: (node) => keptHtml(node) ?? '' },
    ],
    parseElemsHtml: [
      {
        selector: 'div[data-w-e-type="kept-block"]',
        parseElemHtml: (element) => parseKept('kept-block', element),
      },
      {
        selector: 'span[data-w-e-type="kept-inline"]',
        parseElemHtml: (element) => parseKept('kept-inline', element),
      },
    ],
    styleToHtml: (node, html) => {
      const space = spaceOf(node);
      return space === '' ? html : withStyle(html, space);
    },
    renderStyle: (node, vnode) => {
      // The core has a width of its own; the editor's options say how wide a level is.
      if ('type' in node && node.type === 'list-item')
        vnode.data = { ...vnode.data, style: { ...vnode.data?.style, ...levelStyle(node) } };
      if ('spaceTop' in node || 'spaceBottom' in node) {
        vnode.data ??= {};
        vnode.data.style = {
          ...vnode.data.style,
          ...('spaceTop' in node ? { marginTop: String(node.spaceTop) } : {}),
          ...('spaceBottom' in node ? { marginBottom: String(node.spaceBottom) } : {}),
        };
      }
      return vnode;
    },
    parseStyleHtml: (element, node) => {
      // The core goes on with the node it gave, whatever is returned.
      const { marginTop, marginBottom } = element instanceof HTMLElement ? element.style : EMPTY_STYLE;
      if (marginTop !== '') Object.assign(node, { spaceTop: marginTop });
      if (marginBottom !== '') Object.assign(node, { spaceBottom: marginBottom });
      return node;
    },
  });
}

const EMPTY_STYLE = { marginTop: '', marginBottom: '' };

function withKeptElements<T extends IDomEditor>(editor: T): T {
  const { isVoid, isInline } = editor;
  editor.isVoid = (element) => keptHtml(element) !== null || isVoid(element);
  editor.isInline = (element) => DomEditor.getNodeType(element) === 'kept-inline' || isInline(element);
  return editor;
}

function drawKept(sel: 'div' | 'span', node: SlateElement) {
  return {
    sel,
    data: {
      props: {
        contentEditable: 'false',
        innerHTML: withoutFileAddresses(cleanHtml(keptHtml(node) ?? '')),
        className: `richtext kept-html`,
      },
      hook: { insert: showDrawn, postpatch: (_old: unknown, drawn: DrawnNode) => showDrawn(drawn) },
    },
    children: undefined,
    elm: undefined,
    text: undefined,
    key: undefined,
  };
}

interface DrawnNode {
  readonly elm?: Node | undefined;
}

function showDrawn({ elm }: DrawnNode): void {
  if (elm instanceof Element) showFiles(elm);
}

function parseKept(type: KeptElement['type'], element: Element): SlateElement {
  return { ...keptElement(type, element.getAttribute('data-html') ?? ''), children: [{ text: '' }] };
}

function spaceOf(node: object): string {
  const top = 'spaceTop' in node ? `margin-top: ${String(node.spaceTop)};` : '';
  const bottom = 'spaceBottom' in node ? `margin-bottom: ${String(node.spaceBottom)};` : '';
  return [top, bottom].filter((text) => text !== '').join(' ');
}

/** Adds declarations to the first tag of the HTML. */
function withStyle(html: string, style: string): string {
  const holder = document.createElement('template');
  holder.innerHTML = html;
  const first = holder.content.firstElementChild;
  if (first === null) return html;
  const own = first.getAttribute('style');
  first.setAttribute('style', own === null ? style : `${own.replace(/;?\s*$/, ';')} ${style}`);
  return holder.innerHTML;
}

function levelStyle(node: object): { readonly margin: string } {
  const level = 'level' in node && typeof node.level === 'number' ? node.level : 0;
  return { margin: `5px 0 5px calc(var(--richtext-indent) * ${level})` };
}
