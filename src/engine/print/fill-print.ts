import { fillTable, type RowReader } from './fill-table.ts';
import type { FilledBlock, FilledPrint } from './filled-print.ts';
import { cutText, type Placeholder, rowsKey } from './placeholders.ts';
import type { PictureKind, PrintBlock, PrintTemplate } from './print-template.ts';
import { type PrintValue, writeValue } from './write-value.ts';

/** Where a template's values come from. */
export interface PrintSource {
  /** A path from the head of the record; null: nothing is there, or the reader may not see it. */
  readonly head: (path: string) => PrintValue | null;
  /** The rows of a table by its key, each a reader of paths from the row. */
  readonly rows: (key: string) => readonly RowReader[];
  /** What a number came to in the rows before the printed period. */
  readonly opening: (key: string, path: string) => string;
  /** The name of the company's picture; null where it has none. */
  readonly picture: (kind: PictureKind) => string | null;
  /** Who signed in the approval that an action begins, level by level; those who have yet to sign have no name. */
  readonly signers: (action: string) => readonly Signer[];
  /** Whether a block's condition holds. */
  readonly holds: (when: NonNullable<PrintBlock['when']>) => boolean;
}

/** A level of an approval, or the submission: who signed, and on which day. */
export interface Signer {
  readonly title: string;
  readonly name: string;
  readonly day: string;
}

/** Fills a template in; blocks whose condition does not hold and lines of which nothing is left are not there. */
export function fillPrint(template: PrintTemplate, source: PrintSource): FilledPrint {
  const filler = new Filler(template, source);
  return {
    title: template.title,
    language: template.language,
    landscape: template.landscape === true,
    scale: template.scale ?? 1,
    blocks: template.blocks.flatMap((block, index) =>
      block.when === undefined || source.holds(block.when) ? filler.block(block, index) : [],
    ),
  };
}

/** What a mail is proposed to say, and the attachments whose files it is to bring. */
export interface FilledMail {
  readonly to: string;
  readonly subject: string;
  readonly body: string;
  readonly files: readonly string[];
}

/** The words of the mail that brings a print, as they are proposed; empty where the template has none. */
export function fillMail(template: PrintTemplate, source: PrintSource): FilledMail {
  const filler = new Filler(template, source);
  const { to = '', subject, lines, files = [] } = template.mail ?? { subject: '', lines: [] };
  return {
    to: filler.text(to),
    subject: filler.text(subject),
    body: lines
      .flatMap((line) => (line === '' ? [''] : [filler.text(line)].filter((text) => text !== '')))
      .join('\n'),
    files,
  };
}

class Filler {
  constructor(
    private readonly template: PrintTemplate,
    private readonly source: PrintSource,
  ) {}

  block(block: PrintBlock, index: number): readonly FilledBlock[] {
    switch (block.kind) {
      case 'letterhead':
        return [
          {
            kind: 'letterhead',
            name: this.text(block.name),
            lines: this.texts(block.lines ?? []),
            logo: this.source.picture('logo'),
          },
        ];
      case 'title':
        return [{ kind: 'title', text: this.text(block.text), sub: this.text(block.sub ?? '') }];
      case 'fields':
        return this.fields(block);
      case 'parties':
        return this.parties(block);
      case 'table':
        return this.table(block, index);
      case 'text':
        return this.paragraph(block);
      case 'signatures':
        return this.signatures(block);
      case 'space':
        return [{ kind: 'space', height: block.height }];
    }
  }

  private signatures(block: Extract<PrintBlock, { readonly kind: 'signatures' }>): readonly FilledBlock[] {
    const signers = block.approvals === undefined ? [] : this.source.signers(block.approvals);
    const parties = block.parties.map(({ label, name, seal, stamp, foot }) => ({
      label,
      name: this.text(name),
      hasSeal: seal === true,
      stamp:
        stamp === undefined || (stamp.when !== undefined && !this.source.holds(stamp.when))
          ? null
          : this.source.picture(stamp.kind),
      foot: foot ?? '',
    }));
    const all = [...signers.map(signed), ...parties];
    return all.length === 0 ? [] : [{ kind: 'signatures', parties: all }];
  }

  private fields(block: Extract<PrintBlock, { readonly kind: 'fields' }>): readonly FilledBlock[] {
    const items = block.items.flatMap(({ label, value, wide, keep, width = 1 }) => {
      const text = this.text(value);
      return text === '' && keep !== true ? [] : [{ label, value: text, wide: wide === true, width }];
    });
    if (items.length === 0) return [];
    const numbered =
      block.numbered === true
        ? items.map((item, place) => ({ ...item, label: `${place + 1}. ${item.label}` }))
        : items;
    const { columns = 2, grid = false, stacked = false, joined = false } = block;
    return [{ kind: 'fields', columns, grid, stacked, joined, items: numbered }];
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

  private table(
    block: Extract<PrintBlock, { readonly kind: 'table' }>,
    index: number,
  ): readonly FilledBlock[] {
    const key = rowsKey(block, index);
    const filled = fillTable(block, {
      rows: this.source.rows(key),
      opening: (path) => this.source.opening(key, path),
      language: this.template.language,
      text: (text, row) => this.text(text, row),
    });
    return filled === null ? [] : [filled];
  }

  /** A text whose placeholders are all empty is empty, whatever stands between them. */
  text(text: string, line?: RowReader): string {
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

  private value({ path, format }: Placeholder, line?: RowReader): string {
    const found = line?.(path) ?? this.source.head(path);
    if (found === null) return '';
    return writeValue(found, { format, language: this.template.language });
  }
}

type SignedPart = Extract<FilledBlock, { readonly kind: 'signatures' }>['parties'][number];

function signed({ title, name, day }: Signer): SignedPart {
  return { label: title, name, hasSeal: false, stamp: null, foot: day };
}
