import { wordImageHtml } from '../word-images.ts';
import { pixelsOf, readDeclarations } from './style-text.ts';

/** A picture keeps the size it was given; one on the author's own disk leaves its name: the address may not stay. */
export function tidyPicture(image: HTMLImageElement): void {
  const style = readDeclarations(image.getAttribute('style') ?? '');
  const sizes = (['width', 'height'] as const).flatMap((name) => {
    const px = pixelsOf(style.get(name)) ?? pixelsOf(image.getAttribute(name));
    return px === null || px <= 0 ? [] : [[name, String(px)] as const];
  });
  for (const name of ['width', 'height']) image.removeAttribute(name);
  for (const [name, px] of sizes) image.setAttribute(name, px);
  const address = image.getAttribute('src') ?? '';
  if (/^(?:file:|[a-z]:[\\/])/i.test(address))
    image.outerHTML = wordImageHtml(address, Object.fromEntries(sizes));
}
