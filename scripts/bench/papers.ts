import type { FilledPrint } from '#engine/print/filled-print.ts';
import { composePages, makePdf } from '#server/workflow/printing/print-service.ts';
import type { PrintJob } from '#server/workflow/printing/print-service.ts';

const PAPERS = 100;
const LINES = 80;
const SAMPLE_MS = 50;

/** A hundred PDFs of three pages, made by the thread of the server one after the other, and all of them as one file. */
export async function measurePapers(
  config: Parameters<typeof makePdf>[0],
  add: (what: string, result: string, target: string, isMet: boolean) => void,
): Promise<void> {
  const jobs = Array.from({ length: PAPERS }, (_paper, index): PrintJob => ({
    filled: invoice(index),
    foot: `AAMX${index}`,
    pictures: {},
  }));
  const [first] = await composePages(config, jobs.slice(0, 1));
  const pages = first?.pages.length ?? 0;
  const before = process.memoryUsage().rss;
  let most = before;
  const sampler = setInterval(() => {
    most = Math.max(most, process.memoryUsage().rss);
  }, SAMPLE_MS);
  const began = performance.now();
  let bytes = 0;
  for (const job of jobs) bytes += (await makePdf(config, [job])).length;
  const apartMs = performance.now() - began;
  const together = performance.now();
  const one = await makePdf(config, jobs);
  const togetherMs = performance.now() - together;
  clearInterval(sampler);
  const grownMb = (most - before) / 2 ** 20;
  const isSmall = grownMb < 300;
  add(
    `${PAPERS} 份 ${pages} 页的 PDF`,
    `${(apartMs / 1000).toFixed(1)} s，${(bytes / 1000).toFixed(0)} kB，内存多用 ${grownMb.toFixed(0)} MB`,
    '< 30 s，< 300 MB',
    pages === 3 && apartMs < 30_000 && isSmall,
  );
  add(
    `${PAPERS} 份合为一个 PDF`,
    `${(togetherMs / 1000).toFixed(1)} s，${(one.length / 1000).toFixed(0)} kB`,
    '< 30 s',
    togetherMs < 30_000,
  );
}

function invoice(index: number): FilledPrint {
  const rows = Array.from({ length: LINES }, (_row, line) => ({
    cells: [
      String(line + 1),
      `ALUMINIUM NON-STICK FRY PAN 铝制不粘锅 ${index}-${line}`,
      '1,464',
      '5.53',
      '8,095.92',
    ],
    amounts: [null, null, { amount: '1464', unit: 'PCS' }, null, { amount: '8095.92', unit: '' }],
  }));
  return {
    title: 'COMMERCIAL INVOICE',
    language: 'en',
    landscape: false,
    blocks: [
      { kind: 'letterhead', name: 'EAST CHINA CO., LTD.', lines: ['华东融通进出口有限公司'], logo: null },
      { kind: 'title', text: 'COMMERCIAL INVOICE', sub: '商业发票' },
      {
        kind: 'table',
        columns: [
          column('No.', 0.5, null),
          column('Description 品名', 4, null),
          column('Quantity 数量', 1.2, 0),
          column('Price', 1, null),
          column('Amount 金额', 1.4, 2),
        ],
        rows,
        total: 'TOTAL',
        isCarried: true,
        carryWords: ['CARRIED FORWARD', 'BROUGHT FORWARD'],
      },
      {
        kind: 'signatures',
        parties: [
          { label: 'FOR AND ON BEHALF OF', name: 'EAST CHINA', hasSeal: true, stamp: null, foot: '' },
        ],
      },
    ],
  };
}

function column(label: string, width: number, sum: number | null) {
  return { label, width, align: sum === null ? 'left' : 'right', sum } as const;
}
