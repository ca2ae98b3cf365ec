// @vitest-environment jsdom
import { createElement } from 'react';
import { createPortal, flushSync } from 'react-dom';
import { createRoot } from 'react-dom/client';
import { expect, test, vi } from 'vitest';
import type { ErpRecord, Field } from '#engine/schema/resource.ts';
import { fillDown } from '#web/fields/grid/grid-edits.ts';
import { makeGridModel } from '#web/fields/grid/grid-model.ts';
import { LineStore } from '#web/fields/grid/line-store.ts';
import type { PasteResult } from '#web/fields/grid/paste-block.ts';
import { PasteDialog } from '#web/fields/grid/paste-dialog.tsx';
import { parseBlock, planBlock } from '#web/fields/grid/pasted-block.ts';
import { useGridPaste } from '#web/fields/grid/use-grid-paste.ts';
import { useGridSelection } from '#web/fields/grid/use-grid-selection.ts';

const columns: readonly Field[] = ['a', 'b'].map((name) => ({
  ...{ name, title: name, type: 'text', required: false, standard: false, computed: false },
}));

interface Given {
  readonly isDisabled?: boolean;
  readonly lines?: readonly ErpRecord[];
  readonly text?: string;
  readonly event?: 'paste' | 'copy';
  /** The key is pressed in a dialog that the grid opened, while its first line is selected. */
  readonly isInDialog?: boolean;
}

/** Pastes into a grid, or copies from it; gives its lines, what was said, and whether the grid took the key. */
async function pasted({ isDisabled = false, lines = [], text = '1\t2\r\n3\t4', ...given }: Given) {
  const store = new LineStore({ columns, lines });
  const model = makeGridModel({
    ...{ store, columns, dictionaries: {}, services: null, isDisabled },
    ...{ resource: 'r', lines: 'l', readParent: () => ({}) },
  });
  const say = vi.fn<(result: PasteResult) => void>();
  function Grid() {
    const selection = useGridSelection({ rows: lines.length, columns: 2 });
    const select = () => selection.selectRows(0, 0);
    const paste = useGridPaste({ model, selection, max: 500, isDisabled, say, fail: () => undefined });
    const dialog = createPortal(createElement('input', { id: 'search', onFocus: select }), document.body);
    return createElement('div', { onPaste: paste.onPaste, onCopy: paste.onCopy }, dialog);
  }
  const box = document.createElement('div');
  document.body.append(box);
  const root = createRoot(box);
  flushSync(() => root.render(createElement(Grid)));
  const event = Object.assign(new Event(given.event ?? 'paste', { bubbles: true, cancelable: true }), {
    clipboardData: { getData: () => text, setData: () => undefined },
  });
  const search = document.getElementById('search');
  if (given.isInDialog === true) flushSync(() => search?.focus());
  const target = given.isInDialog === true ? search : box.firstElementChild;
  target?.dispatchEvent(event);
  // The lookups of a paste, of which there are none here, are over within a turn.
  await new Promise((resolve) => setTimeout(resolve, 0));
  root.unmount();
  return { lines: store.lines(), said: say.mock.calls, isTaken: event.defaultPrevented };
}

test('a block goes into lines that may be written', async () => {
  expect(await pasted({})).toEqual({
    lines: [expect.objectContaining({ a: '1', b: '2' }), expect.objectContaining({ a: '3', b: '4' })],
    said: [[{ rows: 2, problems: 0, locked: 0 }]],
    isTaken: true,
  });
});

test('lines that are only read take no block, and say nothing of having taken one', async () => {
  expect(await pasted({ isDisabled: true })).toEqual({ lines: [], said: [], isTaken: false });
});

test.each(['paste', 'copy'] as const)('%s in a dialog over the grid is the dialog’s own', async (event) => {
  const lines = [{ id: '1', a: 'A', b: 'B' }];
  const done = await pasted({ lines, event, text: 'AAWX202611001', isInDialog: true });
  expect(done).toEqual({ lines, said: [], isTaken: false });
});

test('a pasted column that the system writes goes nowhere, and is not called by its key', () => {
  const amount: Field = {
    ...{ required: false, standard: false, computed: true },
    name: 'amount',
    title: '金额',
    type: 'money',
  };
  const block = parseBlock('a\tb\t金额\r\n1\t2\t3\r\n');
  const box = document.createElement('div');
  const root = createRoot(box);
  const plan = planBlock(block, [...columns, amount], 'a');
  const given = { block, plan, columns, onPaste: () => undefined, onClose: () => undefined };
  flushSync(() => root.render(createElement(PasteDialog, given)));
  const chosen = [...document.querySelectorAll('.paste-preview .ant-select-selection-item')];
  expect(chosen.map(({ textContent }) => textContent)).toEqual(['a', 'b', '不粘贴']);
  root.unmount();
});

test.each([
  ['x\t数量\r\n1\t2\r\n', '没有粘贴到的必填列：商品、单位。粘贴成的新行要自己补填'],
  ['商品编号\t数量\r\nx\t2\r\n', null],
])('of %j the dialog says which required columns get nothing', (text, said) => {
  const given = { required: true, standard: false, computed: false };
  const fill = { unit: 'unit' };
  const needed: readonly Field[] = [
    { ...given, name: 'goods_id', title: '商品', type: 'reference', fill },
    { ...given, name: 'unit', title: '单位', type: 'text' },
    { ...given, name: 'quantity', title: '数量', type: 'decimal' },
    { ...given, name: 'line_no', title: '序号', type: 'integer', default: 1 },
    { ...given, required: false, name: 'x', title: 'x', type: 'text' },
  ];
  const block = parseBlock(text);
  const root = createRoot(document.createElement('div'));
  const plan = planBlock(block, needed, 'goods_id');
  const shown = { block, plan, columns: needed, onPaste: () => undefined, onClose: () => undefined };
  flushSync(() => root.render(createElement(PasteDialog, shown)));
  expect(document.querySelector('.ant-modal [role=status]')?.textContent ?? null).toBe(said);
  root.unmount();
});

test('a record that is filled down brings along what picking it fills', () => {
  const goods: Field = {
    ...{ name: 'goods_id', title: '商品', type: 'reference', to: 'goods', fill: { a: 'name_en' } },
    ...{ required: false, standard: false, computed: false },
  };
  const all = [goods, ...columns];
  const store = new LineStore({
    columns,
    lines: [
      { goods_id: 'A', a: 'LED lamp', b: '1', _labels: { goods_id: '灯' } },
      { goods_id: 'B', a: 'Cable', b: '2', _labels: { goods_id: '线' } },
    ],
  });
  const model = makeGridModel({
    ...{ store, columns: all, dictionaries: {}, services: null, isDisabled: false },
    ...{ resource: 'r', lines: 'l', readParent: () => ({}) },
  });
  fillDown(model, { range: { top: 1, bottom: 1, left: 0, right: 0 } });
  expect(store.lines()[1]).toMatchObject({
    ...{ goods_id: 'A', a: 'LED lamp', b: '2', _labels: { goods_id: '灯' } },
  });
  store.undo();
  expect(store.lines()[1]).toMatchObject({ goods_id: 'B', a: 'Cable', b: '2' });
});
