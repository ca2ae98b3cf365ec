import { jsPDF } from 'jspdf';
import type { PrintFont } from '#engine/print/composed-print.ts';
import { addParsedFont, parsedFont } from './shared-font.ts';

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
  const ruler = emptyPdf({ width: UNIT, height: UNIT, title: '' });
  ruler.addFileToVFS(`${NAME}.ttf`, base64);
  ruler.addFont(`${NAME}.ttf`, NAME, 'normal', undefined, 'Identity-H');
  ruler.setFont(NAME, 'normal').setFontSize(UNIT);
  const parsed = parsedFont(ruler);
  const newPdf: OpenFont['newPdf'] = (page) => {
    const pdf = emptyPdf(page);
    addParsedFont(pdf, NAME, parsed);
    return pdf;
  };
  const glyphs = glyphsOf(parsed);
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

function emptyPdf({ width, height, title }: Parameters<OpenFont['newPdf']>[0]): jsPDF {
  const pdf = new jsPDF({
    unit: 'pt',
    format: [width, height],
    orientation: width > height ? 'landscape' : 'portrait',
    compress: true,
  });
  return pdf.setProperties({ title });
}

/** The font's own table of characters, which the library does not type. */
function glyphsOf(parsed: object): (code: number) => number {
  const glyphOf: unknown = Reflect.get(parsed, 'characterToGlyph');
  if (typeof glyphOf !== 'function') return () => 1;
  return (code) => Number(glyphOf.call(parsed, code) ?? 0);
}
