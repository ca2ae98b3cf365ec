// @vitest-environment jsdom
import { createEditor, type IDomEditor, SlateTransforms } from '@wangeditor/editor';
import { beforeAll, expect, it } from 'vitest';
import { goToCell } from '#web/fields/richtext/edges.ts';
import { loadableHtml, readDocument } from '#web/fields/richtext/editor-content.ts';
import { menuConfig } from '#web/fields/richtext/editor-options.ts';
import { registerEditorModules } from '#web/fields/richtext/register-modules.ts';

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

async function editorOf(html: string, path?: readonly number[], offset = 0): Promise<IDomEditor> {
  const selector = document.createElement('div');
  document.body.append(selector);
  const editor = createEditor({ selector, html: loadableHtml(html), config: { MENU_CONF: menuConfig() } });
  await drawn();
  if (path !== undefined) SlateTransforms.select(editor, { path: [...path], offset });
  return editor;
}

function drawn(): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, 20);
  });
}
