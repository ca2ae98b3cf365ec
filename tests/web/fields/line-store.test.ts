import { describe, expect, test } from 'vitest';
import type { ErpRecord, Field } from '#engine/schema/resource.ts';
import { makeGridModel } from '#web/fields/grid/grid-model.ts';
import { LineStore } from '#web/fields/grid/line-store.ts';
import { pasteBlock, pasteWords } from '#web/fields/grid/paste-block.ts';
import { parseBlock } from '#web/fields/grid/pasted-block.ts';

const column = (name: string): Field => ({
  name,
  title: name,
  type: 'text',
  required: false,
  standard: false,
  computed: false,
});
const derive = (line: ErpRecord): ErpRecord => ({
  double: typeof line['a'] === 'string' ? line['a'].repeat(2) : null,
});

function storeOf(lines: readonly ErpRecord[]): LineStore {
  return new LineStore({ columns: [column('a'), column('b'), column('double')], lines, derive });
}

describe('lines being edited', () => {
  test('five thousand pasted rows are one step back; what nobody can read is kept with its line', async () => {
    const store = new LineStore({
      columns: [column('a'), { ...column('b'), type: 'date' }, column('double')],
      derive,
    });
    const model = makeGridModel({
      ...{ store, columns: store.columns, dictionaries: {}, services: null, isDisabled: false },
      ...{ resource: 'r', lines: 'l', readParent: () => ({}) },
    });
    const rows = Array.from({ length: 5_000 }, (_, row) => `a${row}\t${row % 2 === 0 ? '2026/3/1' : '?'}`);
    const result = await pasteBlock(model, parseBlock(rows.join('\r\n')), ['a', 'b'], 0);
    expect(result).toEqual({ rows: 5_000, problems: 2_500, locked: 0 });
    expect(store.lines()[4_998]).toMatchObject({ a: 'a4998', b: '2026-03-01', double: 'a4998a4998' });
    expect(store.unread()[2_499]).toMatchObject({ index: 4_999, column: 'b' });
    store.undo();
    expect([store.lines(), store.canUndo()]).toEqual([[], false]);
    store.redo();
    expect(store.lines()[4_998]).toMatchObject({ a: 'a4998', b: '2026-03-01', double: 'a4998a4998' });
    expect([store.lines().length, store.canRedo()]).toEqual([5_000, false]);
  });

  test('a paste that could not be read is taken back with its marks, and comes again with them', async () => {
    const columns: readonly Field[] = [column('a'), { ...column('b'), type: 'date' }];
    const store = new LineStore({ columns, lines: [{ a: '1', b: '2026-03-01' }] });
    const [key = ''] = store.order();
    const model = makeGridModel({
      ...{ store, columns, dictionaries: {}, services: null, isDisabled: false },
      ...{ resource: 'r', lines: 'l', readParent: () => ({}) },
    });
    await pasteBlock(model, [['2', 'whenever']], ['a', 'b'], 0);
    expect(store.unread()).toMatchObject([{ index: 0, column: 'b' }]);
    // As the page does: read at once when the cell is woken.
    const seen: (string | null)[] = [];
    store.subscribeCell(key, 'b', () => seen.push(store.cell(key, 'b').problem));
    store.undo();
    expect([store.line(key), store.unread(), seen.at(-1)]).toEqual([{ a: '1', b: '2026-03-01' }, [], null]);
    store.redo();
    expect(store.unread()).toMatchObject([{ index: 0, column: 'b' }]);
    // Seen to, and that taken back: as unread as before.
    store.setCells([{ key, column: 'b', value: '2026-04-01' }]);
    expect(store.unread()).toEqual([]);
    store.undo();
    expect(store.unread()).toMatchObject([{ index: 0, column: 'b' }]);
  });

  test('what a cell was refused for goes with the value that is taken back', () => {
    const store = storeOf([{ a: '1' }]);
    const [key = ''] = store.order();
    store.setCells([{ key, column: 'a', value: '9' }]);
    store.setProblem(key, 'a', '最多 3');
    store.subscribeCell(key, 'a', () => store.cell(key, 'a'));
    store.undo();
    expect(store.cell(key, 'a')).toMatchObject({ value: '1', problem: null });
  });

  test('a pasted number that is none, or is not allowed, is told at once like any other cell', async () => {
    const columns: readonly Field[] = [
      { ...column('a'), type: 'decimal' },
      { ...column('b'), max: 3 },
    ];
    const store = new LineStore({ columns });
    const model = makeGridModel({
      ...{ store, columns, dictionaries: {}, services: null, isDisabled: false },
      ...{ resource: 'r', lines: 'l', readParent: () => ({}) },
    });
    const result = await pasteBlock(model, parseBlock('1,200\tabc\nabc\tlong'), ['a', 'b'], 0);
    expect(result).toEqual({ rows: 2, problems: 2, locked: 0 });
    expect(store.problems()).toMatchObject([
      { index: 1, column: 'a' },
      { index: 1, column: 'b' },
    ]);
  });

  test('a block over lines that are there and beyond them is taken back to what was', async () => {
    const store = storeOf([{ a: 'x', b: 'kept' }]);
    const model = makeGridModel({
      ...{ store, columns: store.columns, dictionaries: {}, services: null, isDisabled: false },
      ...{ resource: 'r', lines: 'l', readParent: () => ({}) },
    });
    const before = store.lines();
    await pasteBlock(model, parseBlock('1\n2\n3'), ['a'], 0);
    expect(store.lines().map(({ a, b }) => [a, b])).toEqual([
      ['1', 'kept'],
      ['2', undefined],
      ['3', undefined],
    ]);
    store.undo();
    expect(store.lines()).toEqual(before);
    store.redo();
    expect(store.lines().map(({ a }) => a)).toEqual(['1', '2', '3']);
  });

  test('what is pasted into columns that are locked is not said to have gone in, and adds no lines', async () => {
    const columns = [column('a'), column('b'), { ...column('double'), computed: true }];
    const store = new LineStore({ columns, lines: [{ a: '1', b: '2' }], derive });
    const model = makeGridModel({
      ...{ store, columns, dictionaries: {}, services: null, isDisabled: false },
      ...{ resource: 'r', lines: 'l', readParent: () => ({}), isColumnOpen: ({ name }) => name !== 'b' },
    });
    const nothing = await pasteBlock(model, parseBlock('x\ny'), ['b'], 0);
    expect([nothing, store.lines()]).toEqual([{ rows: 0, problems: 0, locked: 2 }, [{ a: '1', b: '2' }]]);
    expect(pasteWords(nothing)).toEqual({ text: '没有粘贴：这些单元格不可填写', isWhole: false });
    const part = await pasteBlock(model, parseBlock('7\tx\t77\n8\ty\t88'), ['a', 'b', 'double'], 0);
    expect(store.lines().map(({ a, b, double }) => [a, b, double])).toEqual([
      ['7', '2', '77'],
      ['8', undefined, '88'],
    ]);
    expect(pasteWords(part)).toEqual({
      text: '已粘贴 2 行，2 个单元格不可填写，未写入',
      isWhole: false,
    });
    // What the system works out comes along with every block that was copied here.
    const whole = await pasteBlock(model, parseBlock('7\t77'), ['a', 'double'], 0);
    expect(pasteWords(whole)).toEqual({ text: '已粘贴 1 行', isWhole: true });
  });

  test('an amount has the currency of its line or of the head', () => {
    const money = (name: string, currency: string) => ({ ...column(name), type: 'money' as const, currency });
    const columns = [
      money('price', 'parent.currency'),
      money('fee', 'cur'),
      money('tax', 'CNY'),
      column('a'),
    ];
    const store = new LineStore({ columns, lines: [{ cur: 'JPY' }], derive });
    const model = makeGridModel({
      ...{ store, columns, dictionaries: {}, services: null, isDisabled: false },
      ...{ resource: 'r', lines: 'l', readParent: () => ({ currency: 'KWD' }) },
    });
    const [key = ''] = store.order();
    expect(columns.map((one) => model.currencyAt(key, one))).toEqual(['KWD', 'JPY', 'CNY', undefined]);
  });

  test('a keystroke wakes its own cell and what is computed from it, no other', () => {
    const store = storeOf([{ a: '1' }, { a: '2' }]);
    const [first = '', second = ''] = store.order();
    const woken: string[] = [];
    store.subscribeCell(first, 'a', () => woken.push('a1'));
    store.subscribeCell(first, 'b', () => woken.push('b1'));
    store.subscribeCell(first, 'double', () => woken.push('double1'));
    store.subscribeCell(second, 'a', () => woken.push('a2'));
    store.setCells([{ key: first, column: 'a', value: '3' }]);
    expect(woken.sort()).toEqual(['a1', 'double1']);
    expect(store.cell(first, 'double').value).toBe('33');
  });

  test('each of several new lines has its defaults from the one above it', () => {
    const store = new LineStore({
      columns: [column('a')],
      lines: [{ a: '4' }],
      derive: () => ({}),
      newLine: (above) => ({ a: String(Number(above?.['a'] ?? '0') + 1) }),
    });
    store.append(3);
    expect(store.order().map((key) => store.line(key)['a'])).toEqual(['4', '5', '6', '7']);
  });

  test('lines are numbered as they stand while their number may be written', () => {
    let isOpen = true;
    const number: Field = { ...column('no'), type: 'integer' };
    const store = new LineStore({
      columns: [number, column('a')],
      lines: [{ no: 1 }, { no: 2 }, { no: 3 }],
      numbered: () => (isOpen ? 'no' : null),
    });
    const numbers = (): readonly unknown[] => store.lines().map((line) => line['no']);
    store.remove(store.order().slice(0, 1));
    expect(numbers()).toEqual([1, 2]);
    store.insertBlank(1);
    expect(numbers()).toEqual([1, 2, 3]);
    isOpen = false;
    store.remove(store.order().slice(1, 2));
    expect(numbers()).toEqual([1, 3]);
  });

  test('typing a word is one step back, and forth again', () => {
    const store = storeOf([{ a: 'x' }]);
    const [key = ''] = store.order();
    for (const value of ['1', '12', '123']) store.setCells([{ key, column: 'a', value }], { isTyping: true });
    store.undo();
    expect(store.cell(key, 'a').value).toBe('x');
    expect(store.canUndo()).toBe(false);
    store.redo();
    expect(store.cell(key, 'a').value).toBe('123');
    expect(store.cell(key, 'double').value).toBe('123123');
  });

  test('lines come, are copied without their identity, go, and come back', () => {
    const store = storeOf([{ id: 'one', a: '1' }]);
    const [key = ''] = store.order();
    const [copy = ''] = store.copy([key]);
    expect(store.line(copy)).toMatchObject({ a: '1', double: '11' });
    expect(store.line(copy)['id']).toBeUndefined();
    store.remove([key]);
    expect(store.lines().map((line) => line['a'])).toEqual(['1']);
    store.undo();
    expect(store.order()).toEqual([key, copy]);
  });

  test('a problem stands until its cell is written', () => {
    const store = storeOf([{ a: '1' }]);
    const [key = ''] = store.order();
    store.setProblems([{ key, column: 'a', message: '必填' }]);
    expect(store.cell(key, 'a').problem).toBe('必填');
    store.setCells([{ key, column: 'a', value: '2' }]);
    expect(store.cell(key, 'a').problem).toBeNull();
  });

  test('a cell says what refuses before what only warns', () => {
    const store = storeOf([{ a: '1' }]);
    const [key = ''] = store.order();
    const warning = { key, column: 'a', message: '低于参考价', isWarning: true };
    store.setProblems([warning]);
    expect(store.cell(key, 'a')).toMatchObject({ problem: '低于参考价', isWarning: true });
    store.setProblems([warning, { key, column: 'a', message: '必填', isWarning: false }]);
    expect(store.cell(key, 'a')).toMatchObject({ problem: '必填', isWarning: false });
    expect(store.problems()).toEqual([{ key, column: 'a', message: '必填', isWarning: false, index: 0 }]);
  });

  test('lines that come back from the server keep their cells', () => {
    const store = storeOf([{ id: 'one', a: '1' }]);
    const [key = ''] = store.order();
    store.reset([
      { id: 'one', a: '9' },
      { id: 'two', a: '2' },
    ]);
    expect(store.order()[0]).toBe(key);
    expect(store.cell(key, 'a').value).toBe('9');
  });
});
