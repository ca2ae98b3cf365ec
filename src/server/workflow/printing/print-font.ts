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
  /** Goes on in one of its two cuts; how much wider the text would be than the layout has room for, in shares of it. */
  readonly take: (pdf: jsPDF, mark: { readonly text: string; readonly isBold: boolean }) => number;
}

const NAME = 'print';
const BOLD = 'print-bold';
/** Widths are asked for at this size, and kept by character. */
const UNIT = 1000;

/** Reads a TrueType font and its bold cut: a PDF has the bold one only where something is bold. */
export function openPrintFont({ regular, bold }: FontFiles): OpenFont {
  const plain = openCut(NAME, regular);
  let heavy: Cut | undefined;
  const newPdf: OpenFont['newPdf'] = (page) => {
    const pdf = emptyPdf(page);
    addParsedFont(pdf, NAME, plain.parsed);
    return pdf;
  };
  const take: OpenFont['take'] = (pdf, { text, isBold }) => {
    if (!isBold) {
      pdf.setFont(NAME, 'normal');
      return 1;
    }
    heavy ??= openCut(BOLD, bold);
    if (pdf.getFontList()[BOLD] === undefined) addParsedFont(pdf, BOLD, heavy.parsed);
    pdf.setFont(BOLD, 'normal');
    return plain.widthOf(text) === 0 ? 1 : heavy.widthOf(text) / plain.widthOf(text);
  };
  const glyphs = glyphsOf(plain.parsed);
  return {
    newPdf,
    take,
    widthOf: (text, size) => (plain.widthOf(text) * size) / UNIT,
    has: (character) => glyphs(character.codePointAt(0) ?? 0) !== 0,
  };
}

/** The bytes of the two cuts. */
export interface FontFiles {
  readonly regular: Uint8Array;
  readonly bold: Uint8Array;
}

interface Cut {
  readonly parsed: object;
  /** At the unit size. */
  readonly widthOf: (text: string) => number;
}

function openCut(name: string, bytes: Uint8Array): Cut {
  const ruler = emptyPdf({ width: UNIT, height: UNIT, title: '' });
  ruler.addFileToVFS(`${name}.ttf`, Buffer.from(bytes).toString('base64'));
  ruler.addFont(`${name}.ttf`, name, 'normal', undefined, 'Identity-H');
  ruler.setFont(name, 'normal').setFontSize(UNIT);
  const widths = new Map<string, number>();
  const widthOf = (character: string): number => {
    const known = widths.get(character) ?? ruler.getTextWidth(character);
    widths.set(character, known);
    return known;
  };
  return {
    parsed: parsedFont(ruler),
    widthOf: (text) => [...text].reduce((sum, character) => sum + widthOf(character), 0),
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
