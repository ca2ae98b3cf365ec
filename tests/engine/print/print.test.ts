import { expect, it } from 'vitest';
import { composePrint } from '#engine/print/compose-print.ts';
import type { ComposedPrint, Mark, PrintFont } from '#engine/print/composed-print.ts';
import type { FilledTable } from '#engine/print/filled-print.ts';
import { fillPrint, type PrintSource } from '#engine/print/fill-print.ts';
import type { PrintBlock, PrintTemplate, SignaturePart } from '#engine/print/print-template.ts';
import { definePrintWords, type PrintValue } from '#engine/print/write-value.ts';
import { wrapText } from '#engine/print/wrap-text.ts';
import { addDecimals } from '#engine/values/decimal.ts';
import type { Field } from '#engine/schema/resource.ts';
import { amountInWords } from '#trade/amount-in-words.ts';
import { yuanInWords } from '#trade/yuan-in-words.ts';

definePrintWords({ words: amountInWords, yuan: yuanInWords });

/** Half an em for Latin, an em for the rest; it has everything but 鿿. */
const FONT: PrintFont = {
  widthOf: (text, size) => [...text].reduce((sum, one) => sum + (one < '\u2000' ? size / 2 : size), 0),
  has: (character) => character !== '鿿',
};

function aField(name: string, type: Field['type']): Field {
  return { name, type, title: name } as Field;
}

function a(value: unknown, type: Field['type'] = 'text', more: Partial<PrintValue> = {}): PrintValue {
  return { value, label: null, field: aField('x', type), currency: null, ...more };
}

const SIGNERS = [
  { title: '提交', name: '张三', day: '2026-02-09' },
  { title: '财务审核', name: '', day: '' },
];

function fill(
  blocks: readonly PrintBlock[],
  head: Readonly<Record<string, PrintValue>>,
  lines: readonly Readonly<Record<string, PrintValue>>[] = [],
  language: PrintTemplate['language'] = 'en',
) {
  const source: PrintSource = {
    head: (path) => head[path] ?? null,
    rows: () => lines.map((line) => (path: string) => line[path] ?? null),
    opening: () => '100.00',
    picture: (kind) => (kind === 'contract' ? 'chop' : null),
    signers: () => SIGNERS,
    holds: (when) => Object.keys(when).length === 0,
  };
  return fillPrint({ print: 'p', resource: 'r', title: 'T', language, blocks }, source);
}

it.each([
  ['{amount}', a('1234567.5', 'money'), 'en', '1,234,567.50'],
  ['{amount}', a('1234567.00', 'money', { currency: 'JPY' }), 'en', '1,234,567'],
  [
    '{amount:words}',
    a('1205.5', 'money', { currency: 'USD' }),
    'en',
    'SAY US DOLLARS ONE THOUSAND TWO HUNDRED AND FIVE AND CENTS FIFTY ONLY',
  ],
  ['{amount:yuan}', a('1005.50', 'money'), 'zh', '人民币壹仟零伍元伍角整'],
  ['{amount}', a('12.500', 'decimal'), 'zh', '12.5'],
  ['{amount}', a('2026-02-09', 'date'), 'en', 'FEB. 9, 2026'],
  ['{amount}', a('2026-02-09', 'date'), 'zh', '2026-02-09'],
  ['{amount:en}', a('2026-02-09', 'date'), 'zh', 'FEB. 9, 2026'],
  ['{amount}', a(true, 'boolean'), 'en', 'YES'],
  ['{amount}', a('CNNBG', 'reference', { label: '宁波' }), 'zh', '宁波'],
  ['{amount:code}', a('USD', 'dictionary', { label: '美元' }), 'zh', 'USD'],
  ['{amount}', a('0196dc1d-c260-73a4-b919-d60b78be7e37', 'reference'), 'zh', ''],
  ['{amount} VAT', a('13.0000', 'percent'), 'en', '13% VAT'],
  ['{amount}', a('0.0350', 'percent'), 'zh', '0.035%'],
  ['{amount:code}', a('0196dc1d-c260-73a4-b919-d60b78be7e37', 'reference'), 'zh', ''],
  ['No. {amount:upper} / {gone}', a('ab'), 'en', 'No. AB /'],
  ['No. {gone}', a('ab'), 'en', ''],
  ['as it stands {Not} {', a('ab'), 'en', 'as it stands {Not} {'],
] as const)('%s of %o reads in %s as %s', (text, value, language, expected) => {
  const { blocks } = fill([{ kind: 'title', text }], { amount: value }, [], language);
  expect(blocks).toEqual([{ kind: 'title', text: expected, sub: '' }]);
});

it('leaves out what is empty or does not apply, and keeps what is filled in by hand', () => {
  const { blocks } = fill(
    [
      {
        kind: 'fields',
        items: [
          { label: 'A', value: '{gone}' },
          { label: 'B', value: '{gone}', keep: true },
        ],
      },
      { kind: 'fields', items: [{ label: 'A', value: '{gone}' }] },
      { kind: 'text', lines: ['fixed'], when: { status: { eq: 'void' } } },
      { kind: 'text', numbered: true, lines: ['first', '{gone} second', 'third {here}'] },
      { kind: 'table', lines: 'items', columns: [{ label: 'A', value: '{x}', width: 1 }] },
      { kind: 'parties', parties: [{ label: 'TO', lines: ['{gone}'] }] },
    ],
    { here: a('!') },
  );
  expect(blocks).toEqual([
    {
      kind: 'fields',
      columns: 2,
      grid: false,
      stacked: false,
      joined: false,
      items: [{ label: 'B', value: '', wide: false, width: 1 }],
    },
    { kind: 'text', title: '', lines: ['1. first', '2. third !'], align: 'left', isBold: false },
  ]);
});

it('prints signs without ink as nothing, and letters that the font lacks without their marks', () => {
  const font: PrintFont = { ...FONT, has: (character) => character < '\u007f' || 'ü□'.includes(character) };
  const line = '12\u00a0Main\u2009St.\u200b, Köln\r\nGroßhandel Müller, España \u22125\u00ad 鿿';
  const { pages, missing } = composePrint(fill([{ kind: 'text', lines: ['{v}'] }], { v: a(line) }), {
    font,
    foot: '',
  });
  const texts = (pages[0] ?? []).flatMap((mark) => (mark.kind === 'text' ? [mark.text] : []));
  expect(texts.slice(0, 2)).toEqual(['12 Main St., Koln', 'Grosshandel Müller, Espana -5 □']);
  expect(missing).toEqual(['鿿']);
});

it('lays an official form out: labels above values, rows of their own shares that follow each other', () => {
  const row = (columns: number, joined: boolean) => ({
    kind: 'fields' as const, columns, joined, grid: true, stacked: true,
    items: Array.from({ length: columns }, (_, place) => ({
      label: `L${columns}${place}`, value: `{v}`, width: place === 0 ? 3 : 1,
    })),
  }); // prettier-ignore
  const { pages } = composePrint(fill([row(2, true), row(8, false)], { v: a('!') }), {
    font: FONT,
    foot: '',
  });
  const [page = []] = pages;
  const at = (label: string) => page.filter(isText).find(({ text }) => text === label);
  const values = page.filter(isText).filter(({ text }) => text === '!');
  expect(values).toHaveLength(10);
  expect(values[0]?.x).toBe(at('L20')?.x);
  expect(values[0]?.y).toBeGreaterThan(at('L20')?.y ?? 0);
  const lines = page.flatMap((mark) => (mark.kind === 'line' && mark.y1 === mark.y2 ? [mark.y1] : []));
  // Top, between the rows once for each of them, bottom: no gap.
  expect(new Set(lines).size).toBe(3);
  expect((at('L21')?.x ?? 0) - (at('L20')?.x ?? 0)).toBeGreaterThan(350);
});

const COLUMNS = [
  { label: 'No.', value: '#', width: 1 },
  { label: 'Goods', value: '{name}', width: 4 },
  { label: 'Amount', value: '{amount}', width: 2, align: 'right', sum: true },
] as const;

it('puts lines under their groups and sums what is summed', () => {
  const line = (name: string, order: string, amount: string) => ({
    name: a(name),
    order: a(order),
    amount: a(amount, 'money', { currency: 'USD' }),
  });
  const { blocks } = fill(
    [{ kind: 'table', lines: 'items', group: 'ORDER {order}', total: 'TOTAL', columns: COLUMNS }],
    {},
    [line('cup', 'A', '1.10'), line('pot', 'B', '2'), line('lid', 'A', '3.30')],
  );
  const [table] = blocks as readonly FilledTable[];
  expect(table?.rows.map((row) => ('group' in row ? row.group : 'fixed' in row ? row.fixed.join(' ') : row.cells.join(' ')))).toEqual([
    'ORDER A', '1 cup 1.10', '3 lid 3.30', 'ORDER B', '2 pot 2.00',
  ]); // prettier-ignore
  expect(table?.columns.map(({ sum }) => sum)).toEqual([null, null, 2]);
});

const isText = (mark: Mark): mark is Extract<Mark, { kind: 'text' }> => mark.kind === 'text';
const textsOf = (page: readonly Mark[] | undefined) => (page ?? []).filter(isText).map(({ text }) => text);

/** What stands on the line of a text, from left to right. */
function rowOf(page: readonly Mark[], label: string): readonly string[] {
  const texts = page.filter(isText);
  const found = texts.find(({ text }) => text === label);
  return texts.filter(({ y }) => Math.abs(y - (found?.y ?? -1)) < 0.01).map(({ text }) => text);
}

function composed(count: number, carry: boolean): ComposedPrint {
  const lines = Array.from({ length: count }, (_entry, place) => ({
    name: a(place % 7 === 0 ? `LONG NAME ${'WITH MANY WORDS '.repeat(12)}` : `goods ${place}`),
    amount: a(`${place}.25`, 'money', { currency: 'USD' }),
  }));
  return composePrint(
    fill([{ kind: 'table', lines: 'items', total: 'TOTAL', carry, columns: COLUMNS }], {}, lines),
    { font: FONT, foot: 'printed by 张三' },
  );
}

it.each([
  [1, false],
  [60, false],
  [60, true],
  [500, true],
] as const)('lays %i lines out on A4, with sums carried over: %o', (count, carry) => {
  const { pages, width, height, missing } = composed(count, carry);
  expect([Math.round(width), Math.round(height), missing]).toEqual([595, 842, []]);
  for (const page of pages)
    for (const mark of page.filter(isText)) {
      expect(mark.x).toBeGreaterThanOrEqual(42);
      expect(mark.x).toBeLessThanOrEqual(width - 42 + 0.01);
      expect(mark.y).toBeLessThanOrEqual(height - 42 + 0.01);
    }
  const numbers = pages.flatMap((page) =>
    textsOf(page).filter((text) => /^goods \d+$|^LONG NAME/.test(text)),
  );
  expect(numbers).toHaveLength(count);
  const sum = Array.from({ length: count }, (_entry, place) => `${place}.25`).reduce(addDecimals, '0');
  expect(
    rowOf(pages.at(-1) ?? [], 'TOTAL')
      .join(' ')
      .replaceAll(',', ''),
  ).toBe(`TOTAL ${Number(sum).toFixed(2)}`);
  for (const [place, page] of pages.entries()) {
    expect(textsOf(page)).toContain('Goods');
    expect(textsOf(page)).toContain(`${place + 1} / ${pages.length}`);
    const next = pages[place + 1];
    if (next === undefined || !carry) continue;
    expect(rowOf(page, 'CARRIED FORWARD')[1]).toBe(rowOf(next, 'BROUGHT FORWARD')[1]);
  }
  expect(pages.some((page) => textsOf(page).includes('CARRIED FORWARD'))).toBe(carry && pages.length > 1);
});

it('sums different units apart, and says with what a running column begins and ends', () => {
  const { blocks } = fill(
    [
      {
        kind: 'table',
        lines: 'items',
        total: 'TOTAL',
        columns: [
          { label: 'Goods', value: '{name}', width: 2 },
          { label: 'Qty', value: '{quantity}', width: 1, sum: true, unit: '{unit}' },
        ],
      },
      {
        kind: 'table',
        lines: 'items',
        opening: 'OPENING',
        closing: 'CLOSING',
        columns: [
          { label: 'Goods', value: '{name}', width: 2 },
          { label: 'In', value: '{amount:plus}', width: 1, sum: true },
          { label: 'Out', value: '{amount:minus}', width: 1, sum: true },
          { label: 'Balance', value: '{amount}', width: 1, running: true },
        ],
      },
    ],
    {},
    [
      { name: a('cup'), quantity: a('90', 'decimal'), unit: a('011', 'dictionary', { label: '件', english: 'PCS' }), amount: a('20.50', 'money') },
      { name: a('rope'), quantity: a('12.5', 'decimal'), unit: a('030', 'dictionary', { label: '米', english: 'M' }), amount: a('-30.00', 'money') },
    ],
  ); // prettier-ignore
  const { pages } = composePrint(
    { title: 'T', language: 'en', landscape: false, blocks },
    { font: FONT, foot: '' },
  );
  const texts = textsOf(pages[0]);
  expect(texts).toEqual(expect.arrayContaining(['90.0', '12.5', '90.0 PCS', '12.5 M']));
  const [, statement] = blocks as readonly FilledTable[];
  expect(
    statement?.rows.map((row) => ('cells' in row ? row.cells : 'fixed' in row ? row.fixed : [])),
  ).toEqual([
    ['OPENING', '', '', '100.00'],
    ['cup', '20.50', '', '120.50'],
    ['rope', '', '30.00', '90.50'],
  ]);
  expect(statement?.closing).toEqual({ fixed: ['CLOSING', '', '', '90.50'] });
});

it('stamps only when its condition holds, and leaves the place of a seal that is not there', () => {
  const party = (stamp: SignaturePart['stamp']): SignaturePart => ({
    label: 'SELLER',
    name: 'US',
    seal: true,
    ...(stamp === undefined ? {} : { stamp }),
  });
  const drawn = (stamp: SignaturePart['stamp']) => {
    const { pages } = composePrint(fill([{ kind: 'signatures', parties: [party(stamp)] }], {}), {
      font: FONT, foot: '', pictures: { chop: { width: 90, height: 80 } },
    }); // prettier-ignore
    const marks = pages[0] ?? [];
    return {
      pictures: marks.filter(({ kind }) => kind === 'picture').length,
      line: marks.find(({ kind }) => kind === 'line'),
    };
  };
  const empty = drawn(undefined);
  expect(empty.pictures).toBe(0);
  expect(drawn({ kind: 'contract' })).toEqual({ pictures: 1, line: empty.line });
  expect(drawn({ kind: 'contract', when: { status: { eq: 'approved' } } })).toEqual(empty);
  expect(drawn({ kind: 'finance' })).toEqual(empty);
});

it.each([['AA', 'short'], ['EAST CHINA RONGTONG IMPORT AND EXPORT COMPANY LIMITED', 'long']])(
  'the logo of %s does not stand on its name',
  (name) => {
    const filled = { title: '', language: 'en' as const, landscape: false, blocks: [{ kind: 'letterhead' as const, name, lines: [], logo: 'logo' }] };
    const { pages, width } = composePrint(filled, { font: FONT, foot: '', pictures: { logo: { width: 120, height: 40 } } });
    const marks = pages.flat();
    const logo = marks.find((mark) => mark.kind === 'picture');
    const texts = marks.flatMap((mark) => (mark.kind === 'text' && mark.align === 'center' ? [mark] : []));
    for (const { text, x, size } of texts) {
      const half = FONT.widthOf(text, size) / 2;
      expect([x - half >= (logo?.x ?? 0) + (logo?.width ?? 0), x + half <= width]).toEqual([true, true]);
    }
    expect(texts.length).toBeGreaterThan(0);
  },
); // prettier-ignore

it('breaks a line that is higher than a page, and keeps signatures together', () => {
  const { pages } = composePrint(
    fill(
      [
        { kind: 'table', lines: 'items', columns: COLUMNS },
        { kind: 'signatures', parties: [{ label: 'SELLER', name: '{name}' }] },
      ],
      { name: a('FOUNDERS LTD') },
      [{ name: a('word '.repeat(3000)), amount: a('1', 'money') }],
    ),
    { font: FONT, foot: '' },
  );
  expect(pages.length).toBeGreaterThan(2);
  expect(textsOf(pages.at(-1))).toEqual(expect.arrayContaining(['SELLER', 'FOUNDERS LTD']));
});

it('prints □ for what the font does not have, and tells', () => {
  const print = composePrint(fill([{ kind: 'text', lines: ['㐀鿿𠀀 ok'] }], {}), { font: FONT, foot: '' });
  expect(print.missing).toEqual(['鿿']);
  expect(textsOf(print.pages[0])[0]).toBe('㐀□𠀀 ok');
});

it.each([
  ['one two three', 7, ['one two', 'three']],
  ['一二三四五', 6, ['一二三', '四五']],
  ['Qty 数量', 7, ['Qty', '数量']],
  ['一二三；四（五）', 6, ['一二', '三；四', '（五）']],
  ['ab，一二', 4, ['ab，', '一二']],
  ['abcdefghij', 4, ['abcd', 'efgh', 'ij']],
  ['a\n\nb', 4, ['a', '', 'b']],
  ['', 4, ['']],
] as const)('%j in a width of %i', (text, width, lines) => {
  const widthOf = (part: string) => [...part].reduce((sum, one) => sum + (one < '\u2000' ? 1 : 2), 0);
  expect(wrapText(text, width, widthOf)).toEqual(lines);
});

it('signs with whom an approval says, before the parties that sign by hand', () => {
  const block: PrintBlock = {
    kind: 'signatures',
    approvals: 'submit',
    parties: [{ label: '出纳', name: '' }],
  };
  const { blocks } = fill([block], {}, [], 'zh');
  const plain = { hasSeal: false, stamp: null };
  expect(blocks).toEqual([
    {
      kind: 'signatures',
      parties: [
        { label: '提交', name: '张三', foot: '2026-02-09', ...plain },
        { label: '财务审核', name: '', foot: '', ...plain },
        { label: '出纳', name: '', foot: '', ...plain },
      ],
    },
  ]);
});

it('signatures do not stand on a page alone where everything a little smaller leaves them room', () => {
  const party = { label: 'THE SELLER', name: 'A', seal: true } as const;
  const lines = (count: number): PrintBlock[] =>
    Array.from({ length: count }, (_, line) => ({ kind: 'text', lines: [`${line}`] }));
  const around = { font: FONT, foot: '' };
  const pagesOf = (count: number) =>
    composePrint(fill([...lines(count), { kind: 'signatures', parties: [party] }], {}), around).pages.length;
  const plain = (count: number) => composePrint(fill(lines(count), {}), around).pages.length;
  const fitting = Array.from({ length: 80 }, (_, count) => count + 1).filter((count) => pagesOf(count) === 1);
  const most = Math.max(...fitting);
  // Of a page that its lines nearly fill the signatures are brought back; a full one has two pages.
  const apart = composePrint(fill([...lines(most), { kind: 'signatures', parties: [party] }], {}), around);
  const sizes = apart.pages
    .flat()
    .flatMap((mark) => (mark.kind === 'text' && mark.text === '0' ? [mark.size] : []));
  expect(Math.min(...sizes)).toBeLessThan(9);
  expect(Math.min(...sizes)).toBeGreaterThan(7.5);
  expect([plain(most), pagesOf(most + 1)]).toEqual([1, 2]);
});

it('a note stands above every page', () => {
  const { pages } = composePrint(
    { ...fill([{ kind: 'text', lines: ['x'] }], {}), note: '未生效，仅供核对' },
    { font: FONT, foot: '' },
  );
  const notes = pages.map(
    (page) =>
      page.filter((mark) => mark.kind === 'text' && mark.text === '未生效，仅供核对' && mark.y < 42).length,
  );
  expect(notes).toEqual([1]);
});
