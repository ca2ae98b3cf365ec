import { KEPT, type KeptAttributes, markElement, parseKept } from './kept-attributes.ts';

/**
 * Tables on their way through the editor's core, which knows rows, cells, spans and column widths in pixels. Caption,
 * sections and the columns as they were written travel as notes of the mark.
 */

/** True when every cell holds lines of text only: anything else would be flattened. */
export function isEditableTable(table: Element, holdsInline: (cell: Element) => boolean): boolean {
  if (table.querySelector('table, caption *') !== null) return false;
  const odd = [...table.children].some(
    ({ localName }) => !/^(?:caption|colgroup|thead|tbody|tfoot)$/.test(localName),
  );
  const bodies = table.querySelectorAll(':scope > tbody').length;
  const order = [...table.children].map(({ localName }) => localName).join(' ');
  if (odd || bodies !== 1 || !/^(?:caption ?)?(?:colgroup ?)?(?:thead ?)?tbody(?: tfoot)?$/.test(order))
    return false;
  if ([...table.querySelectorAll('thead, tbody, tfoot, caption')].some((part) => part.attributes.length > 0))
    return false;
  return [...table.querySelectorAll('td, th')].every(holdsInline) && table.querySelector('td, th') !== null;
}

/** Makes a table one that the core reads without loss. */
export function markTable(table: HTMLElement): void {
  const caption = table.querySelector(':scope > caption');
  const group = table.querySelector(':scope > colgroup');
  for (const cell of table.querySelectorAll<HTMLElement>('td, th')) markElement(cell);
  for (const row of table.querySelectorAll<HTMLElement>('tr')) {
    const section = row.parentElement?.localName;
    markElement(row, section === undefined || section === 'tbody' ? {} : { '#section': section });
  }
  const widths = columnWidths(table, group);
  const isFull = table.style.width === '100%' || table.getAttribute('width') === '100%';
  markElement(table, {
    '#widths': widths.join(','),
    ...(caption === null ? {} : { '#caption': caption.textContent }),
    ...(group === null ? {} : { '#columns': group.outerHTML }),
  });
  if (isFull) table.style.width = '100%';
  caption?.remove();
  group?.remove();
  for (const part of [...table.querySelectorAll(':scope > thead, :scope > tfoot')])
    part.replaceWith(...part.childNodes);
  const columns = table.ownerDocument.createElement('colgroup');
  columns.innerHTML = widths.map((width) => `<col width="${width}">`).join('');
  table.prepend(columns);
}

/** The core's table as it is stored: `table[data-widths]` with rows inside one body. */
export function restoreTable(table: HTMLElement): void {
  const kept = parseKept(table.getAttribute(KEPT));
  const widths = table.getAttribute('data-widths') ?? '';
  table.removeAttribute('data-widths');
  restoreFullWidth(table, kept);
  const body = table.querySelector('tbody');
  if (body !== null) restoreSections(table, body);
  if (kept['#columns'] !== undefined && kept['#widths'] === widths) prependHtml(table, kept['#columns']);
  else if (kept['#widths'] !== widths) prependHtml(table, columnsHtml(widths));
  if (kept['#caption'] !== undefined) {
    const caption = table.ownerDocument.createElement('caption');
    caption.textContent = kept['#caption'];
    table.prepend(caption);
  }
}

/** Full width said by the attribute stays an attribute; when the author took it back, both forms go. */
function restoreFullWidth(table: HTMLElement, kept: KeptAttributes): void {
  if (kept['width'] !== '100%') return;
  const isFull = table.style.width === '100%';
  if (isFull && kept['style'] === undefined) table.removeAttribute('style');
  const { width: _width, ...others } = kept;
  if (!isFull) table.setAttribute(KEPT, JSON.stringify(others));
}

function restoreSections(table: HTMLElement, body: Element): void {
  for (const section of ['thead', 'tfoot'] as const) {
    const rows = [...body.children].filter(
      (row) => parseKept(row.getAttribute(KEPT))['#section'] === section,
    );
    if (rows.length === 0) continue;
    const part = table.ownerDocument.createElement(section);
    part.append(...rows);
    if (section === 'thead') body.before(part);
    else body.after(part);
  }
}

function columnsHtml(widths: string): string {
  const columns = widths.split(',').filter((width) => /^\d+(?:\.\d+)?$/.test(width));
  return `<colgroup>${columns.map((width) => `<col width="${Math.round(Number(width))}">`).join('')}</colgroup>`;
}

function prependHtml(table: HTMLElement, html: string): void {
  // Parsed inside a table: a column has no place anywhere else.
  const holder = table.ownerDocument.createElement('table');
  holder.innerHTML = html;
  table.prepend(...holder.childNodes);
}

const PX_PER_SIGN = 14;
const CELL_PADDING = 22;
const LEAST_WIDTH = 60;
const MOST_WIDTH = 320;

/** What the columns say; where they say nothing, a guess from their text, near to what a page would make of it. */
function columnWidths(table: HTMLElement, group: Element | null): readonly number[] {
  const said = [...(group?.children ?? [])].flatMap((column) =>
    Array.from({ length: Number(column.getAttribute('span') ?? 1) || 1 }, () => pixels(column)),
  );
  const guessed: number[] = [];
  for (const row of table.querySelectorAll('tr')) {
    let at = 0;
    for (const cell of row.querySelectorAll<HTMLTableCellElement>('td, th')) {
      if (cell.colSpan === 1)
        guessed[at] = Math.max(guessed[at] ?? LEAST_WIDTH, pixels(cell) ?? textWidth(cell));
      at += cell.colSpan;
    }
    while (guessed.length < at) guessed.push(LEAST_WIDTH);
  }
  return Array.from(guessed, (width, index) => said[index] ?? width ?? LEAST_WIDTH);
}

function textWidth(cell: Element): number {
  const signs = [...cell.textContent].reduce(
    (sum, sign) => sum + ((sign.codePointAt(0) ?? 0) < 0x100 ? 0.6 : 1),
    0,
  );
  return Math.min(MOST_WIDTH, Math.max(LEAST_WIDTH, Math.round(signs * PX_PER_SIGN + CELL_PADDING)));
}

function pixels(element: Element): number | undefined {
  const kept = parseKept(element.getAttribute(KEPT));
  const style = kept['style'] ?? element.getAttribute('style') ?? '';
  const text =
    /(?:^|;)\s*width\s*:\s*([\d.]+(?:px|pt))/i.exec(style)?.[1] ??
    kept['width'] ??
    element.getAttribute('width');
  const [, number, unit] = /^([\d.]+)(px|pt)?$/.exec(text ?? '') ?? [];
  if (number === undefined) return undefined;
  return Math.max(20, Math.round(Number(number) * (unit === 'pt' ? 4 / 3 : 1)));
}
