import { type IDomEditor, SlateElement, type SlateNode, SlateText } from '@wangeditor/editor';
import { cleanHtml } from '../richtext-view.tsx';
import { keptOf } from './attribute-module.ts';
import { parseKept } from './kept-attributes.ts';
import { typeOf } from './places.ts';

/** The core's own clipboard format: its nodes, as base64 of percent-encoded JSON. */
const OWN_FORMAT = 'application/x-slate-fragment';

/**
 * The nodes that were copied in an editor of this product, null when the clipboard holds none. Any page may write the
 * format, so everything in it that becomes markup is sanitised here.
 */
export function ownFragment(data: Pick<DataTransfer, 'getData'> | null): readonly SlateNode[] | null {
  const text = data?.getData(OWN_FORMAT) ?? '';
  if (text === '') return null;
  try {
    const parsed: unknown = JSON.parse(decodeURIComponent(atob(text)));
    if (!Array.isArray(parsed)) return null;
    const nodes = parsed.flatMap(cleanNode).map(asBlock);
    return nodes.length === 0 ? null : nodes;
  } catch {
    return null;
  }
}

const TYPES =
  /^(?:paragraph|header[1-6]|blockquote|list-item|todo|divider|pre|code|table|table-row|table-cell|link|kept-block|kept-inline)$/;

function cleanNode(node: unknown): readonly SlateNode[] {
  if (typeof node !== 'object' || node === null) return [];
  const own = Object.assign<object, object>({}, withCleanMark(node));
  if (SlateText.isText(own)) return [own];
  if (!('children' in node) || !Array.isArray(node.children)) return [];
  const children = node.children.flatMap(cleanNode);
  const type = typeOf(node);
  if (!TYPES.test(type)) return children;
  const all = { ...own, ...cleanedValues(node), children: children.length === 0 ? [{ text: '' }] : children };
  return SlateElement.isElement(all) ? [all] : [];
}

/** What an element shows besides its text. */
function cleanedValues(node: object): object {
  if ('html' in node) return { html: cleanHtml(String(node.html)) };
  if (!('url' in node)) return {};
  const link = document.createElement('a');
  link.setAttribute('href', String(node.url));
  const { body } = new DOMParser().parseFromString(cleanHtml(link.outerHTML), 'text/html');
  return { url: body.querySelector('a')?.getAttribute('href') ?? '' };
}

/** Marks are attributes: those that an article may not have are left out. */
function withCleanMark(node: object): object {
  const kept = keptOf(node);
  if (kept === '') return node;
  const marks = Object.entries(parseKept(kept)).filter(([name]) => /^(?:#?[a-z][a-z-]*)$/i.test(name));
  const holder = document.createElement('table');
  for (const [name, value] of marks) if (!name.startsWith('#')) holder.setAttribute(name, value);
  const { body } = new DOMParser().parseFromString(cleanHtml(holder.outerHTML), 'text/html');
  const table = body.querySelector('table');
  const clean = marks.flatMap(([name]) => {
    const value = name.startsWith('#')
      ? marks.find(([other]) => other === name)?.[1]
      : table?.getAttribute(name);
    return value === null || value === undefined ? [] : [[name, value]];
  });
  return { ...node, kept: JSON.stringify(Object.fromEntries(clean)) };
}

/** Text and links that stand alone get a paragraph. */
function asBlock(node: SlateNode): SlateNode {
  const isInline = SlateText.isText(node) || /^(?:link|kept-inline)$/.test(typeOf(node));
  if (!isInline) return node;
  return Object.assign({ type: 'paragraph' }, { children: [node] });
}

/** Lines of plain text as paragraphs. */
export function plainParagraphs(text: string): IDomEditor['children'] {
  return text
    .replace(/\r\n?/g, '\n')
    .replace(/\n$/, '')
    .split('\n')
    .map((line) => ({ type: 'paragraph', children: [{ text: line }] }));
}
