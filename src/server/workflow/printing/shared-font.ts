import { jsPDF } from 'jspdf';

/** Base64 of nothing that is read: a font that was parsed before stands in for it. */
const STAND_IN = 'AAAA';

/**
 * Gives the library a font that it parsed once, for each further PDF: parsing two megabytes takes a third of a PDF's
 * time. What the library notes by document (used glyphs, their widths and characters) is begun anew; the library's own
 * parts are not typed, hence the reflection. Both notes are kept without searching all that was noted before.
 */
export function addParsedFont(pdf: jsPDF, name: string, parsed: object): void {
  // Its properties have to be its own: the library asks for that.
  const own: object = Object.assign(Object.create(Object.getPrototypeOf(parsed)), parsed);
  Reflect.set(own, 'toUnicode', {});
  Reflect.set(own, 'Unicode', { encoding: {}, kerning: {}, widths: new GlyphWidths() });
  withParser(
    () => own,
    () => {
      pdf.addFileToVFS(`${name}.ttf`, STAND_IN);
      pdf.addFont(`${name}.ttf`, name, 'normal', undefined, 'Identity-H');
    },
  );
  pdf.setFont(name, 'normal');
  Reflect.set(own, 'glyIdsUsed', new UsedGlyphs(0));
}

/** What the library parsed for the font in use. */
export function parsedFont(pdf: jsPDF): object {
  const metadata: unknown = Reflect.get(pdf.getFont(), 'metadata');
  if (typeof metadata !== 'object' || metadata === null) throw new TypeError('the font was not parsed');
  return metadata;
}

function withParser(open: () => object, run: () => void): void {
  const parser: unknown = Reflect.get(jsPDF.API, 'TTFFont');
  if (typeof parser !== 'function') throw new TypeError('the library reads no TrueType fonts');
  const before: unknown = Reflect.get(parser, 'open');
  Reflect.set(parser, 'open', open);
  try {
    run();
  } finally {
    Reflect.set(parser, 'open', before);
  }
}

/** The glyphs of a document, each once: the library adds one for every character that is written. */
class UsedGlyphs extends Array<number> {
  private readonly known = new Set<number>();

  constructor(first: number) {
    super();
    this.push(first);
  }

  override push(glyph: number): number {
    if (!this.known.has(glyph)) {
      this.known.add(glyph);
      super.push(glyph);
    }
    return this.length;
  }
}

/** Glyph, its width, the next glyph…: the library asks before each character whether its glyph is there. */
class GlyphWidths extends Array<unknown> {
  private readonly known = new Set<unknown>();

  override push(item: unknown): number {
    this.known.add(item);
    return super.push(item);
  }

  override indexOf(glyph: unknown): number {
    return this.known.has(glyph) ? 0 : -1;
  }
}
