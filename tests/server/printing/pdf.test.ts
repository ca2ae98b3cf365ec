import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { composePrint } from '#engine/print/compose-print.ts';
import type { FilledColumn, FilledPrint } from '#engine/print/filled-print.ts';
import { drawPdf } from '#server/workflow/printing/draw-pdf.ts';
import { openPrintFont } from '#server/workflow/printing/print-font.ts';
import { composePages, makePdf } from '#server/workflow/printing/print-service.ts';
import { pdfText } from '../../e2e/support/pdf-text.ts';

const CONFIG = { webDir: '/nowhere' };
const font = openPrintFont({
  regular: readFileSync('src/web/assets/fonts/noto-sans-sc-gb2312.ttf'),
  bold: readFileSync('src/web/assets/fonts/noto-sans-sc-bold-gb2312.ttf'),
});

function paper(name: string, rows = 1): FilledPrint {
  const column = (label: string, sum: number | null): FilledColumn => ({
    label,
    width: 1,
    align: sum === null ? 'left' : 'right',
    sum,
  });
  return {
    title: 'INVOICE',
    language: 'en',
    landscape: false,
    blocks: [
      { kind: 'letterhead', name, lines: [name], logo: null },
      { kind: 'title', text: name, sub: name },
      {
        kind: 'table',
        columns: [column('品名', null), column('Amount', 2)],
        rows: Array.from({ length: rows }, () => ({
          cells: [name, '1.00'],
          amounts: [null, { amount: '1.00', unit: '' }],
        })),
        total: 'TOTAL',
        isCarried: true,
        carryWords: ['CARRIED', 'BROUGHT'],
      },
    ],
  };
}

it.each([['无'.repeat(200)], ['W'.repeat(200)], ['LONG NAME '.repeat(20)]])(
  'a name of 200 characters stays on the paper, whole',
  (name) => {
    const { pages, width } = composePrint(paper(name), { font, foot: 'AA', pictures: {} });
    const texts = pages.flat().flatMap((mark) => (mark.kind === 'text' ? [mark] : []));
    for (const { text, x, size, align } of texts) {
      const wide = font.widthOf(text, size);
      const left = align === 'left' ? x : align === 'right' ? x - wide : x - wide / 2;
      expect([text, left >= 0, left + wide <= width]).toEqual([text, true, true]);
    }
    const written = texts.map(({ text }) => text.replaceAll(' ', '')).join('');
    expect(written.split(name.replaceAll(' ', '')).length - 1).toBeGreaterThanOrEqual(3);
  },
);

it('each of two PDFs has the characters of its own text, whichever was drawn before', () => {
  const drawn = ['铝制不粘锅 PAN', '不锈钢 POT 锅'].map((name) => {
    const composed = composePrint(paper(name), { font, foot: name, pictures: {} });
    return pdfText(Buffer.from(drawPdf([composed], { font, pictures: {} }))).text;
  });
  expect(drawn[0]).toContain('铝制不粘锅 PAN');
  expect(drawn[1]).toContain('不锈钢 POT 锅');
  expect(drawn[1]).not.toContain('铝');
});

it('has the bold cut where something is bold, as wide as the layout reckoned, and not otherwise', () => {
  const fontsOf = (name: string, isBold: boolean): number => {
    const composed = composePrint(paper(name), { font, foot: '', pictures: {} });
    const pages = composed.pages.map((page) =>
      page.map((mark) => (mark.kind === 'text' ? { ...mark, isBold } : mark)),
    );
    const pdf = Buffer.from(drawPdf([{ ...composed, pages }], { font, pictures: {} }));
    expect(pdfText(pdf).text).toContain(name);
    return pdf.toString('latin1').match(/\/FontFile2/g)?.length ?? 0;
  };
  const name = '宁波 WIDE WORDS 有限公司';
  expect(fontsOf(name, true) - fontsOf(name, false)).toBe(1);
});

it('a hundred papers at once are one PDF with all their pages, made beside two others', async () => {
  const jobs = Array.from({ length: 100 }, (_, index) => ({
    filled: paper(`纸 PAPER ${index} 𠮷`, 3),
    foot: `NO ${index}`,
    pictures: {},
  }));
  const [all, one, laidOut] = await Promise.all([
    makePdf(CONFIG, jobs),
    makePdf(CONFIG, jobs.slice(0, 1)),
    composePages(CONFIG, jobs.slice(5, 6)),
  ]);
  const { pages, text } = pdfText(all);
  expect(pages).toBe(100);
  expect([0, 99].map((index) => text.includes(`PAPER ${index} □`))).toEqual([true, true]);
  expect(pdfText(one).pages).toBe(1);
  expect(laidOut[0]?.missing).toEqual(['𠮷']);
}, 60_000);
