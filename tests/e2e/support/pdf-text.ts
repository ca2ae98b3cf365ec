import { inflateSync } from 'node:zlib';

/** What a reader of a PDF can select: the texts of its pages by the fonts' ToUnicode maps. For PDFs of one font. */
export function pdfText(bytes: Buffer): { readonly pages: number; readonly text: string } {
  const source = bytes.toString('latin1');
  const streams = [...source.matchAll(/stream\r?\n/g)].map(({ index, 0: mark }) => {
    const start = index + mark.length;
    return bytes.subarray(start, source.indexOf('endstream', start));
  });
  const contents = streams.map(inflated);
  const glyphs = new Map<string, string>();
  for (const content of contents.filter((one) => one.includes('beginbfchar') || one.includes('beginbfrange')))
    for (const [, from = '', to = ''] of content.matchAll(/<([\da-f]{4})>\s*<([\da-f]{4,8})>/gi))
      glyphs.set(from.toLowerCase(), fromHex(to));
  const text = contents
    .filter((one) => /\bTj\b/.test(one))
    .flatMap((one) => [...one.matchAll(/<([\da-f]+)>\s*Tj/gi)])
    .map(([, hex = '']) =>
      (hex.match(/.{4}/g) ?? []).map((glyph) => glyphs.get(glyph.toLowerCase()) ?? '').join(''),
    )
    .join('\n');
  return { pages: source.match(/\/Type \/Page\b(?!s)/g)?.length ?? 0, text };
}

function inflated(stream: Buffer): string {
  try {
    return inflateSync(stream).toString('latin1');
  } catch {
    return stream.toString('latin1');
  }
}

function fromHex(hex: string): string {
  return String.fromCharCode(...(hex.match(/.{4}/g) ?? []).map((unit) => Number.parseInt(unit, 16)));
}
