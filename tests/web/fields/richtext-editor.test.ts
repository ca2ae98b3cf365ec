// @vitest-environment jsdom
import { createEditor, SlateTransforms } from '@wangeditor/editor';
import { beforeAll, expect, it } from 'vitest';
import { loadableHtml, readDocument, replaceDocument } from '#web/fields/richtext/editor-content.ts';
import { menuConfig } from '#web/fields/richtext/editor-options.ts';
import { registerEditorModules } from '#web/fields/richtext/register-modules.ts';
import { cleanPaste } from '#web/fields/richtext/paste/clean-paste.ts';
import { tabularHtml } from '#web/fields/richtext/paste/tabular-text.ts';
import { findMatches } from '#web/fields/richtext/search-text.ts';
import { setProperties } from '#web/fields/richtext/set-properties.ts';
import { OFFICE_PASTES } from './office-pastes.ts';
import { CORPUS, EDITABLE } from './richtext-corpus.ts';

beforeAll(() => {
  registerEditorModules();
  // jsdom lays nothing out, so nothing is ever resized.
  globalThis.ResizeObserver ??= class {
    observe = () => undefined;
    unobserve = () => undefined;
    disconnect = () => undefined;
  };
});

it('the corpus has the sixty documents it should', () => expect(CORPUS.length).toBeGreaterThanOrEqual(60));

it.each(CORPUS.map((html) => [html.slice(0, 80), html]))(
  'a document comes back as it was loaded: %s',
  async (_start, html) => {
    const saved = readDocument(await editorOf(html));
    expect(saved).toBe(html);
  },
);

it.each(EDITABLE.map((html) => [html.slice(0, 80), html]))(
  'a document stays editable and comes back as it was: %s',
  async (_start, html) => {
    const editor = await editorOf(html);
    expect(JSON.stringify(editor.children)).not.toContain('kept-block');
    expect(JSON.stringify(editor.children)).not.toContain('kept-inline');
    expect(readDocument(editor)).toBe(html);
  },
);

it('edited text keeps what the core knows nothing of, and a style that the author changes wins', async () => {
  const editor = await editorOf(`${EDITABLE[3]}<p>后</p>`);
  SlateTransforms.insertText(editor, '新', { at: { path: [0, 0, 0, 0], offset: 1 } });
  setProperties(editor, { textAlign: 'left' }, { at: [0, 0, 1] });
  expect(readDocument(editor)).toBe(
    '<table border="1"><colgroup><col style="width: 72pt;"><col width="80"></colgroup><tbody><tr style="height: 14.4pt;"><td valign="top" align="right">甲新</td><td style="text-align: left; width: 50%; padding: 3px;">乙</td></tr></tbody></table><p>后</p>',
  );
});

it('columns that the author resizes are written anew, marks from outside are not believed', async () => {
  const editor = await editorOf(`${EDITABLE[0]}<p>后</p>`);
  setProperties(editor, { columnWidths: [100, 140.4] }, { at: [0] });
  expect(readDocument(editor)).toBe(
    '<table border="1"><colgroup><col width="100"><col width="140"></colgroup><tbody><tr><td>甲</td><td>乙</td></tr></tbody></table><p>后</p>',
  );
  const forged = `<p data-kept='{"onclick":"alert(1)","style":"position:fixed"}' data-widths="1">甲</p>`;
  expect(readDocument(await editorOf(forged))).toBe('<p>甲</p>');
});

it('a plain table is edited in place; text, spans and colours survive, and the second pass changes nothing', async () => {
  const html =
    '<table border="1"><tbody><tr><td colspan="2" style="background-color: rgb(255, 0, 0);">甲</td></tr><tr><td>乙</td><td>丙</td></tr></tbody></table><p>后</p>';
  const once = readDocument(await editorOf(html));
  const { body } = new DOMParser().parseFromString(once, 'text/html');
  expect([...body.querySelectorAll('td')].map((cell) => cell.textContent)).toEqual(['甲', '乙', '丙']);
  expect(body.querySelector('td')?.getAttribute('colspan')).toBe('2');
  expect(body.querySelector('td')?.style.backgroundColor).toBe('rgb(255, 0, 0)');
  expect(body.querySelector('table')?.getAttribute('border')).toBe('1');
  expect(readDocument(await editorOf(once))).toBe(once);
});

it('a document that starts with a table replaces another one whole', async () => {
  const editor = await editorOf('<p>旧</p><p>文</p>');
  replaceDocument(editor, '<table border="0"><tbody><tr><td>新</td></tr></tbody></table><p>完</p>');
  await drawn();
  expect(readDocument(editor)).toBe('<table border="0"><tbody><tr><td>新</td></tr></tbody></table><p>完</p>');
});

it.each([
  [
    'Word list',
    '<!--StartFragment--><p class=MsoListParagraph style="mso-list:l0 level1 lfo1"><![if !supportLists]><span>·</span><![endif]>甲</p><p class=MsoListParagraph style="mso-list:l0 level2 lfo1">乙</p><!--EndFragment-->',
    '<ul><li>甲<ul><li>乙</li></ul></li></ul>',
  ],
  [
    'Word bullets after numbers',
    '<!--StartFragment--><p style="mso-list:l0 level1 lfo1"><!--[if !supportLists]--><span>1.&nbsp;</span><!--[endif]-->甲</p><p style="mso-list:l1 level1 lfo2"><!--[if !supportLists]--><span>·</span><!--[endif]-->乙</p><!--EndFragment-->',
    '<ol><li>甲</li></ol><ul><li>乙</li></ul>',
  ],
  [
    'Word paragraph',
    '<p class=MsoNormal style="mso-pagination:none;text-align:center"><span lang=EN-US style="font-family:宋体;mso-ansi-language:EN-US">FOB</span><o:p></o:p></p>',
    '<p style="text-align: center;"><span style="font-family: SimSun;">FOB</span></p>',
  ],
  [
    'Excel cells',
    '<html><body><table border=0 cellpadding=0 width=144><!--StartFragment--><col width=72><tr height=20><td class=xl65 style="height:14.4pt;width:54pt">品名</td><td x:num>12</td></tr><!--EndFragment--></table></body></html>',
    '<table border="1"><colgroup><col width="72"></colgroup><tbody><tr><td>品名</td><td>12</td></tr></tbody></table>',
  ],
  [
    'WPS cell paragraphs',
    '<table><tbody><tr><td><p class=p0>一</p><p class=p0>二</p></td></tr></tbody></table>',
    '<table border="1"><tbody><tr><td>一<br>二</td></tr></tbody></table>',
  ],
  ['script', '<div><p onclick="x()">甲<script>alert(1)</script></p></div>', '<p>甲</p>'],
])('what %s brings is cleaned', (_source, pasted, clean) => expect(cleanPaste(pasted).html).toBe(clean));

it.each([
  ['品名\t数量\n螺丝\t10\n', '<td>品名</td><td>数量</td></tr><tr><td>螺丝</td><td>10</td>'],
  ['一行\t有制表符', 'none'],
  ['甲\t乙\t丙', '<td>甲</td><td>乙</td><td>丙</td>'],
  ['"两\n行"\t1\t2\n短\t3', '<td>两<br>行</td><td>1</td><td>2</td></tr><tr><td>短</td><td>3</td><td></td>'],
  ['长短\t不一\n只有一格', 'none'],
])('text with tabs is a table where every line has as many: %j', (text, cells) => {
  const table = tabularHtml(text)?.replace(/<td[^>]*>/g, '<td>') ?? 'none';
  expect(table).toContain(cells);
});

it.each(OFFICE_PASTES.map((paste) => [paste.source, paste] as const))(
  'what is pasted from %s is cleaned, stays editable and comes back as it was kept',
  async (_source, { html, kept, lost: said = [] }) => {
    const { html: cleaned, lost } = cleanPaste(html);
    expect(cleaned).toBe(kept);
    expect(lost).toEqual(said);
    const editor = await editorOf(kept);
    const boxes = JSON.stringify(editor.children).split('kept-block').length - 1;
    expect(boxes).toBe(kept.split('pagebreak').length - 1);
    const once = readDocument(editor);
    expect(readDocument(await editorOf(once))).toBe(once);
  },
);

it('a search finds text that goes across marks, and overlaps are counted once', async () => {
  const editor = await editorOf('<p>提<strong>单提</strong>单</p><ul><li>提单</li></ul>');
  expect(findMatches(editor.children, '提单', false)).toEqual([
    { anchor: { path: [0, 0], offset: 0 }, focus: { path: [0, 1], offset: 1 } },
    { anchor: { path: [0, 1], offset: 1 }, focus: { path: [0, 2], offset: 1 } },
    { anchor: { path: [1, 0], offset: 0 }, focus: { path: [1, 0], offset: 2 } },
  ]);
  expect(findMatches(editor.children, '', false)).toEqual([]);
});

async function editorOf(html: string) {
  const selector = document.createElement('div');
  document.body.append(selector);
  const editor = createEditor({ selector, html: loadableHtml(html), config: { MENU_CONF: menuConfig() } });
  await drawn();
  return editor;
}

/** The core names parents while it draws, which lists are written by. */
function drawn(): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, 20);
  });
}
