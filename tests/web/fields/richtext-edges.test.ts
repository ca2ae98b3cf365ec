// @vitest-environment jsdom
import { createEditor, type IDomEditor, SlateTransforms } from '@wangeditor/editor';
import { createElement } from 'react';
import { flushSync } from 'react-dom';
import { createRoot } from 'react-dom/client';
import { beforeAll, expect, it, vi } from 'vitest';
import { goToCell, setTabSize } from '#web/fields/richtext/edges.ts';
import { loadableHtml, readDocument } from '#web/fields/richtext/editor-content.ts';
import { menuConfig } from '#web/fields/richtext/editor-options.ts';
import { RichtextControl } from '#web/fields/richtext/richtext-control.tsx';
import { registerEditorModules } from '#web/fields/richtext/register-modules.ts';
import { addBeside, mergeCells } from '#web/fields/richtext/table-shape.ts';

/** The core's wrapper for React cannot be loaded outside a bundle: a bare one shows the core's editors. */
const shown = vi.hoisted(() => ({ editors: [] as IDomEditor[] }));
vi.mock('@wangeditor/editor-for-react', async () => {
  const { createEditor } = await import('@wangeditor/editor');
  const { createElement, useEffect, useRef } = await import('react');
  interface Given {
    readonly defaultHtml: string;
    readonly defaultConfig: object;
    readonly onCreated: (editor: IDomEditor) => void;
    readonly onChange: (editor: IDomEditor) => void;
  }
  function Editor({ defaultHtml, defaultConfig, onCreated, onChange }: Given) {
    const box = useRef<HTMLDivElement>(null);
    useEffect(() => {
      if (box.current === null) return;
      const config = { ...defaultConfig, onCreated, onChange };
      shown.editors.push(createEditor({ selector: box.current, html: defaultHtml, config, mode: 'simple' }));
      // Its content is set once.
      // oxlint-disable-next-line react-hooks/exhaustive-deps
    }, []);
    return createElement('div', { ref: box });
  }
  return { Editor, Toolbar: () => null };
});

beforeAll(() => {
  registerEditorModules();
  globalThis.ResizeObserver ??= class {
    observe = () => undefined;
    unobserve = () => undefined;
    disconnect = () => undefined;
  };
});

const CELLS = ['甲', '乙', '丙', '丁'] as const;
const table = (cells: readonly string[] = CELLS) =>
  `<table border="1"><tbody><tr><td>${cells[0]}</td><td>${cells[1]}</td></tr><tr><td>${cells[2]}</td><td>${cells[3]}</td></tr></tbody></table>`;
const BOX = '<div class="box"><p>框</p></div>';

it('Tab goes from cell to cell and adds a row behind the last one', async () => {
  const editor = await editorOf(`${table()}<p>后</p>`, [0, 0, 1, 0]);
  editor.handleTab();
  expect(editor.selection?.anchor.path).toEqual([0, 1, 0, 0]);
  editor.handleTab();
  editor.handleTab();
  editor.insertText('戊');
  expect(readDocument(editor)).toBe(
    `${table().replace('</tbody>', '<tr><td>戊</td><td></td></tr></tbody>')}<p>后</p>`,
  );
  goToCell(editor, -1);
  expect(editor.selection?.anchor.path).toEqual([0, 1, 1, 0]);
});

it('elsewhere Tab puts in the spaces that the options say', async () => {
  const four = await editorOf('<p>文</p>', [0, 0], 1);
  four.handleTab();
  expect(four.getText()).toBe('文    ');
  const two = await editorOf('<p>文</p>', [0, 0], 1);
  setTabSize(two, 2);
  two.handleTab();
  two.insertText(' ');
  expect(two.getText()).toBe('文   ');
});

it('a row is added below merged cells, one cell a column, formatted as the row before', async () => {
  const editor = await editorOf(
    '<table border="1"><tbody><tr><td colspan="2">甲</td></tr><tr><td style="text-align: right;">乙</td><td>丙</td></tr></tbody></table><p>后</p>',
    [0, 1, 1, 0],
  );
  editor.handleTab();
  expect(readDocument(editor)).toContain('<tr><td style="text-align: right;"></td><td></td></tr></tbody>');
});

it('Delete at the end of a cell takes nothing from behind the table', async () => {
  const editor = await editorOf(`${table()}<p>后</p>`, [0, 1, 1, 0], 1);
  editor.deleteForward('character');
  expect(readDocument(editor)).toBe(`${table()}<p>后</p>`);
});

it.each([
  ['cells of a column', [0, 0, 0, 0], [0, 1, 0, 0], table(['', '乙', '', '丁']), '<p>后文</p>'],
  ['all cells', [0, 0, 0, 0], [0, 1, 1, 0], table(['', '', '', '']), '<p>后文</p>'],
  ['cells and text behind', [0, 1, 0, 0], [1, 0], table(['甲', '乙', '', '']), '<p>文</p>'],
  ['the table and text behind', [0, 0, 0, 0], [1, 0], '', '<p>文</p>'],
] as const)('%s are deleted, what is around stays', async (_what, anchor, focus, left, behind) => {
  const editor = await editorOf(`${table()}<p>后文</p>`);
  SlateTransforms.select(editor, {
    anchor: { path: [...anchor], offset: 0 },
    focus: { path: [...focus], offset: 1 },
  });
  editor.deleteFragment();
  await drawn();
  expect(readDocument(editor)).toBe(`${left}${behind}`);
});

it('all of a document that starts with a table is typed over', async () => {
  const editor = await editorOf(`${table()}<p>后文</p>`);
  editor.selectAll();
  editor.insertText('新');
  await drawn();
  expect(readDocument(editor)).toBe('<p>新</p>');
});

it('a kept box is selected before it is deleted', async () => {
  const editor = await editorOf(`<p>前</p>${BOX}<p>后</p>`, [2, 0]);
  editor.deleteBackward('character');
  expect(readDocument(editor)).toBe(`<p>前</p>${BOX}<p>后</p>`);
  expect(editor.selection?.anchor.path).toEqual([1, 0]);
  editor.deleteBackward('character');
  expect(readDocument(editor)).toBe('<p>前</p><p>后</p>');
});

it('Enter at the start of a document that begins with a table makes room above it', async () => {
  const editor = await editorOf(`${table()}<p>后</p>`, [0, 0, 0, 0]);
  editor.insertBreak();
  editor.insertText('上');
  expect(readDocument(editor)).toBe(`<p>上</p>${table()}<p>后</p>`);
});

const SPANNED =
  '<table border="1"><tbody><tr><td rowspan="2">甲</td><td>乙</td></tr><tr><td>丙</td></tr></tbody></table><p>后</p>';

it.each([
  [
    'above',
    [0, 1, 0, 0],
    '<tr><td rowspan="3">甲</td><td>乙</td></tr><tr><td></td></tr><tr><td>丙</td></tr>',
  ],
  [
    'below',
    [0, 1, 0, 0],
    '<tr><td rowspan="2">甲</td><td>乙</td></tr><tr><td>丙</td></tr><tr><td></td><td></td></tr>',
  ],
  [
    'right',
    [0, 0, 0, 0],
    '<tr><td rowspan="2">甲</td><td></td><td>乙</td></tr><tr><td></td><td>丙</td></tr>',
  ],
  ['left', [0, 1, 0, 0], '<tr><td rowspan="2">甲</td><td></td><td>乙</td></tr><tr><td></td><td>丙</td></tr>'],
] as const)('what is added %s of a cell goes around merged ones', async (side, path, rows) => {
  const editor = await editorOf(SPANNED, path);
  addBeside(editor, side);
  await drawn();
  expect(readDocument(editor)).toContain(`<tbody>${rows}</tbody>`);
});

it.each([
  ['all of a table', [0, 1, 1, 0], '<tr><td colspan="2">甲<br>乙<br>丙<br>丁</td></tr>'],
  ['a column', [0, 1, 0, 0], '<tr><td rowspan="2">甲<br>丙</td><td>乙</td></tr><tr><td>丁</td></tr>'],
] as const)('cells that are merged (%s) keep their lines', async (_what, focus, rows) => {
  const editor = await editorOf(`${table()}<p>后</p>`);
  SlateTransforms.select(editor, {
    anchor: { path: [0, 0, 0, 0], offset: 0 },
    focus: { path: [...focus], offset: 1 },
  });
  mergeCells(editor);
  await drawn();
  expect(readDocument(editor)).toBe(`<table border="1"><tbody>${rows}</tbody></table><p>后</p>`);
});

it('Ctrl+A takes what is in the cell, then the whole document', async () => {
  const editor = await editorOf(`${table()}<p>后</p>`, [0, 0, 1, 0]);
  editor.selectAll();
  expect(editor.getSelectionText()).toBe('乙');
  editor.selectAll();
  expect(editor.selection?.focus.path).toEqual([1, 0]);
});

it('a new table takes the room that the text has, one that was written before stays', async () => {
  const editor = await editorOf('<p>文</p>');
  const cells = [
    Object.assign({ type: 'table-cell' }, { children: [{ text: '' }] }),
    Object.assign({ type: 'table-cell' }, { children: [{ text: '' }] }),
  ];
  const rows = [Object.assign({ type: 'table-row' }, { children: cells })];
  const fresh = Object.assign({ type: 'table', columnWidths: [60, 60] }, { children: rows });
  SlateTransforms.insertNodes(editor, [fresh], { at: [1] });
  expect(editor.children[1]).toHaveProperty('columnWidths', [240, 240]);
  expect(editor.children.at(-1)).toHaveProperty('type', 'paragraph');
});

async function editorOf(html: string, path?: readonly number[], offset = 0): Promise<IDomEditor> {
  const selector = document.createElement('div');
  document.body.append(selector);
  const editor = createEditor({
    selector,
    html: loadableHtml(html),
    config: { MENU_CONF: menuConfig() },
  });
  await drawn();
  if (path !== undefined) SlateTransforms.select(editor, { path: [...path], offset });
  return editor;
}

function drawn(): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, 20);
  });
}

it('a value that somebody else wrote takes the place of the document, and nothing is written over it', async () => {
  const box = document.createElement('div');
  document.body.append(box);
  const root = createRoot(box);
  const tell = vi.fn<(value: unknown) => void>();
  const field = { name: 'c', title: '正文', type: 'richtext' } as const;
  const traits = { required: false, standard: false, computed: false };
  const show = (value: string) =>
    flushSync(() =>
      root.render(createElement(RichtextControl, { field: { ...field, ...traits }, value, onChange: tell })),
    );
  const holds = (text: string) =>
    vi.waitFor(() => expect(box.querySelector('[data-slate-editor]')?.textContent).toBe(text));
  const write = (text: string) => {
    const editor = shown.editors.at(-1);
    if (editor !== undefined) SlateTransforms.insertText(editor, text, { at: { path: [0, 0], offset: 0 } });
  };
  show('<p>stored</p>');
  await holds('stored');
  // The count stands there when the editor hears of changes.
  await vi.waitFor(() => expect(box.textContent).toContain('当前已输入6个字'));
  write('my ');
  await vi.waitFor(() => expect(tell.mock.calls).toEqual([['<p>my stored</p>']]));
  show('<p>my stored</p>');
  expect(shown.editors.length).toBe(1);
  write('of ');
  show('<p>theirs</p>');
  await holds('theirs');
  show('<p>my stored</p>');
  await holds('my stored');
  root.unmount();
  expect(tell.mock.calls).toEqual([['<p>my stored</p>']]);
});
