import type { Align } from './filled-print.ts';

/** A document laid out on pages, in points from the top left corner: what is seen on the screen and in the PDF. */
export interface ComposedPrint {
  readonly title: string;
  readonly width: number;
  readonly height: number;
  readonly pages: readonly (readonly Mark[])[];
  /** Characters that the font does not have, each once; they are printed as □. */
  readonly missing: readonly string[];
}

/** What is drawn: a text at its baseline, a line, or a picture by its name. */
export type Mark =
  | {
      readonly kind: 'text';
      readonly x: number;
      readonly y: number;
      readonly size: number;
      readonly text: string;
      readonly align: Align;
      readonly isBold: boolean;
      /** A label beside its value. */
      readonly isSoft: boolean;
    }
  | {
      readonly kind: 'line';
      readonly x1: number;
      readonly y1: number;
      readonly x2: number;
      readonly y2: number;
      readonly weight: number;
    }
  | {
      readonly kind: 'picture';
      readonly x: number;
      readonly y: number;
      readonly width: number;
      readonly height: number;
      readonly picture: string;
    };

/** How large a picture stands on paper, in points. */
export interface PictureSize {
  readonly width: number;
  readonly height: number;
}

/** The font that a document is set in. */
export interface PrintFont {
  /** Width in points at a size. */
  readonly widthOf: (text: string, size: number) => number;
  readonly has: (character: string) => boolean;
}
