import { composeFields } from './compose-fields.ts';
import { composeTable } from './compose-table.ts';
import type { ComposedPrint, PictureSize, PrintFont } from './composed-print.ts';
import type { FilledBlock, FilledPrint } from './filled-print.ts';
import { PageMaker } from './page-maker.ts';

const NAME = 13;
const SMALL = 8;
const TITLE = 15;
const BODY = 9;
const GAP = 8;
const PADDING = 4;
const SIGNATURE_HEIGHT = 96;
/** A landscape page is low. */
const LOW_SIGNATURE_HEIGHT = 66;
/** Where nobody chops there is room to sign. */
const PLAIN_SIGNATURE_HEIGHT = 48;

/** What a print is laid out with besides itself. */
export interface PrintSurroundings {
  readonly font: PrintFont;
  readonly foot: string;
  /** Sizes of the pictures that it names. */
  readonly pictures?: Readonly<Record<string, PictureSize>>;
}

/** How much smaller a print may become, so that nobody signs a page that says nothing. */
const CLOSER = [0.96, 0.92, 0.88];

/**
 * Lays a filled print out on A4; `foot` stands at the foot of every page beside its number. Signatures that would stand on
 * a page alone are brought back by drawing everything a little smaller, where that is enough.
 */
export function composePrint(print: FilledPrint, around: PrintSurroundings): ComposedPrint {
  const { scale = 1 } = print;
  const whole = composeAt(print, around, scale);
  if (!whole.isSignedAlone) return whole.composed;
  for (const share of CLOSER) {
    const { composed } = composeAt(print, around, scale * share);
    if (composed.pages.length < whole.composed.pages.length) return composed;
  }
  return whole.composed;
}

function composeAt(
  print: FilledPrint,
  { font, foot, pictures }: PrintSurroundings,
  scale: number,
): { readonly composed: ComposedPrint; readonly isSignedAlone: boolean } {
  const pages = new PageMaker(font, print.landscape, pictures, scale);
  let isSignedAlone = false;
  for (const block of print.blocks) {
    const before = pages.count;
    composeBlock(pages, block);
    isSignedAlone = block.kind === 'signatures' && pages.count > before;
  }
  return { composed: pages.finish(print.title, foot, print.note), isSignedAlone };
}

function composeBlock(pages: PageMaker, block: FilledBlock): void {
  switch (block.kind) {
    case 'letterhead':
      return letterhead(pages, block);
    case 'title':
      return title(pages, block);
    case 'fields':
      return composeFields(pages, block);
    case 'parties':
      return parties(pages, block);
    case 'table':
      return composeTable(pages, block);
    case 'text':
      return paragraph(pages, block);
    case 'signatures':
      return signatures(pages, block);
    case 'space':
      pages.y += block.height;
  }
}

type Of<Kind extends FilledBlock['kind']> = Extract<FilledBlock, { readonly kind: Kind }>;

function letterhead(pages: PageMaker, { name, lines, logo }: Of<'letterhead'>): void {
  const size = pages.sizeOf(logo);
  const top = pages.y;
  if (logo !== null && size !== null) pages.picture(logo, { x: pages.left, y: top, ...size });
  const place = besideLogo(pages, size, [[name, NAME], ...lines.map((line) => [line, SMALL] as const)]);
  stack(pages, [name], { size: NAME, isBold: true, align: 'center' }, place);
  stack(pages, lines, { size: SMALL, align: 'center' }, place);
  if (size !== null) pages.y = Math.max(pages.y, top + size.height);
  pages.y += PADDING;
  pages.line(pages.left, pages.y, pages.left + pages.room, pages.y, 0.8);
  pages.y += GAP;
}

/** In the middle of the paper where the texts have room there beside the logo, else in the middle of what it leaves. */
function besideLogo(
  pages: PageMaker,
  logo: { readonly width: number } | null,
  texts: readonly (readonly [text: string, size: number])[],
): Place {
  const side = logo === null ? 0 : logo.width + GAP;
  const middle = pages.room - 2 * side;
  if (texts.every(([text, size]) => pages.wrap(text, middle, size).length <= 1))
    return { x: pages.left, width: pages.room };
  return { x: pages.left + side, width: pages.room - side };
}

function title(pages: PageMaker, { text, sub }: Of<'title'>): void {
  pages.y += PADDING;
  stack(pages, [text], { size: TITLE, isBold: true, align: 'center' });
  if (sub !== '') stack(pages, [sub], { size: BODY, align: 'center' });
  pages.y += GAP;
}

function paragraph(pages: PageMaker, { title: heading, lines, align, isBold }: Of<'text'>): void {
  if (heading !== '') {
    pages.need(pages.heightOf(3, BODY));
    stack(pages, [heading], { size: BODY, isBold: true });
  }
  stack(pages, lines, { size: BODY, align, isBold });
  pages.y += GAP;
}

interface Place {
  readonly x: number;
  readonly width: number;
}

/** Texts over the whole width (or another), each line where there is room for it. */
function stack(
  pages: PageMaker,
  texts: readonly string[],
  style: Parameters<PageMaker['texts']>[2],
  place: Place = { x: pages.left, width: pages.room },
): void {
  for (const line of texts.flatMap((text) => pages.wrap(text, place.width, style.size))) {
    pages.need(pages.heightOf(1, style.size));
    pages.texts([line], { ...place, top: pages.y }, style);
    pages.y += pages.heightOf(1, style.size);
  }
}

/** Parties beside each other, each with its lines. */
function parties(pages: PageMaker, block: Of<'parties'>): void {
  const width = pages.room / block.parties.length;
  const columns = block.parties.map(({ label, lines }) => ({
    label,
    lines: lines.flatMap((line) => pages.wrap(line, width - GAP, BODY)),
  }));
  const height = pages.heightOf(1 + Math.max(...columns.map(({ lines }) => lines.length)), BODY);
  pages.need(Math.min(height, pages.pageRoom));
  for (const [place, { label, lines }] of columns.entries()) {
    const at = { x: pages.left + place * width, width: width - GAP, top: pages.y };
    pages.texts([label], at, { size: BODY, isSoft: true });
    pages.texts(lines, { ...at, top: at.top + pages.heightOf(1, BODY) }, { size: BODY });
  }
  pages.y += height + GAP;
}

/** Signatures beside each other, never torn apart; a chop has room above its line, and stands over it where there is one. */
function signatures(pages: PageMaker, block: Of<'signatures'>): void {
  const isChopped = block.parties.some(({ hasSeal, stamp }) => hasSeal || stamp !== null);
  const height = !isChopped
    ? PLAIN_SIGNATURE_HEIGHT
    : pages.isLandscape
      ? LOW_SIGNATURE_HEIGHT
      : SIGNATURE_HEIGHT;
  const hasFoot = block.parties.some(({ foot }) => foot !== '');
  pages.need(height + (hasFoot ? pages.heightOf(1, SMALL) : 0));
  pages.y += GAP;
  const width = pages.room / block.parties.length;
  for (const [place, { label, name, stamp, foot: below }] of block.parties.entries()) {
    const at = { x: pages.left + place * width, width: width - 2 * GAP, top: pages.y };
    pages.texts([label], at, { size: BODY, isSoft: true });
    const names = pages.wrap(name, at.width, BODY).slice(0, 2);
    pages.texts(names, { ...at, top: at.top + pages.heightOf(1, BODY) }, { size: BODY });
    if (label === '' && name === '') continue;
    const foot = pages.y + height - 2 * GAP;
    const size = pages.sizeOf(stamp);
    if (stamp !== null && size !== null)
      pages.picture(stamp, {
        x: at.x + Math.max(0, (at.width - size.width) / 2),
        y: foot - size.height + PADDING,
        ...size,
      });
    pages.line(at.x, foot, at.x + at.width, foot);
    pages.texts([below], { ...at, top: foot + 1 }, { size: SMALL, isSoft: true });
  }
  pages.y += height + (hasFoot ? pages.heightOf(1, SMALL) : 0);
}
