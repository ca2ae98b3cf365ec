// @vitest-environment jsdom
import { createEditor, type IDomEditor, SlateTransforms } from '@wangeditor/editor';
import { beforeAll, expect, it } from 'vitest';
import {
  insertDocument,
  loadableHtml,
  readDocument,
  replaceDocument,
} from '#web/fields/richtext/editor-content.ts';
import { menuConfig } from '#web/fields/richtext/editor-options.ts';
import { limitHistory } from '#web/fields/richtext/history.ts';
import { insertBlocks } from '#web/fields/richtext/insert-nodes.ts';
import { ownFragment, plainParagraphs } from '#web/fields/richtext/own-clipboard.ts';
import { registerEditorModules } from '#web/fields/richtext/register-modules.ts';

beforeAll(() => {
  registerEditorModules();
  globalThis.ResizeObserver ??= class {
    observe = () => undefined;
    unobserve = () => undefined;
    disconnect = () => undefined;
  };
});

const TABLE = '<table border="1"><tbody><tr><td>甲</td><td></td></tr></tbody></table><p>后</p>';

it.each([
  ['an empty cell', TABLE, [0, 0, 1, 0], 0, '<p>一</p><p><strong>二</strong></p>', TABLE.replace('<td></td>', '<td>一<br><strong>二</strong></td>')], // prettier-ignore
  ['a cell with text', TABLE, [0, 0, 0, 0], 1, '<p>一</p>', TABLE.replace('甲', '甲一')],
  ['a line of code', '<pre><code>ab</code></pre><p>后</p>', [0, 0, 0], 1, '<p>一</p><ul><li>二</li></ul>', '<pre><code>a一\n二b</code></pre><p>后</p>'], // prettier-ignore
  ['the middle of a line', '<p>前后</p>', [0, 0], 1, '<p><em>一</em></p>', '<p>前<em>一</em>后</p>'],
  [
    'the middle of a line, two paragraphs',
    '<p>前后</p>',
    [0, 0],
    1,
    '<p>一</p><p>二</p>',
    '<p>前一</p><p>二后</p>',
  ],
  [
    'the middle of a line, blocks',
    '<p>前后</p>',
    [0, 0],
    1,
    '<h2>一</h2><p>二</p>',
    '<p>前</p><h2>一</h2><p>二后</p>',
  ],
  [
    'the end of a line',
    '<p>前</p>',
    [0, 0],
    1,
    '<ul><li>一</li><li>二</li></ul>',
    '<p>前</p><ul><li>一</li><li>二</li></ul>',
  ],
  ['an empty paragraph', '<p><br></p><p>后</p>', [0, 0], 0, '<h2>一</h2>', '<h2>一</h2><p>后</p>'],
  ['an empty list item', '<ul><li></li></ul>', [0, 0], 0, '<p>一</p>', '<ul><li>一</li></ul>'],
  ['a kept box', '<div class="a"><p>框</p></div><p>后</p>', [0, 0], 0, '<p>一</p>', '<div class="a"><p>框</p></div><p>一</p><p>后</p>'], // prettier-ignore
] as const)('what is pasted into %s breaks nothing', async (_where, html, path, offset, pasted, expected) => {
  const editor = await editorOf(html);
  SlateTransforms.select(editor, { path: [...path], offset });
  insertDocument(editor, pasted);
  await drawn();
  expect(readDocument(editor)).toBe(expected);
});

it.each([
  '<p style="text-align: center; margin-top: 10px;">一<strong>二</strong><span style="letter-spacing: 2px;">三</span></p>',
  '<ol start="3" type="a"><li>一<ul><li>二</li></ul></li><li>三</li></ol>',
  '<table border="2"><caption>报价</caption><tbody><tr><td colspan="2" bgcolor="#ffff00">一</td></tr><tr><td>二</td><td>三</td></tr></tbody></table><p>后</p>',
  '<table data-chart="chartType:4;title:甲"><tbody><tr><th>月</th></tr><tr><td>1</td></tr></tbody></table><p>后</p>',
  '<p>图<img src="/erp/api/files/1" alt="箱单" style="float: left;">尾<a name="x"></a><a href="https://e.cn/">接</a></p>',
  '<div class="box"><p>框</p></div><hr class="pagebreak"><pre><code class="language-sql">a\nb</code></pre><p>后</p>',
])('what is copied in one editor stands the same in another: %s', async (html) => {
  const from = await editorOf(html);
  const to = await editorOf('<p><br></p>');
  SlateTransforms.select(to, { path: [0, 0], offset: 0 });
  insertBlocks(to, ownFragment(clipboardOf(from.children)) ?? []);
  await drawn();
  expect(readDocument(to).replace(/<p><br><\/p>$/, '')).toBe(html);
});

it('a forged clipboard brings no script', async () => {
  const nodes = ownFragment(
    clipboardOf([
      {
        type: 'kept-block',
        html: '<img src=x onerror="alert(1)"><script>alert(1)</script>',
        children: [{ text: '' }],
      },
      { type: 'script', children: [{ text: '文' }] },
      { type: 'link', url: 'javascript:alert(1)', children: [{ text: '点' }] },
      {
        type: 'paragraph',
        kept: '{"onclick":"alert(1)","style":"position:fixed;color:red"}',
        children: [{ text: '段' }],
      },
    ]),
  );
  expect(JSON.stringify(nodes)).not.toMatch(/alert|script|position/);
  expect(JSON.stringify(nodes)).toContain('文');
  expect(ownFragment({ getData: () => '%%%' })).toBeNull();
});

it('lines of plain text are paragraphs, in a cell they stay in it', async () => {
  const editor = await editorOf(TABLE);
  SlateTransforms.select(editor, { path: [0, 0, 1, 0], offset: 0 });
  insertBlocks(editor, plainParagraphs('一\r\n二\n'));
  expect(readDocument(editor)).toBe(TABLE.replace('<td></td>', '<td>一<br>二</td>'));
});

it('a task comes back as a task', async () => {
  const html = '<div><input type="checkbox" disabled="" checked="">办<strong>单</strong></div><p>后</p>';
  const editor = await editorOf(html);
  expect(editor.children[0]).toMatchObject({ type: 'todo', checked: true });
  expect(readDocument(editor)).toBe(html);
});

it('another document may be shorter than the place of the caret that is restored', async () => {
  const editor = await editorOf('<p>一</p><p>二</p><p>三</p>');
  SlateTransforms.select(editor, { path: [2, 0], offset: 1 });
  await drawn();
  replaceDocument(editor, '<p>新</p>');
  expect(() => editor.select({ path: [2, 0], offset: 1 })).not.toThrow();
  expect(() =>
    editor.select({ anchor: { path: [2, 0], offset: 1 }, focus: { path: [2, 0], offset: 1 } }),
  ).not.toThrow();
  expect(editor.selection?.anchor.path).toEqual([0, 0]);
});

it('text of an input method, put in right after a move of the caret, is a state of its own', async () => {
  const editor = await editorOf('<p>前</p>');
  limitHistory(editor, { states: 20, inputs: 20 });
  replaceDocument(editor, '<p>新</p>');
  await drawn();
  SlateTransforms.select(editor, { path: [0, 0], offset: 1 });
  editor.insertText('你好');
  await drawn();
  editor.undo?.();
  expect(readDocument(editor)).toBe('<p>新</p>');
  editor.undo?.();
  expect(readDocument(editor)).toBe('<p>前</p>');
});

function clipboardOf(nodes: readonly object[]) {
  return { getData: () => btoa(encodeURIComponent(JSON.stringify(nodes))) };
}

async function editorOf(html: string): Promise<IDomEditor> {
  const selector = document.createElement('div');
  document.body.append(selector);
  const editor = createEditor({ selector, html: loadableHtml(html), config: { MENU_CONF: menuConfig() } });
  await drawn();
  return editor;
}

function drawn(): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, 20);
  });
}
