import { type Declarations, pixelsOf, readDeclarations } from './style-text.ts';

/** Tables of a paste: a border of 1, columns with their widths in a group of their own, cells of lines only. */
export function tidyTables(body: HTMLElement): readonly string[] {
  const lost: string[] = [];
  for (const cell of body.querySelectorAll<HTMLElement>('td, th')) {
    if (cell.querySelector('table') !== null) lost.push('表格中的表格（只能在源码中修改）');
    else lineBlocks(cell);
  }
  for (const table of body.querySelectorAll('table')) plainTable(table);
  return lost;
}

/** The core's cells hold lines only: headings become strong lines, items lines with their sign. */
function lineBlocks(cell: HTMLElement): void {
  for (const list of [...cell.querySelectorAll('ul, ol')].toReversed()) {
    const start = Number(list.getAttribute('start') ?? 1);
    for (const [place, item] of [...list.children].entries()) {
      const sign = list.localName === 'ol' ? `${start + place}. ` : '• ';
      // What an inner list became stands behind the item's own text.
      const inner = [...item.children].filter(({ localName }) => localName === 'p');
      const line = cell.ownerDocument.createElement('p');
      for (const one of inner) one.remove();
      line.append(sign, ...item.childNodes);
      list.before(line, ...inner);
    }
    list.remove();
  }
  for (const heading of cell.querySelectorAll('h1, h2, h3, h4, h5, h6, blockquote, pre')) {
    const line = cell.ownerDocument.createElement('p');
    const holder = cell.ownerDocument.createElement('strong');
    if (heading.localName.startsWith('h')) line.append(holder);
    (heading.localName.startsWith('h') ? holder : line).append(...heading.childNodes);
    heading.replaceWith(line);
  }
  for (const rule of cell.querySelectorAll('hr')) rule.remove();
}

function plainTable(table: HTMLTableElement): void {
  table.setAttribute('border', '1');
  const said = [...table.querySelectorAll('col')].filter(
    (column) => column.closest('table') === table && column.hasAttribute('width'),
  );
  const group = table.ownerDocument.createElement('colgroup');
  for (const column of said) {
    const plain = table.ownerDocument.createElement('col');
    for (const name of ['width', 'span']) {
      const value = column.getAttribute(name);
      if (value !== null) plain.setAttribute(name, value);
    }
    group.append(plain);
  }
  if (said.length === 0)
    for (const width of widthsOfCells(table)) {
      const plain = table.ownerDocument.createElement('col');
      plain.setAttribute('width', String(width));
      group.append(plain);
    }
  for (const column of table.querySelectorAll('col, colgroup')) column.remove();
  for (const cell of table.querySelectorAll('td, th')) cell.removeAttribute('width');
  if (group.children.length > 0) table.prepend(group);
}

/** The widths of the first row whose cells all say theirs and cover one column each; none where no row does. */
function widthsOfCells(table: HTMLTableElement): readonly number[] {
  const count = Math.max(
    0,
    ...[...table.rows].map((row) => [...row.cells].reduce((sum, { colSpan }) => sum + colSpan, 0)),
  );
  for (const row of table.rows) {
    const widths = [...row.cells].flatMap((cell) => pixelsOf(cell.getAttribute('width')) ?? []);
    if (widths.length === count && row.cells.length === count && widths.every((width) => width > 0))
      return widths;
  }
  return [];
}

/** The width that an element says in its attribute or its style, in pixels as text; null where it says none. */
export function saidWidth(element: Element, declared?: Declarations): string | null {
  const style = declared ?? readDeclarations(element.getAttribute('style') ?? '');
  const px = pixelsOf(element.getAttribute('width')) ?? pixelsOf(style.get('width'));
  return px === null || px <= 0 ? null : String(px);
}
