import type { jsPDF } from 'jspdf';
import { loadChunk } from '#web/faults/load-chunk.ts';
import fontAddress from '#web/assets/fonts/noto-sans-sc-gb2312.ttf?url';
import { type Piece, pageStarts } from './page-layout.ts';
import { readBlock } from './read-block.ts';

/** A4 in points (spec section 9). */
const PAGE = { width: 595.28, height: 841.89 } as const;
const MARGIN = 42;
/** Width at which a block is laid out for the page, in CSS pixels: text comes out near 11 points. */
const LAYOUT_WIDTH = 720;
const FONT = 'noto-sans-sc';
const POINT_DIGITS = 3;

/**
 * Renders a page block into an A4 PDF, spread over as many pages as it needs; lines, table rows and images stay whole
 * and Chinese text can be selected. The block is laid out off the screen; its images must be readable by this page.
 */
export async function blockToPdf(html: string, title: string): Promise<Blob> {
  const [{ jsPDF: Document }, font] = await Promise.all([loadChunk(() => import('jspdf')), loadFont()]);
  const block = await layOut(html, title);
  try {
    const document_ = new Document({ unit: 'pt', format: [PAGE.width, PAGE.height], compress: true });
    document_.addFileToVFS(`${FONT}.ttf`, font);
    document_.addFont(`${FONT}.ttf`, FONT, 'normal', undefined, 'Identity-H');
    document_.setFont(FONT, 'normal');
    document_.setProperties({ title });
    draw(document_, block);
    return document_.output('blob');
  } finally {
    block.remove();
  }
}

function draw(document_: jsPDF, block: HTMLElement): void {
  const { pieces, unbroken } = readBlock(block);
  const scale = (PAGE.width - 2 * MARGIN) / LAYOUT_WIDTH;
  const pageHeight = (PAGE.height - 2 * MARGIN) / scale;
  const starts = pageStarts(block.getBoundingClientRect().height, pageHeight, unbroken);
  for (const [page, start] of starts.entries()) {
    if (page > 0) document_.addPage([PAGE.width, PAGE.height]);
    const end = starts[page + 1] ?? Number.POSITIVE_INFINITY;
    for (const piece of pieces) {
      const isHere = piece.y < end - 0.5 && piece.y + piece.height > start + 0.5;
      if (isHere) drawPiece(document_, piece, { scale, start, end });
    }
    document_.setFontSize(9).setTextColor(120);
    document_.text(`${page + 1} / ${starts.length}`, PAGE.width / 2, PAGE.height - MARGIN / 2, {
      align: 'center',
    });
  }
}

interface Frame {
  readonly scale: number;
  readonly start: number;
  readonly end: number;
}

function drawPiece(document_: jsPDF, piece: Piece, { scale, start, end }: Frame): void {
  const x = MARGIN + piece.x * scale;
  const top = Math.max(piece.y, start);
  const y = MARGIN + (top - start) * scale;
  const width = piece.width * scale;
  const height = (Math.min(piece.y + piece.height, end) - top) * scale;
  if (piece.kind === 'image') {
    document_.addImage(piece.source, x, y, width, height, undefined, 'FAST');
    return;
  }
  if (piece.kind === 'box') {
    drawBox(document_, piece, { x, y, width, height, scale });
    return;
  }
  const size = piece.size * scale;
  document_.setFontSize(size);
  document_.setTextColor(...colourOf(piece.colour));
  if (!hasGlyphs(document_, piece.text)) {
    drawAsPicture(document_, piece, { x, y, width, height });
    return;
  }
  const natural = document_.getTextWidth(piece.text);
  document_.setDrawColor(...colourOf(piece.colour));
  document_.setLineWidth(size / 30);
  document_.text(piece.text, x, y + height / 2, {
    baseline: 'middle',
    horizontalScale: natural === 0 ? 1 : Number((width / natural).toFixed(POINT_DIGITS)),
    // The font has one weight: bold is outlined.
    renderingMode: piece.isBold ? 'fillThenStroke' : 'fill',
  });
}

type Box = Extract<Piece, { readonly kind: 'box' }>;

function drawBox(
  document_: jsPDF,
  piece: Box,
  place: {
    readonly x: number;
    readonly y: number;
    readonly width: number;
    readonly height: number;
    readonly scale: number;
  },
): void {
  const { x, y, width, height, scale } = place;
  if (piece.fill !== null) {
    document_.setFillColor(...colourOf(piece.fill));
    document_.rect(x, y, width, height, 'F');
  }
  if (piece.border === null) return;
  const [top, right, bottom, left] = piece.border;
  document_.setDrawColor(...colourOf(piece.borderColour));
  const line = (thick: number, x1: number, y1: number, x2: number, y2: number): void => {
    if (thick <= 0) return;
    document_.setLineWidth(thick * scale);
    document_.line(x1, y1, x2, y2);
  };
  line(top, x, y, x + width, y);
  line(right, x + width, y, x + width, y + height);
  line(bottom, x, y + height, x + width, y + height);
  line(left, x, y, x, y + height);
}

/** A rare character or an emoticon that the font does not have: its line is a picture. */
function drawAsPicture(
  document_: jsPDF,
  piece: Extract<Piece, { readonly kind: 'text' }>,
  place: { readonly x: number; readonly y: number; readonly width: number; readonly height: number },
): void {
  const sharpness = 3;
  const canvas = document.createElement('canvas');
  canvas.width = Math.ceil(piece.width * sharpness);
  canvas.height = Math.ceil(piece.height * sharpness);
  const context = canvas.getContext('2d');
  if (context === null) return;
  context.scale(sharpness, sharpness);
  context.font = `${piece.isBold ? '600 ' : ''}${piece.size}px sans-serif`;
  context.fillStyle = piece.colour;
  context.textBaseline = 'middle';
  context.fillText(piece.text, 0, piece.height / 2, piece.width);
  document_.addImage(canvas, 'PNG', place.x, place.y, place.width, place.height);
}

function hasGlyphs(document_: jsPDF, text: string): boolean {
  const metadata: unknown = Reflect.get(document_.getFont(), 'metadata');
  const find: unknown =
    typeof metadata === 'object' && metadata !== null ? Reflect.get(metadata, 'characterToGlyph') : null;
  if (typeof find !== 'function') return true;
  return [...text].every((sign) => Number(find.call(metadata, sign.codePointAt(0))) > 0);
}

function colourOf(css: string): [number, number, number] {
  const [red = 0, green = 0, blue = 0] = (css.match(/[\d.]+/g) ?? []).map(Number);
  return [red, green, blue];
}

/** The block with its title at the width of the page, with all images loaded. */
async function layOut(html: string, title: string): Promise<HTMLElement> {
  const block = document.createElement('article');
  block.className = 'richtext';
  block.style.cssText = `position: fixed; left: -10000px; top: 0; width: ${LAYOUT_WIDTH}px; font-size: 15px; line-height: 1.8; background: none`;
  const heading = document.createElement('h1');
  heading.textContent = title;
  heading.style.cssText = 'font-size: 22px; text-align: center; margin: 0 0 16px';
  block.innerHTML = html;
  block.prepend(heading);
  document.body.append(block);
  const images = [...block.querySelectorAll('img')].filter((image) => image.src !== '');
  await Promise.all(images.map((image) => image.decode().catch(() => undefined)));
  return block;
}

let loading: Promise<string> | null = null;

/** The font as base64, fetched once. */
function loadFont(): Promise<string> {
  loading ??= fetch(fontAddress).then(async (response) => {
    if (!response.ok) throw new TypeError('字体没有加载，请检查网络后重试');
    return toBase64(new Uint8Array(await response.arrayBuffer()));
  });
  loading.catch(() => {
    loading = null;
  });
  return loading;
}

function toBase64(bytes: Uint8Array): string {
  const chunk = 0x80_00;
  let text = '';
  for (let at = 0; at < bytes.length; at += chunk)
    text += String.fromCodePoint(...bytes.subarray(at, at + chunk));
  return btoa(text);
}
