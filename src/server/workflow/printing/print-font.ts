import { jsPDF } from 'jspdf';
import type { PrintFont } from '#engine/print/composed-print.ts';

/** The font of all documents, and documents to draw in it. */
export interface OpenFont extends PrintFont {
  /** A PDF without a page of its own yet to draw on: the first is there. */
  readonly newPdf: (page: {
    readonly width: number;
    readonly height: number;
    readonly title: string;
  }) => jsPDF;
}

const NAME = 'print';
/** Widths are asked for at this size, and kept by character. */
const UNIT = 1000;

/** Reads a TrueType font. */
export function openPrintFont(bytes: Uint8Array): OpenFont {
  const base64 = Buffer.from(bytes).toString('base64');
  const newPdf: OpenFont['newPdf'] = ({ width, height, title }) => {
    const pdf = new jsPDF({
      unit: 'pt',
      format: [width, height],
      orientation: width > height ? 'landscape' : 'portrait',
      compress: true,
    });
    pdf.addFileToVFS(`${NAME}.ttf`, base64);
    pdf.addFont(`${NAME}.ttf`, NAME, 'normal', undefined, 'Identity-H');
    pdf.setFont(NAME, 'normal');
    pdf.setProperties({ title });
    return pdf;
  };
  const ruler = newPdf({ width: UNIT, height: UNIT, title: '' }).setFontSize(UNIT);
  const glyphs = glyphsOf(ruler);
  const widths = new Map<string, number>();
  const widthOf = (character: string): number => {
    const known = widths.get(character) ?? ruler.getTextWidth(character);
    widths.set(character, known);
    return known;
  };
  return {
    newPdf,
    widthOf: (text, size) =>
      ([...text].reduce((sum, character) => sum + widthOf(character), 0) * size) / UNIT,
    has: (character) => glyphs(character.codePointAt(0) ?? 0) !== 0,
  };
}

/** The font's own table of characters, which the library does not type. */
function glyphsOf(pdf: jsPDF): (code: number) => number {
  const metadata: unknown = Reflect.get(pdf.getFont(), 'metadata');
  const glyphOf: unknown =
    typeof metadata === 'object' && metadata !== null ? Reflect.get(metadata, 'characterToGlyph') : null;
  if (typeof glyphOf !== 'function') return () => 1;
  return (code) => Number(glyphOf.call(metadata, code) ?? 0);
}
