import type { Align } from './filled-print.ts';
import type { ComposedPrint, Mark, PictureSize, PrintFont } from './composed-print.ts';
import { printableText } from './printable-text.ts';
import { wrapText } from './wrap-text.ts';

/** A4 in points. */
const SHORT = 595.28;
const LONG = 841.89;
const MARGIN = 42;
const FOOT = 26;
const LINE_HEIGHT = 1.36;
const ASCENT = 1.02;
const FOOT_SIZE = 7.5;
const NOTE_SIZE = 11;
const NOTE_Y = 28;

/** How a text stands. */
export interface TextStyle {
  readonly size: number;
  readonly align?: Align;
  readonly isBold?: boolean;
  readonly isSoft?: boolean;
}

/** Pages that are filled from top to bottom. */
export class PageMaker {
  readonly width: number;
  readonly left = MARGIN;
  /** Of the room between the margins. */
  readonly room: number;
  /** Where the next thing begins. */
  y = MARGIN;
  private readonly height: number;
  private readonly pages: Mark[][] = [[]];
  private readonly missing = new Set<string>();

  constructor(
    private readonly font: PrintFont,
    readonly isLandscape: boolean,
    private readonly pictures: Readonly<Record<string, PictureSize>> = {},
    /** Everything is drawn so much smaller, so that more has room. */
    private readonly scale = 1,
  ) {
    this.width = (isLandscape ? LONG : SHORT) / scale;
    this.height = (isLandscape ? SHORT : LONG) / scale;
    this.room = this.width - 2 * MARGIN;
  }

  get bottom(): number {
    return this.height - MARGIN - FOOT;
  }

  get count(): number {
    return this.pages.length;
  }

  /** What a whole page has for contents. */
  get pageRoom(): number {
    return this.bottom - MARGIN;
  }

  /** Begins a page when there is less left; true when it did. */
  need(height: number): boolean {
    if (this.y + height <= this.bottom || this.y === MARGIN) return false;
    this.breakPage();
    return true;
  }

  breakPage(): void {
    this.pages.push([]);
    this.y = MARGIN;
  }

  wrap(text: string, width: number, size: number): readonly string[] {
    return wrapText(this.printable(text), width, (part) => this.font.widthOf(part, size));
  }

  widthOf(text: string, size: number): number {
    return this.font.widthOf(text, size);
  }

  heightOf(lines: number, size: number): number {
    return lines * size * LINE_HEIGHT;
  }

  /** Lines below each other in a column, from `top` on. */
  texts(
    lines: readonly string[],
    at: { readonly x: number; readonly width: number; readonly top: number },
    style: TextStyle,
  ): void {
    const { size, align = 'left', isBold = false, isSoft = false } = style;
    const x = align === 'left' ? at.x : align === 'right' ? at.x + at.width : at.x + at.width / 2;
    for (const [place, text] of lines.entries())
      if (text !== '') {
        const y = at.top + place * size * LINE_HEIGHT + size * ASCENT;
        this.mark({ kind: 'text', x, y, size, text: this.printable(text), align, isBold, isSoft });
      }
  }

  line(x1: number, y1: number, x2: number, y2: number, weight = 0.5): void {
    this.mark({ kind: 'line', x1, y1, x2, y2, weight });
  }

  /** How large a picture stands; null for none, or one that is not at hand. */
  sizeOf(picture: string | null): PictureSize | null {
    return picture === null ? null : (this.pictures[picture] ?? null);
  }

  picture(picture: string, at: { readonly x: number; readonly y: number } & PictureSize): void {
    this.mark({ kind: 'picture', picture, ...at });
  }

  /** The pages with their numbers, on the left what the foot says, and a note in the margin above. */
  finish(title: string, foot: string, note?: string): ComposedPrint {
    for (const [place, page] of this.pages.entries()) {
      if (note !== undefined) page.push(this.noteMark(note));
      const y = this.height - MARGIN;
      const style = { kind: 'text', y, size: FOOT_SIZE, isBold: false, isSoft: true } as const;
      page.push({ ...style, x: MARGIN, text: this.printable(foot), align: 'left' });
      page.push({
        ...style,
        x: this.width - MARGIN,
        text: `${place + 1} / ${this.pages.length}`,
        align: 'right',
      });
    }
    return {
      title,
      width: this.width * this.scale,
      height: this.height * this.scale,
      pages: this.pages.map((page) => page.map((mark) => scaled(mark, this.scale))),
      missing: [...this.missing],
    };
  }

  private noteMark(note: string): Mark {
    const at = { x: this.width / 2, y: NOTE_Y, size: NOTE_SIZE, align: 'center' } as const;
    return { kind: 'text', ...at, text: this.printable(note), isBold: true, isSoft: false };
  }

  private mark(mark: Mark): void {
    this.pages.at(-1)?.push(mark);
  }

  private printable(text: string): string {
    const { text: printed, missing } = printableText(text, this.font.has);
    for (const character of missing) this.missing.add(character);
    return printed;
  }
}

function scaled(mark: Mark, scale: number): Mark {
  if (scale === 1) return mark;
  const by = (length: number): number => length * scale;
  switch (mark.kind) {
    case 'text':
      return { ...mark, x: by(mark.x), y: by(mark.y), size: by(mark.size) };
    case 'line':
      return { ...mark, x1: by(mark.x1), y1: by(mark.y1), x2: by(mark.x2), y2: by(mark.y2) };
    case 'picture':
      return { ...mark, x: by(mark.x), y: by(mark.y), width: by(mark.width), height: by(mark.height) };
  }
}
