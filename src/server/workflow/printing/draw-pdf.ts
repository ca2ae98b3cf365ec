import type { jsPDF } from 'jspdf';
import type { ComposedPrint, Mark } from '#engine/print/composed-print.ts';
import type { Pictures } from './company-pictures.ts';
import type { OpenFont } from './print-font.ts';

const SOFT = 95;

/** One PDF with all documents, each beginning on a page of its own; its text can be selected. */
export function drawPdf(
  prints: readonly ComposedPrint[],
  { font, pictures }: { readonly font: OpenFont; readonly pictures: Pictures },
): ArrayBuffer {
  const [first] = prints;
  if (first === undefined) throw new RangeError('nothing to draw');
  const pdf = font.newPdf(first);
  let isFirst = true;
  for (const { pages, width, height } of prints)
    for (const marks of pages) {
      if (!isFirst) pdf.addPage([width, height], width > height ? 'landscape' : 'portrait');
      isFirst = false;
      for (const mark of marks) draw(pdf, mark, { font, pictures });
    }
  return pdf.output('arraybuffer');
}

function draw(
  pdf: jsPDF,
  mark: Mark,
  { font, pictures }: { readonly font: OpenFont; readonly pictures: Pictures },
): void {
  if (mark.kind === 'picture') {
    const known = pictures[mark.picture];
    if (known === undefined) return;
    // Under its name it is in the file once, on however many pages.
    const bytes = Buffer.from(known.png, 'base64');
    pdf.addImage(bytes, 'PNG', mark.x, mark.y, mark.width, mark.height, mark.picture, 'FAST');
    return;
  }
  if (mark.kind === 'line') {
    pdf.setDrawColor(0).setLineWidth(mark.weight).line(mark.x1, mark.y1, mark.x2, mark.y2);
    return;
  }
  const { text, y, size, isSoft } = mark;
  const wider = font.take(pdf, mark);
  pdf.setFontSize(size).setTextColor(isSoft ? SOFT : 0);
  // Bold letters stand as wide as the layout has reckoned.
  pdf.text(text, leftOf(mark, font), y, wider === 1 ? {} : { horizontalScale: 1 / wider });
}

/** Where a text begins: the widths of the layout are at hand, the library would measure anew. */
function leftOf({ text, x, size, align }: Extract<Mark, { kind: 'text' }>, font: OpenFont): number {
  if (align === 'left') return x;
  const width = font.widthOf(text, size);
  return align === 'right' ? x - width : x - width / 2;
}
