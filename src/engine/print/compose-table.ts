import { addDecimals, roundDecimal } from '../values/decimal.ts';
import { groupDigits } from '../values/display.ts';
import { labelPlace } from './fill-table.ts';
import type { FilledAmount, FilledColumn, FilledRow, FilledTable } from './filled-print.ts';
import type { PageMaker } from './page-maker.ts';

const SIZE = 8.5;
const PADDING = 3;

/** A table over as many pages as it takes: its heading on each, and sums that go on from page to page. */
export function composeTable(pages: PageMaker, table: FilledTable): void {
  new TableComposer(pages, table).compose();
}

interface Column extends FilledColumn {
  readonly x: number;
  /** In points. */
  readonly size: number;
}

class TableComposer {
  private readonly columns: readonly Column[];
  private readonly hasSums: boolean;
  /** What each column came to so far, by unit. */
  private readonly sums: readonly Map<string, string>[];
  /** Where the part of the table on this page begins. */
  private top = 0;

  constructor(
    private readonly pages: PageMaker,
    private readonly table: FilledTable,
  ) {
    const shares = table.columns.reduce((sum, { width }) => sum + width, 0);
    let x = pages.left;
    this.columns = table.columns.map((column) => {
      const size = (pages.room * column.width) / shares;
      const placed = { ...column, x, size };
      x += size;
      return placed;
    });
    this.hasSums = table.columns.some(({ sum }) => sum !== null);
    this.sums = table.columns.map(() => new Map<string, string>());
  }

  compose(): void {
    this.pages.need(this.heightOf(3));
    this.begin();
    for (const row of this.table.rows) this.row(row);
    if (this.table.total !== null && this.hasSums) {
      // Where sums are carried there is always room for one more.
      if (!this.isCarried) this.room(this.sumLines, '', '');
      this.sumRow(this.table.total);
    }
    const { closing } = this.table;
    if (closing !== undefined && closing !== null) this.row(closing);
    this.end();
    if (this.table.isJoined !== true) this.pages.y += 8;
  }

  private get isCarried(): boolean {
    return this.table.isCarried && this.hasSums;
  }

  private begin(): void {
    this.top = this.pages.y;
    const { left, room } = this.pages;
    this.pages.line(left, this.top, left + room, this.top, 0.8);
    this.draw(
      this.columns.map(({ label, size }) => this.pages.wrap(label, size - 2 * PADDING, SIZE)),
      { isBold: true, align: 'center' },
    );
  }

  private end(): void {
    for (const { x } of this.columns) this.pages.line(x, this.top, x, this.pages.y);
    const right = this.pages.left + this.pages.room;
    this.pages.line(right, this.top, right, this.pages.y);
  }

  private row(row: FilledRow): void {
    const [foot, head] = this.table.carryWords;
    if ('group' in row) {
      this.room(2, foot, head);
      const lines = this.pages.wrap(row.group, this.pages.room - 2 * PADDING, SIZE);
      this.groupRow(lines);
      return;
    }
    if ('fixed' in row) {
      const cells = this.columns.map(({ size }, place) =>
        this.pages.wrap(row.fixed[place] ?? '', size - 2 * PADDING, SIZE),
      );
      this.room(countOf(cells), foot, head);
      this.draw(cells, { isBold: true });
      return;
    }
    let cells = this.columns.map(({ size }, place) =>
      this.pages.wrap(row.cells[place] ?? '', size - 2 * PADDING, SIZE),
    );
    // What is higher than a page goes on on the next.
    const most = Math.max(
      1,
      Math.floor((this.pages.pageRoom - this.heightOf(4)) / this.pages.heightOf(1, SIZE)),
    );
    for (let height = countOf(cells); height > 0; height = countOf(cells)) {
      const part = cells.map((lines) => lines.slice(0, most));
      this.room(countOf(part), foot, head);
      this.draw(part, {});
      cells = cells.map((lines) => lines.slice(most));
    }
    for (const [place, amount] of row.amounts.entries()) this.add(place, amount);
  }

  private add(place: number, amount: FilledAmount | null): void {
    const sums = this.sums[place];
    if (amount !== null) sums?.set(amount.unit, addDecimals(sums.get(amount.unit) ?? '0', amount.amount));
  }

  /** Lines of a row of sums: as many as the column with most units has. */
  private get sumLines(): number {
    return Math.max(1, ...this.sums.map(({ size }) => size));
  }

  /** Goes to the next page when so many lines find no room, carrying the sums over. */
  private room(lines: number, foot: string, head: string): void {
    // A unit more may come with the row.
    const kept = this.isCarried ? this.heightOf(this.sumLines + 1) : 0;
    if (this.pages.y + this.heightOf(lines) + kept <= this.pages.bottom) return;
    if (this.isCarried) this.sumRow(foot);
    this.end();
    this.pages.breakPage();
    this.begin();
    if (this.isCarried) this.sumRow(head);
  }

  private groupRow(lines: readonly string[]): void {
    const { pages } = this;
    pages.texts(
      lines,
      { x: pages.left + PADDING, width: pages.room, top: pages.y + PADDING },
      { size: SIZE, isBold: true },
    );
    pages.y += this.heightOf(lines.length);
    pages.line(pages.left, pages.y, pages.left + pages.room, pages.y);
  }

  private sumRow(label: string): void {
    const place = labelPlace(this.table.columns.map((column) => ({ ...column, sum: column.sum ?? false })));
    this.draw(
      this.columns.map(({ sum, size }, index) => {
        if (sum !== null) return this.sumTexts(index, sum, size - 2 * PADDING);
        return index === place ? this.pages.wrap(label, size - 2 * PADDING, SIZE) : [''];
      }),
      { isBold: true },
    );
  }

  /** The sums of a column, one below the other where units differ. */
  private sumTexts(index: number, digits: number, width: number): readonly string[] {
    const sums = [...(this.sums[index] ?? [])];
    return sums.flatMap(([unit, sum]) =>
      this.pages.wrap(
        `${groupDigits(roundDecimal(sum, digits))}${unit === '' ? '' : ` ${unit}`}`,
        width,
        SIZE,
      ),
    );
  }

  private draw(
    cells: readonly (readonly string[])[],
    style: { readonly isBold?: boolean; readonly align?: 'center' },
  ): void {
    const { pages } = this;
    for (const [place, column] of this.columns.entries())
      pages.texts(
        cells[place] ?? [],
        { x: column.x + PADDING, width: column.size - 2 * PADDING, top: pages.y + PADDING },
        { size: SIZE, align: style.align ?? column.align, isBold: style.isBold === true },
      );
    pages.y += this.heightOf(countOf(cells));
    pages.line(pages.left, pages.y, pages.left + pages.room, pages.y);
  }

  private heightOf(lines: number): number {
    return this.pages.heightOf(lines, SIZE) + 2 * PADDING;
  }
}

function countOf(cells: readonly (readonly string[])[]): number {
  return Math.max(0, ...cells.map((lines) => lines.length));
}
