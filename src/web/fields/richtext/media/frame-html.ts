import { type BoxLayout, placeBox, quietElement, sizeBox } from './box-layout.ts';

export interface FrameLayout extends BoxLayout {
  readonly hasBorder: boolean;
}

/** A frame of an allowed site; the sandbox is added where HTML is cleaned. */
export function framedHtml(address: string, layout: FrameLayout): string {
  const frame = quietElement('iframe', { src: address });
  sizeBox(frame, layout);
  frame.setAttribute('frameborder', layout.hasBorder ? '1' : '0');
  placeBox(frame, layout);
  return frame.outerHTML;
}

/** A link beside a frame, for readers whose network does not let the frame through. */
export function openLinkHtml(address: string, text: string): string {
  const link = quietElement('a', { href: address, target: '_blank' });
  link.textContent = text;
  return link.outerHTML;
}
