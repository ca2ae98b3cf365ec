import { describe, expect, test } from 'vitest';
import type { Field } from '#engine/schema/resource.ts';
import { fieldText } from '#web/fields/field-text.ts';
import { blockText, cellValue, columnByTitle, parseBlock, planBlock } from '#web/fields/grid/pasted-block.ts';

const column = (name: string, title: string, type: Field['type'] = 'text'): Field => ({
  name,
  title,
  type,
  required: false,
  standard: false,
  computed: false,
});
const COLUMNS = [
  column('goods', '商品'),
  column('quantity', '数量', 'decimal'),
  column('price', '单价', 'decimal'),
];

describe('a block from a spreadsheet', () => {
  test('quoted cells keep their breaks, tabs and quotes', () => {
    expect(parseBlock('a\tb\r\n"x\ny"\t"2 ""z"""\r\n')).toEqual([
      ['a', 'b'],
      ['x\ny', '2 "z"'],
    ]);
    expect(parseBlock('a\t\n\t\n')).toEqual([
      ['a', ''],
      ['', ''],
    ]);
  });

  test('what is copied out can be pasted in', () => {
    const block = [
      ['a\tb', '"q"'],
      ['', 'x\ny'],
    ];
    expect(parseBlock(blockText(block))).toEqual(block);
  });

  test('titles in the first row decide the columns and ask for a look', () => {
    const plan = planBlock(
      [
        ['单价(USD)', '* 数量', '备注'],
        ['1', '2', 'x'],
      ],
      COLUMNS,
      'goods',
    );
    expect(plan).toEqual({ mapping: ['price', 'quantity', null], hasHeader: true, needsDialog: true });
  });

  test('a column is meant by one title: the one that is written as it is, else the first', () => {
    const titles = ['商品', '数量（箱）', '数量', '单价(USD)', '单价(RMB)'];
    const { mapping } = planBlock([titles, ['x', '20', '1000', '12.5', '90']], COLUMNS, 'goods');
    expect(mapping).toEqual(['goods', null, 'quantity', 'price', null]);
  });

  test.each([
    ['商品编号', 'goods'],
    ['商品名称', 'goods'],
    ['商品', 'goods'],
    ['商品数量', 'quantity'],
    ['总数量', 'quantity'],
    ['数量PCS', 'quantity'],
    ['数量(PCS)', 'quantity'],
    ['单价USD', 'price'],
    ['单价 美元', 'price'],
    ['包装件数', 'packages'],
    ['毛重', 'weight'],
    ['毛重KG', 'weight'],
    ['商品英文描述', undefined],
    ['采购单价', undefined],
    ['单价币种', undefined],
    ['数量编号', undefined],
    ['编号', undefined],
  ])('a spreadsheet that calls it %s means the column %s', (title, name) => {
    const columns = [
      column('goods', '商品', 'reference'),
      ...COLUMNS.slice(1),
      column('packages', '件数', 'integer'),
      column('weight', '毛重(KG)', 'decimal'),
    ];
    expect(columnByTitle(columns, title)?.name).toBe(name);
  });

  test('of two titles within one the longer is meant', () => {
    const columns = [column('a', '外销', 'reference'), column('b', '外销合同', 'reference')];
    expect(columnByTitle(columns, '外销合同编号')?.name).toBe('b');
  });

  test('without titles the columns follow the active cell; a block that is too wide asks', () => {
    expect(planBlock([['1', '2']], COLUMNS, 'quantity')).toEqual({
      mapping: ['quantity', 'price'],
      hasHeader: false,
      needsDialog: false,
    });
    expect(planBlock([['1', '2']], COLUMNS, 'price').needsDialog).toBe(true);
  });

  test('a month is no date, nor is a day that the calendar lacks', () => {
    const read = (text: string) => cellValue(column('d', '日期', 'date'), text, []);
    expect(read('2026.3.1 0:00:00')).toEqual({ value: '2026-03-01' });
    expect(read('２０２６-１２-０１')).toEqual({ value: '2026-12-01' });
    for (const text of ['2026-12', '2026/11', '2026.11', '202612', '2026121', '2026年12月', '2026-02-30'])
      expect(read(text)).toEqual({ problem: `「${text}」不是日期` });
  });

  test('times are read as the grid copies them, and by the clock of the company', () => {
    const time = column('t', '时间', 'datetime');
    const read = cellValue(time, '2026/11/20 9:05', []);
    expect(read).toEqual({ value: '2026-11-20T09:05:00+08:00' });
    expect(cellValue(time, fieldText(time, 'value' in read ? read.value : null), [])).toEqual(read);
    for (const text of ['2026-11-20 25:00', '14:05', '2026-11 14:05'])
      expect(cellValue(time, text, [])).toEqual({ problem: `「${text}」不是时间` });
  });

  test('texts become values by the type of their column', () => {
    expect(cellValue(column('d', '日期', 'date'), '2026/3/1', [])).toEqual({ value: '2026-03-01' });
    expect(cellValue(column('d', '日期', 'date'), '20260301', [])).toEqual({ value: '2026-03-01' });
    expect(cellValue(column('d', '日期', 'date'), 'x', [])).toEqual({ problem: '「x」不是日期' });
    expect(cellValue(column('q', '数量', 'decimal'), '1,200.50', [])).toEqual({ value: '1200.50' });
    expect(cellValue(column('b', '是否', 'boolean'), '√', [])).toEqual({ value: true });
    const unit = [{ value: '011', label: '件', isDisabled: false }];
    expect(cellValue(column('u', '单位', 'dictionary'), '件', unit)).toEqual({ value: '011', label: '件' });
    expect(cellValue(column('u', '单位', 'dictionary'), '桶', unit)).toEqual({
      problem: '「桶」不在可选范围内',
    });
  });
});
