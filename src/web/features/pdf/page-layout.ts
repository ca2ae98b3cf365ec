/** A thing on the block that is drawn, in CSS pixels from the block's top left corner. */
export type Piece =
  | {
      readonly kind: 'text';
      readonly x: number;
      readonly y: number;
      readonly width: number;
      readonly height: number;
      readonly text: string;
      readonly size: number;
      readonly colour: string;
      readonly isBold: boolean;
    }
  | {
      readonly kind: 'box';
      readonly x: number;
      readonly y: number;
      readonly width: number;
      readonly height: number;
      readonly fill: string | null;
      /** Widths of top, right, bottom and left border, and its colour. */
      readonly border: readonly [number, number, number, number] | null;
      readonly borderColour: string;
    }
  | {
      readonly kind: 'image';
      readonly x: number;
      readonly y: number;
      readonly width: number;
      readonly height: number;
      readonly source: HTMLImageElement;
    };

/** What must not be cut by the end of a page: a line of text, a table row, an image. */
export interface Unbroken {
  readonly top: number;
  readonly bottom: number;
}

/**
 * Where pages begin, in pixels from the top of the block: each ends before whatever it would cut. What is higher than a
 * page is cut.
 */
export function pageStarts(
  height: number,
  pageHeight: number,
  unbroken: readonly Unbroken[],
): readonly number[] {
  const starts = [0];
  for (let start = 0; start + pageHeight < height; start = starts.at(-1) ?? height) {
    let end = start + pageHeight;
    for (let isMoved = true; isMoved;) {
      isMoved = false;
      for (const { top, bottom } of unbroken) {
        const isCut = top < end - 0.5 && bottom > end + 0.5 && bottom - top < pageHeight;
        if (!isCut || top <= start) continue;
        end = top;
        isMoved = true;
      }
    }
    starts.push(end);
  }
  return starts;
}
