import { inflateSync } from 'node:zlib';

type Glyphs = ReadonlyMap<string, string>;

/** What a reader of a PDF can select: the texts of its pages by their fonts' ToUnicode maps. */
export function pdfText(bytes: Buffer): { readonly pages: number; readonly text: string } {
  const source = bytes.toString('latin1');
  const parts = [...source.matchAll(/(\d+) 0 obj\b([\s\S]*?)endobj/g)].map(
    ([, id = '', body = '']) => [id, { body, content: contentOf(body) }] as const,
  );
  const objects = new Map(parts);
  const fonts = new Map(
    [...source.matchAll(/\/(F\d+) (\d+) 0 R/g)].map(([, name = '', id = '']): [string, Glyphs] => {
      const map = /\/ToUnicode (\d+) 0 R/.exec(objects.get(id)?.body ?? '')?.[1] ?? '';
      return [name, glyphsOf(objects.get(map)?.content ?? '')];
    }),
  );
  const text = [...objects.values()].map(({ content }) => textOf(content, fonts)).join('\n');
  return { pages: source.match(/\/Type \/Page\b(?!s)/g)?.length ?? 0, text };
}

function glyphsOf(content: string): Glyphs {
  const pairs = [...content.matchAll(/<([\da-f]{4})>\s*<([\da-f]{4,8})>/gi)];
  return new Map(pairs.map(([, from = '', to = '']) => [from.toLowerCase(), fromHex(to)]));
}

function textOf(content: string, fonts: ReadonlyMap<string, Glyphs>): string {
  let glyphs: Glyphs | undefined;
  const texts: string[] = [];
  for (const [, font, hex] of content.matchAll(/\/(F\d+) [\d.]+ Tf|<([\da-f]+)>\s*Tj/gi)) {
    if (font !== undefined) glyphs = fonts.get(font);
    if (hex !== undefined)
      texts.push((hex.match(/.{4}/g) ?? []).map((glyph) => glyphs?.get(glyph.toLowerCase()) ?? '').join(''));
  }
  return texts.join('\n');
}

function contentOf(body: string): string {
  const start = /stream\r?\n/.exec(body);
  if (start === null) return '';
  return inflated(
    Buffer.from(body.slice(start.index + start[0].length, body.indexOf('endstream')), 'latin1'),
  );
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
