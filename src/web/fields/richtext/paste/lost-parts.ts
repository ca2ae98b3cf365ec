import { isAllowedFrame } from '#engine/fields/richtext-policy.ts';
import type { PasteSource } from './paste-source.ts';
import { readDeclarations } from './style-text.ts';

/** What pasted content has and an article here cannot have. */
type FindLost = (source: PasteSource) => boolean;

const PARTS: readonly (readonly [name: string, isThere: FindLost])[] = [
  ['隐藏的文字、行或列', ({ body, isOffice }) => isOffice && hiddenParts(body).some(isWritten)],
  ['修订标记（留下修改后的文字）', ({ body, isOffice }) => isOffice && has(body, REVISIONS)],
  ['批注', ({ body }) => body.querySelector(COMMENTS) !== null],
  ['公式（留下其图片）', ({ hidden }) => holds(hidden, ['m:omath', 'm:omathpara'])],
  ['文本框', ({ hidden }) => holds(hidden, ['v:textbox'])],
  ['嵌入的对象', ({ body, hidden }) => holds(hidden, ['o:oleobject']) || has(body, 'object, embed, applet')],
  ['网页中的框架', ({ body }) => foreignFrames(body).length > 0],
  ['表单控件', ({ body }) => has(body, 'input:not([type=checkbox]), select, textarea, button')],
  ['画布', ({ body }) => has(body, 'canvas')],
];

/** Word's own: with who changed it and when. */
const REVISIONS = 'ins[datetime], del[datetime]';
const COMMENTS = '[style*="mso-comment-"], [style*="mso-element:comment"]';

/** Takes out what cannot be had here. @returns its names in the reader's words */
export function dropLost(source: PasteSource): readonly string[] {
  const names = PARTS.filter(([, isThere]) => isThere(source)).map(([name]) => name);
  // Nobody saw it where it was copied: a purchase price in a hidden column must not be published.
  for (const element of hiddenParts(source.body)) element.remove();
  if (source.isOffice) acceptRevisions(source.body);
  for (const frame of foreignFrames(source.body)) frame.remove();
  for (const element of source.body.querySelectorAll(COMMENTS)) element.remove();
  for (const element of source.body.querySelectorAll(
    'object, embed, applet, canvas, select, textarea, button',
  ))
    element.remove();
  return names;
}

function hiddenParts(body: HTMLElement): readonly Element[] {
  return [...body.querySelectorAll('[style*="display" i], [style*="mso-hide" i]')].filter((element) => {
    const style = readDeclarations(element.getAttribute('style') ?? '');
    return style.get('display') === 'none' || style.get('mso-hide') === 'all';
  });
}

function isWritten(element: Element): boolean {
  return element.textContent.trim() !== '';
}

function acceptRevisions(body: HTMLElement): void {
  for (const change of body.querySelectorAll(REVISIONS))
    if (change.localName === 'del') change.remove();
    else change.replaceWith(...change.childNodes);
}

/** Frames of sites that an article may not show. */
function foreignFrames(body: HTMLElement): readonly Element[] {
  return [...body.querySelectorAll('iframe, frame')].filter(
    (frame) => !isAllowedFrame(frame.getAttribute('src') ?? ''),
  );
}

function has(body: HTMLElement, selector: string): boolean {
  return body.querySelector(selector) !== null;
}

function holds(documents: readonly Document[], tags: readonly string[]): boolean {
  return documents.some((page) => tags.some((tag) => page.getElementsByTagName(tag).length > 0));
}

/** What the author is told; empty when everything came along. */
export function lostText(lost: readonly string[]): string {
  return lost.length === 0 ? '' : `粘贴时没有带过来：${[...new Set(lost)].join('、')}`;
}
