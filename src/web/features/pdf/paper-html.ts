/**
 * The HTML of a shown block as it goes to paper: what is drawn on a canvas becomes a picture, buttons and open hints go. A chart that
 * is not drawn gives way to its table.
 */
export function paperHtml(shown: Element): string {
  const paper = document.createElement('div');
  paper.append(...[...shown.cloneNode(true).childNodes]);
  const drawn = [...shown.querySelectorAll('canvas')];
  for (const [index, canvas] of [...paper.querySelectorAll('canvas')].entries()) {
    const source = drawn[index];
    if (source !== undefined)
      (canvas.closest('.richtext-chart-plot') ?? canvas.parentElement)?.replaceChildren(pictureOf(source));
  }
  for (const host of paper.querySelectorAll('.richtext-chart-host')) settleChart(host);
  for (const button of paper.querySelectorAll('button')) button.remove();
  return paper.innerHTML;
}

function pictureOf(canvas: HTMLCanvasElement): HTMLImageElement {
  const picture = document.createElement('img');
  picture.src = canvas.toDataURL('image/png');
  picture.style.cssText = `display: block; width: ${canvas.clientWidth}px; max-width: 100%; height: auto`;
  return picture;
}

function settleChart(host: Element): void {
  const frame = host.querySelector<HTMLElement>('.richtext-chart-frame');
  if (host.querySelector('img') !== null && frame !== null) {
    // The page may be narrower than the screen: the picture sets the height.
    frame.style.height = 'auto';
    return;
  }
  host.nextElementSibling?.removeAttribute('hidden');
  host.remove();
}
