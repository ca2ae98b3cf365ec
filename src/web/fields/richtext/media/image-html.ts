import { type BoxLayout, placeBox, quietElement, sizeBox } from './box-layout.ts';

export interface ImageLayout extends BoxLayout {
  /** Height follows width, on a narrow screen too. */
  readonly isRatioKept: boolean;
  readonly alt: string;
}

/** A picture as it is written into the document. */
export function placedImageHtml(address: string, layout: ImageLayout): string {
  const image = quietElement('img', { src: address, alt: layout.alt });
  placeBox(image, layout);
  sizeBox(image, layout);
  // The page's rule that keeps the ratio must not win over a size that the author distorted on purpose.
  if (!layout.isRatioKept && layout.height !== null) image.style.height = `${layout.height}px`;
  return image.outerHTML;
}

/** A file's name without its ending: what stands for the picture where it cannot be seen. */
export function altOf(name: string): string {
  return name.replace(/\.[^.]{1,5}$/, '');
}
