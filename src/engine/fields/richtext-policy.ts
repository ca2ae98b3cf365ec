import { cleanChart } from './chart-settings.ts';

/**
 * What HTML of the editor may contain. The browser (load, change, show) and the server (save) run DOMPurify with this
 * one policy, so that what is shown while writing is what is stored.
 */
export const RICHTEXT_POLICY = {
  USE_PROFILES: { html: true },
  ADD_TAGS: ['iframe'],
  ADD_ATTR: ['allowfullscreen', 'frameborder', 'target'],
  FORBID_TAGS: ['style', 'form', 'button', 'select', 'option', 'textarea', 'dialog', 'template'],
};

/** Hosts whose pages rich text may frame: maps and videos. The content policy of the pages names the same ones. */
export const FRAME_SOURCES = [
  'https://map.baidu.com',
  'https://api.map.baidu.com',
  'https://www.amap.com',
  'https://uri.amap.com',
  'https://www.openstreetmap.org',
  'https://player.bilibili.com',
  'https://v.qq.com',
  'https://player.youku.com',
] as const;

const SANDBOX = 'allow-scripts allow-same-origin allow-popups';

/** What the policy needs of a DOM element; the browser's and jsdom's both fit. */
export interface RichtextElement {
  readonly nodeName: string;
  readonly getAttribute: (name: string) => string | null;
  readonly setAttribute: (name: string, value: string) => void;
  readonly removeAttribute: (name: string) => void;
  readonly remove: () => void;
}

/** Runs after DOMPurify's own work on an element: foreign frames and controls go, styles and links are made safe. */
export function finishElement(element: RichtextElement): void {
  const name = element.nodeName.toLowerCase();
  if (name === 'iframe') finishFrame(element);
  if (name === 'input' && element.getAttribute('type') !== 'checkbox') element.remove();
  if (name === 'a' && element.getAttribute('target') !== null)
    element.setAttribute('rel', 'noopener noreferrer');
  const chart = element.getAttribute('data-chart');
  if (chart !== null) {
    if (name === 'table') element.setAttribute('data-chart', cleanChart(chart));
    else element.removeAttribute('data-chart');
  }
  const style = element.getAttribute('style');
  if (style === null) return;
  const safe = cleanStyle(style);
  if (safe === '') element.removeAttribute('style');
  else if (safe !== style) element.setAttribute('style', safe);
}

/** True for an https address of an allowed site, without user or port. */
export function isAllowedFrame(address: string): boolean {
  const source = /^(https:\/\/[a-z0-9.-]+)(?:[/?#]|$)/i.exec(address)?.[1]?.toLowerCase();
  return FRAME_SOURCES.some((allowed) => allowed === source);
}

/**
 * Takes out declarations that load something or lay content over the page. Text with escapes or comments, which can
 * hide either, is dropped whole.
 */
export function cleanStyle(style: string): string {
  if (/\\|\/\*/.test(style)) return '';
  const declarations = style.split(';').filter((declaration) => declaration.trim() !== '');
  const safe = declarations.filter((declaration) => !UNSAFE_STYLE.test(declaration));
  return safe.length === declarations.length ? style : safe.join(';').trim();
}

const UNSAFE_STYLE =
  /^\s*(?:position|z-index|behavior|-moz-binding)\s*:|url\s*\(|image(?:-set)?\s*\(|expression\s*\(|@import|javascript:/i;

function finishFrame(frame: RichtextElement): void {
  if (!isAllowedFrame(frame.getAttribute('src') ?? '')) {
    frame.remove();
    return;
  }
  frame.setAttribute('sandbox', SANDBOX);
}
