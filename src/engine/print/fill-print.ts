import type { FilledBlock, FilledPrint, FilledRow, FilledTable } from './filled-print.ts';
import { cutText, type Placeholder } from './placeholders.ts';
import type { PrintBlock, PrintTemplate, TableColumn } from './print-template.ts';
import { moneyDigits, type PrintValue, writeValue } from './write-value.ts';
import { isPlainDecimal } from '../values/decimal.ts';

/** Where a template's values come from. */
export interface PrintSource {
  /** A path from the head of the record; null: nothing is there, or the reader may not see it. */
  readonly head: (path: string) => PrintValue | null;
  /** The lines of the record, each a reader of paths from the line. */
  readonly lines: (name: string) => readonly ((path: string) => PrintValue | null)[];
  /** Whether a block's condition holds. */
  readonly holds: (when: NonNullable<PrintBlock['when']>) => boolean;
}

type Reader = (path: string) => PrintValue | null;

/** Fills a template in; blocks whose condition does not hold and lines of which nothing is left are not there. */
export function fillPrint(template: PrintTemplate, source: PrintSource): FilledPrint {
  const filler = new Filler(template, source);
  return {
    title: template.title,
    landscape: template.landscape === true,
    blocks: template.blocks.flatMap((block) =>
      block.when === undefined || source.holds(block.when) ? filler.block(block) : [],
    ),
  };
}

class Filler {
  constructor(
    private readonly template: PrintTemplate,
    private readonly source: PrintSource,
  ) {}

  block(block: PrintBlock): readonly FilledBlock[] {
    switch (block.kind) {
      case 'letterhead':
        return [{ kind: 'letterhead', name: this.text(block.name), lines: this.texts(block.lines ?? []) }];
      case 'title':
        return [{ kind: 'title', text: this.text(block.text), sub: this.text(block.sub ?? '') }];
      case 'fields':
        return this.fields(block);
      case 'parties':
        return this.parties(block);
      case 'table':
        return this.table(block);
      case 'text':
        return this.paragraph(block);
      case 'signatures':
        return [
          {
            kind: 'signatures',
            parties: block.parties.map(({ label, name, seal }) => ({
              label,
              name: this.text(name),
              hasSeal: seal === true,
            })),
          },
        ];
      case 'space':
        return [{ kind: 'space', height: block.height }];
    }
  }

  private fields(block: Extract<PrintBlock, { readonly kind: 'fields' }>): readonly FilledBlock[] {
    const items = block.items.flatMap(({ label, value, wide, keep }) => {
      const text = this.text(value);
      return text === '' && keep !== true ? [] : [{ label, value: text, wide: wide === true }];
    });
    if (items.length === 0) return [];
    return [{ kind: 'fields', columns: block.columns ?? 2, grid: block.grid === true, items }];
  }

  private parties({ parties }: Extract<PrintBlock, { readonly kind: 'parties' }>): readonly FilledBlock[] {
    const filled = parties.map(({ label, lines }) => ({ label, lines: this.texts(lines) }));
    return filled.some(({ lines }) => lines.length > 0) ? [{ kind: 'parties', parties: filled }] : [];
  }

  private paragraph(block: Extract<PrintBlock, { readonly kind: 'text' }>): readonly FilledBlock[] {
    const lines = this.texts(block.lines);
    if (lines.length === 0) return [];
    return [
      {
        kind: 'text',
        title: block.title ?? '',
        lines: block.numbered === true ? lines.map((line, place) => `${place + 1}. ${line}`) : lines,
        align: block.align ?? 'left',
        isBold: block.bold === true,
      },
    ];
  }

  private table(block: Extract<PrintBlock, { readonly kind: 'table' }>): readonly FilledBlock[] {
    const readers = this.source.lines(block.lines);
    if (readers.length === 0 && block.keep !== true) return [];
    const rows = readers.map((reader, place) => ({
      group: block.group === undefined ? '' : this.text(block.group, reader),
      cells: block.columns.map((column) => this.cell(column, reader, place)),
      amounts: block.columns.map((column) => (column.sum === true ? amountOf(column, reader) : null)),
    }));
    const filled: FilledTable = {
      kind: 'table',
      columns: block.columns.map((column) => ({
        label: column.label,
        width: column.width,
        align: column.align ?? 'left',
        sum: column.sum === true ? digitsOf(column, readers) : null,
      })),
      rows: grouped(rows),
      total: block.total ?? null,
      isCarried: block.carry === true,
      carryWords:
        this.template.language === 'en' ? ['CARRIED FORWARD', 'BROUGHT FORWARD'] : ['过次页', '承前页'],
    };
    return [filled];
  }

  private cell({ value }: TableColumn, reader: Reader, place: number): string {
    return value === '#' ? String(place + 1) : this.text(value, reader);
  }

  /** A text whose placeholders are all empty is empty, whatever stands between them. */
  private text(text: string, line?: Reader): string {
    const parts = cutText(text);
    let isFilled = parts.every((part) => typeof part === 'string');
    const written = parts.map((part) => {
      if (typeof part === 'string') return part;
      const value = this.value(part, line);
      if (value !== '') isFilled = true;
      return value;
    });
    return isFilled ? written.join('').trim() : '';
  }

  private texts(lines: readonly string[]): readonly string[] {
    return lines.flatMap((line) => {
      const text = this.text(line);
      return text === '' ? [] : text.split('\n');
    });
  }

  private value({ path, format }: Placeholder, line?: Reader): string {
    const found = line?.(path) ?? this.source.head(path);
    if (found === null) return '';
    return writeValue(found, { format, language: this.template.language });
  }
}

interface Line {
  readonly group: string;
  readonly cells: readonly string[];
  readonly amounts: readonly (string | null)[];
}

/** The lines under the headings of their groups, in the order in which the groups come. */
function grouped(lines: readonly Line[]): readonly FilledRow[] {
  const groups = new Map<string, Omit<Line, 'group'>[]>();
  for (const { group, ...line } of lines) groups.set(group, [...(groups.get(group) ?? []), line]);
  return [...groups].flatMap(([group, of]): readonly FilledRow[] => (group === '' ? of : [{ group }, ...of]));
}

/** The number behind a summed column's placeholder. */
function amountOf(column: TableColumn, reader: Reader): string | null {
  const value = placeholderOf(column) === null ? null : reader(placeholderOf(column)?.path ?? '')?.value;
  const text = typeof value === 'number' ? String(value) : value;
  return isPlainDecimal(text) ? text : null;
}

/** Money is summed to its currency's decimals, quantities and weights to those that the lines have. */
function digitsOf(column: TableColumn, readers: readonly Reader[]): number {
  const path = placeholderOf(column)?.path ?? '';
  const found = readers.map((reader) => reader(path)).filter((value) => value !== null);
  const money = found.find(({ field }) => field?.type === 'money');
  if (money !== undefined) return moneyDigits(money.currency);
  return Math.max(0, ...found.map(({ value }) => fractionOf(value)));
}

function fractionOf(value: unknown): number {
  return typeof value === 'string' ? (value.split('.')[1] ?? '').replace(/0+$/, '').length : 0;
}

function placeholderOf({ value }: TableColumn): Placeholder | null {
  return cutText(value).find((part): part is Placeholder => typeof part !== 'string') ?? null;
}
