import type { Piece, Unbroken } from './page-layout.ts';

const BLOCK = 'tr, img, figure, h1, h2, h3, h4';
const MIN_BOLD = 600;
const TRANSPARENT = /^(transparent|rgba\(0, 0, 0, 0\))$/;

/** What a block that is laid out on the page shows, in the order of painting, and what must not be cut. */
export function readBlock(block: HTMLElement): {
  readonly pieces: readonly Piece[];
  readonly unbroken: readonly Unbroken[];
} {
  const origin = block.getBoundingClientRect();
  const pieces: Piece[] = [];
  const unbroken: Unbroken[] = [];
  for (const element of block.querySelectorAll<HTMLElement>(BLOCK)) {
    const rect = element.getBoundingClientRect();
    unbroken.push({ top: rect.top - origin.top, bottom: rect.bottom - origin.top });
  }
  const walker = document.createTreeWalker(block, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    if (node instanceof HTMLElement) pieces.push(...elementPieces(node, origin));
    else if (node instanceof Text)
      for (const line of textLines(node, origin)) {
        pieces.push(line);
        unbroken.push({ top: line.y, bottom: line.y + line.height });
      }
  }
  return { pieces, unbroken };
}

function elementPieces(element: HTMLElement, origin: DOMRect): readonly Piece[] {
  const rect = element.getBoundingClientRect();
  if (rect.width === 0 || rect.height === 0) return [];
  const place = {
    x: rect.left - origin.left,
    y: rect.top - origin.top,
    width: rect.width,
    height: rect.height,
  };
  if (element instanceof HTMLImageElement)
    return element.naturalWidth === 0 ? [] : [{ kind: 'image', ...place, source: element }];
  const style = getComputedStyle(element);
  const fill = TRANSPARENT.test(style.backgroundColor) ? null : style.backgroundColor;
  const border = [
    Number.parseFloat(style.borderTopWidth),
    Number.parseFloat(style.borderRightWidth),
    Number.parseFloat(style.borderBottomWidth),
    Number.parseFloat(style.borderLeftWidth),
  ] as const;
  const hasBorder = border.some((width) => width > 0);
  if (fill === null && !hasBorder) return [];
  return [
    { kind: 'box', ...place, fill, border: hasBorder ? border : null, borderColour: style.borderTopColor },
  ];
}

type Line = Extract<Piece, { readonly kind: 'text' }>;

/** The lines into which a text is broken, each where it stands. */
function textLines(node: Text, origin: DOMRect): readonly Line[] {
  const parent = node.parentElement;
  if (parent === null || node.data.trim() === '') return [];
  const style = getComputedStyle(parent);
  const range = document.createRange();
  const lines: { text: string; left: number; right: number; top: number; bottom: number }[] = [];
  let place = 0;
  for (const sign of node.data) {
    range.setStart(node, place);
    range.setEnd(node, place + sign.length);
    place += sign.length;
    const rect = range.getBoundingClientRect();
    if (rect.width === 0) continue;
    const last = lines.at(-1);
    if (last !== undefined && Math.abs(last.top - rect.top) < rect.height / 2 && rect.left >= last.left) {
      last.text += sign;
      last.right = Math.max(last.right, rect.right);
    } else lines.push({ text: sign, left: rect.left, right: rect.right, top: rect.top, bottom: rect.bottom });
  }
  return lines
    .filter(({ text }) => text.trim() !== '')
    .map((line) => ({
      kind: 'text',
      x: line.left - origin.left,
      y: line.top - origin.top,
      width: line.right - line.left,
      height: line.bottom - line.top,
      text: line.text.replace(/\s+/g, ' '),
      size: Number.parseFloat(style.fontSize),
      colour: style.color,
      isBold: Number(style.fontWeight) >= MIN_BOLD,
    }));
}
