/** How a picture, film or frame stands in the text. Lengths in pixels; null leaves it to the thing itself. */
export interface BoxLayout {
  readonly width: number | null;
  readonly height: number | null;
  readonly align: BoxAlign;
  readonly borderPx: number;
  readonly borderColor: string;
  readonly marginPx: number;
}

export type BoxAlign = 'none' | 'left' | 'center' | 'right';

export const PLAIN_BOX: BoxLayout = {
  width: null,
  height: null,
  align: 'none',
  borderPx: 0,
  borderColor: '#d9d9d9',
  marginPx: 0,
};

/** Text that flows around keeps this distance unless the author says another. */
const FLOAT_GAP_PX = 10;

/** Writes the place of the element; its size is a matter of each kind. */
export function placeBox(element: HTMLElement, layout: BoxLayout): void {
  const { style } = element;
  const { align, marginPx, borderPx, borderColor } = layout;
  if (align === 'left' || align === 'right') style.float = align;
  if (align === 'center') style.display = 'block';
  if (align === 'center') style.margin = `${marginPx}px auto`;
  else if (marginPx > 0) style.margin = `${marginPx}px`;
  else if (align !== 'none') {
    style.margin = `0 ${align === 'left' ? FLOAT_GAP_PX : 0}px ${FLOAT_GAP_PX}px ${align === 'right' ? FLOAT_GAP_PX : 0}px`;
  }
  if (borderPx > 0) style.border = `${borderPx}px solid ${borderColor}`;
}

/** Writes the size as attributes. */
export function sizeBox(element: Element, { width, height }: Pick<BoxLayout, 'width' | 'height'>): void {
  if (width !== null) element.setAttribute('width', String(width));
  if (height !== null) element.setAttribute('height', String(height));
}

/** The other side when the ratio is kept; null stays null. */
export function otherSide(value: number | null, from: number, to: number): number | null {
  return value === null || from === 0 ? null : Math.max(1, Math.round((value * to) / from));
}

/** An element of a document in which nothing is loaded while it is built. */
export function quietElement(tag: string, attributes: Readonly<Record<string, string>>): HTMLElement {
  const element = document.implementation.createHTMLDocument('').createElement(tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  return element;
}
