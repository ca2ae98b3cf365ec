import {
  createEditor,
  type IDomEditor,
  SlateEditor,
  SlateElement,
  SlateTransforms,
} from '@wangeditor/editor';
import { cleanHtml } from '../richtext-view.tsx';
import { rawText } from '../charts/table-grid.ts';
import { keptOf } from './attribute-module.ts';
import { chartOf } from './chart-module.ts';
import { loadableHtml } from './editor-content.ts';
import { menuConfig } from './editor-options.ts';
import { parseKept } from './kept-attributes.ts';
import { fromEditorHtml } from './kept-html.ts';
import { keptHtml } from './kept-module.ts';
import { setProperties } from './set-properties.ts';

/** A table of the document that a chart is drawn of. */
export interface ChartTable {
  readonly path: number[];
  /** A copy of the table, for reading. */
  readonly table: HTMLTableElement;
  /** Its `data-chart`, null when it is no chart yet. */
  readonly chart: string | null;
}

/** The table around the caret, or around where it was before a menu took it; null when there is none. */
export function findChartTable(editor: IDomEditor): ChartTable | null {
  if (editor.selection === null) editor.restoreSelection();
  if (editor.selection === null) return null;
  for (const [node, path] of SlateEditor.levels(editor, { at: editor.selection, reverse: true })) {
    if (!SlateElement.isElement(node)) continue;
    const kept = keptHtml(node);
    const isTable = 'type' in node && node.type === 'table';
    if (!isTable && kept === null) continue;
    const table = tableOf(kept ?? nodeHtml(node));
    if (table !== null)
      return { path, table, chart: kept === null ? chartOf(node) : table.getAttribute('data-chart') };
  }
  return null;
}

/**
 * Makes a table a chart, or none again with null; one step that can be undone. The texts of an edited copy of the table
 * come into its cells.
 */
export function setChart(
  editor: IDomEditor,
  path: number[],
  chart: string | null,
  edited?: HTMLTableElement,
): void {
  const [node] = SlateEditor.node(editor, path);
  const kept = keptHtml(node);
  if (kept !== null) {
    setProperties(editor, { html: withChart(kept, chart, edited) }, { at: path });
    return;
  }
  // A table made here has its border without a mark; with one, the mark says it.
  const { 'data-chart': _old, ...others } = keptOf(node) === '' ? { border: '1' } : parseKept(keptOf(node));
  const marks = chart === null ? others : { ...others, 'data-chart': chart };
  setProperties(editor, { kept: JSON.stringify(marks) }, { at: path });
  if (edited !== undefined && SlateElement.isElement(node)) writeTexts(editor, path, node, edited);
}

/** Cell by cell: a table that is put in anew is measured by the core, which would be a step of its own. */
function writeTexts(editor: IDomEditor, path: number[], node: SlateElement, edited: HTMLTableElement): void {
  const before = tableOf(nodeHtml(node));
  for (const [y, row] of node.children.entries()) {
    if (!SlateElement.isElement(row)) continue;
    const shown = [...row.children.entries()].filter(
      ([, cell]) => !('hidden' in cell && cell.hidden === true),
    );
    for (const [index, [x]] of shown.entries()) {
      const text = textAt(edited, y, index);
      if (text === textAt(before, y, index)) continue;
      SlateTransforms.insertText(editor, text, { at: SlateEditor.range(editor, [...path, y, x]) });
    }
  }
}

function textAt(table: HTMLTableElement | null, y: number, index: number): string {
  const cell = table?.rows[y]?.cells[index];
  return cell === undefined ? '' : rawText(cell);
}

function nodesOf(table: HTMLTableElement): IDomEditor['children'] {
  const { children } = createEditor({
    html: loadableHtml(table.outerHTML),
    config: { MENU_CONF: menuConfig() },
  });
  return children.filter((node) => 'type' in node && node.type === 'table');
}

/** The table that a chart starts with where there is none. */
export function exampleTable(): HTMLTableElement {
  const table = tableOf(EXAMPLE);
  return table ?? document.createElement('table');
}

/** Puts a new table with its chart behind the block that the caret is in. */
export function insertChart(editor: IDomEditor, chart: string, table: HTMLTableElement): void {
  editor.restoreSelection();
  table.setAttribute('data-chart', chart);
  const nodes = nodesOf(table);
  const at = editor.selection?.focus.path[0] ?? editor.children.length - 1;
  SlateEditor.withoutNormalizing(editor, () => {
    const isLast = at >= editor.children.length - 1;
    // The caret needs a line behind the last table.
    if (isLast)
      SlateTransforms.insertNodes(editor, { type: 'paragraph', children: [{ text: '' }] } as never, {
        at: [at + 1],
      });
    SlateTransforms.insertNodes(editor, nodes, { at: [at + 1] });
  });
  SlateTransforms.select(editor, SlateEditor.start(editor, [at + 1]));
}

const EXAMPLE = [
  '<table border="1"><tbody>',
  '<tr><th>月份</th><th>出口额</th><th>进口额</th></tr>',
  '<tr><td>一月</td><td>120</td><td>80</td></tr>',
  '<tr><td>二月</td><td>150</td><td>95</td></tr>',
  '<tr><td>三月</td><td>180</td><td>110</td></tr>',
  '<tr><td>四月</td><td>165</td><td>105</td></tr>',
  '</tbody></table>',
].join('');

function nodeHtml(node: SlateElement): string {
  const copy = createEditor({ content: [structuredClone(node)], config: { MENU_CONF: menuConfig() } });
  return cleanHtml(fromEditorHtml(copy.getHtml()));
}

function tableOf(html: string): HTMLTableElement | null {
  return new DOMParser().parseFromString(html, 'text/html').querySelector('table');
}

function withChart(html: string, chart: string | null, edited?: HTMLTableElement): string {
  const { body } = new DOMParser().parseFromString(html, 'text/html');
  if (edited !== undefined) body.querySelector('table')?.replaceWith(edited.cloneNode(true));
  const table = body.querySelector('table');
  if (chart === null) table?.removeAttribute('data-chart');
  else table?.setAttribute('data-chart', chart);
  return body.innerHTML;
}
