// @vitest-environment jsdom
import { createEditor, type IDomEditor, SlateEditor, SlateTransforms } from '@wangeditor/editor';
import { beforeAll, expect, it } from 'vitest';
import { exampleTable, findChartTable, insertChart, setChart } from '#web/fields/richtext/chart-table.ts';
import { loadableHtml, readDocument } from '#web/fields/richtext/editor-content.ts';
import { registerEditorModules } from '#web/fields/richtext/register-modules.ts';

const CHART = 'title:额%3B“a"b%3A;chartType:5;dataFormat:-1';
const TABLE =
  '<table border="1"><tbody><tr><th>月</th><th>额</th></tr><tr><td>一月</td><td>3</td></tr></tbody></table>';

beforeAll(() => {
  registerEditorModules();
  // jsdom lays nothing out, so nothing is ever resized.
  globalThis.ResizeObserver ??= class {
    observe = () => undefined;
    unobserve = () => undefined;
    disconnect = () => undefined;
  };
});

it('the table around the caret is found with its text, and none where the caret is elsewhere', async () => {
  const editor = await editorOf(`${TABLE}<p>后</p>`);
  editor.select(SlateEditor.start(editor, [0, 1, 1]));
  const found = findChartTable(editor);
  expect([...(found?.table.rows ?? [])].map((row) => row.textContent)).toEqual(['月额', '一月3']);
  expect(found?.chart).toBeNull();
  editor.select(SlateEditor.start(editor, [1]));
  expect(findChartTable(editor)).toBeNull();
});

it('a chart is set, survives a new row, loading again, undo and redo, and is taken back', async () => {
  const editor = await editorOf(`${TABLE}<p>后</p>`);
  setChart(editor, [0], CHART);
  await drawn();
  SlateTransforms.insertNodes(editor, row('二月'), { at: [0, 2] });
  await drawn();
  const saved = readDocument(editor);
  expect(chartIn(saved)).toBe(CHART);
  expect(saved).toContain('<td>二月</td>');
  expect(readDocument(await editorOf(saved))).toBe(saved);
  editor.undo?.();
  editor.undo?.();
  await drawn();
  expect(chartIn(readDocument(editor))).toBeNull();
  editor.redo?.();
  await drawn();
  expect(chartIn(readDocument(editor))).toBe(CHART);
  setChart(editor, [0], null);
  await drawn();
  expect(readDocument(editor)).toContain('<table border="1">');
});

it('numbers that were edited with the chart come into the table, as one step', async () => {
  const editor = await editorOf(`<p>前</p>${TABLE}<p>后</p>`);
  const before = readDocument(editor);
  editor.select(SlateEditor.start(editor, [1, 1, 1]));
  const edited = findChartTable(editor)?.table;
  edited?.rows[1]?.cells[1]?.replaceChildren('1,500');
  edited?.rows[0]?.cells[0]?.replaceChildren('');
  setChart(editor, [1], CHART, edited);
  await drawn();
  const saved = readDocument(editor);
  expect(saved).toContain('<td>1,500</td>');
  expect(chartIn(saved)).toBe(CHART);
  expect(saved).toMatch(/<th>(?:<br>)?<\/th><th>额<\/th>/);
  editor.undo?.();
  await drawn();
  expect(readDocument(editor)).toBe(before);
});

it('the chart of a table that cannot be edited in place is changed in its HTML', async () => {
  const kept = '<table data-chart="chartType:1"><tbody><tr><td><ul><li>3</li></ul></td></tr></tbody></table>';
  const editor = await editorOf(`${kept}<p>后</p>`);
  editor.select(SlateEditor.start(editor, [0]));
  expect(findChartTable(editor)?.chart).toBe('chartType:1');
  setChart(editor, [0], CHART);
  await drawn();
  expect(chartIn(readDocument(editor))).toBe(CHART);
});

it('where there is no table an example comes behind the line, with a line after it', async () => {
  const editor = await editorOf('<p>前</p>');
  editor.select(SlateEditor.end(editor, [0]));
  insertChart(editor, CHART, exampleTable());
  await drawn();
  const saved = readDocument(editor);
  expect(saved).toMatch(/^<p>前<\/p><table [^>]*>.*<\/table><p><br><\/p>$/);
  expect(chartIn(saved)).toBe(CHART);
  expect(findChartTable(editor)?.chart).toBe(CHART);
});

function chartIn(html: string): string | null {
  const page = new DOMParser().parseFromString(html, 'text/html');
  return page.querySelector('table')?.getAttribute('data-chart') ?? null;
}

function row(text: string): never {
  const cell = { type: 'table-cell', colSpan: 1, rowSpan: 1, children: [{ text }] };
  return { type: 'table-row', children: [cell, structuredClone(cell)] } as never;
}

async function editorOf(html: string): Promise<IDomEditor> {
  const selector = document.createElement('div');
  document.body.append(selector);
  const editor = createEditor({ selector, html: loadableHtml(html) });
  await drawn();
  return editor;
}

/** The core names parents while it draws, and joins changes of one moment to one step. */
function drawn(): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, 20);
  });
}
