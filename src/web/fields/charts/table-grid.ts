/** A cell of a table, at the place where it begins. */
export interface GridCell {
  readonly x: number;
  readonly y: number;
  readonly text: string;
  readonly isHeader: boolean;
  readonly element: HTMLTableCellElement;
}

/** Most rows and columns that are read: spans are written by anyone. */
const MAX_SIDE = 1_000;

/** The cells of a table by row and column; a merged cell stands in each place that it covers, null where none is. */
export function tableGrid(table: HTMLTableElement): readonly (readonly (GridCell | null)[])[] {
  const rows = [...table.rows].slice(0, MAX_SIDE);
  const lines = rows.map(() => new Map<number, GridCell>());
  for (const [y, row] of rows.entries()) {
    let x = 0;
    for (const element of row.cells) {
      while (lines[y]?.has(x) === true) x += 1;
      const cell = { x, y, text: textOf(element), isHeader: element.localName === 'th', element };
      const right = Math.min(x + Math.max(1, element.colSpan), MAX_SIDE);
      // In HTML, zero rows go down to the end.
      const bottom = element.rowSpan === 0 ? rows.length : y + element.rowSpan;
      for (const line of lines.slice(y, bottom))
        for (let place = x; place < right; place += 1) if (!line.has(place)) line.set(place, cell);
      x = right;
    }
  }
  const width = Math.max(0, ...lines.flatMap((line) => [...line.keys()].map((place) => place + 1)));
  return lines.map((line) => Array.from({ length: width }, (_cell, x) => line.get(x) ?? null));
}

/** The text of a cell with its spaces; a line break parts words. */
export function rawText(node: Node): string {
  if (node.nodeType === Node.TEXT_NODE) return node.nodeValue ?? '';
  if (node.nodeName === 'BR') return ' ';
  return [...node.childNodes].map((child) => rawText(child)).join('');
}

function textOf(node: Node): string {
  return rawText(node).replace(/\s+/g, ' ').trim();
}
