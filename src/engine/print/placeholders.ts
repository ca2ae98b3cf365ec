import { PRINT_FORMATS, type PrintBlock, type PrintFormat, type PrintTemplate } from './print-template.ts';

/** `{path}` or `{path:format}` in a text. */
export interface Placeholder {
  readonly path: string;
  readonly format: PrintFormat | null;
}

/** A text cut into what stands as it is and what is filled in. */
export type TextPart = string | Placeholder;

const PLACEHOLDER = /\{([a-z_][\w.]*)(?::(\w+))?\}/g;

/** Cuts a text at its placeholders; what is in braces and is none stays text. */
export function cutText(text: string): readonly TextPart[] {
  const parts: TextPart[] = [];
  let from = 0;
  for (const match of text.matchAll(PLACEHOLDER)) {
    if (match.index > from) parts.push(text.slice(from, match.index));
    parts.push({ path: match[1] ?? '', format: formatOf(match[2]) });
    from = match.index + match[0].length;
  }
  if (from < text.length) parts.push(text.slice(from));
  return parts;
}

/** The names behind colons that are no format. */
export function unknownFormats(text: string): readonly string[] {
  return [...text.matchAll(PLACEHOLDER)].flatMap(([, , format]) =>
    format !== undefined && formatOf(format) === null ? [format] : [],
  );
}

function formatOf(name: string | undefined): PrintFormat | null {
  return PRINT_FORMATS.find((format) => format === name) ?? null;
}

/** What the rows of a table are asked for by: the name of its lines, or the place of its block. */
export function rowsKey(block: { readonly lines?: string }, index: number): string {
  return block.lines ?? `@${index}`;
}

/** A text of a template with its place, and the rows that its paths begin at when it stands in a table. */
export interface TemplateText {
  readonly text: string;
  readonly place: readonly (string | number)[];
  readonly lines: string | null;
}

/** Every text of a template that may hold placeholders. */
export function templateTexts({
  blocks,
  mail,
}: Pick<PrintTemplate, 'blocks' | 'mail'>): readonly TemplateText[] {
  const texts = blocks.flatMap((block, index) =>
    textsOf(block, rowsKey(block.kind === 'table' ? block : {}, index)).map(({ place, ...rest }) => ({
      ...rest,
      place: ['blocks', index, ...place],
    })),
  );
  if (mail === undefined) return texts;
  const { to = '', subject, lines } = mail;
  return [
    ...texts,
    head(to, 'mail', 'to'),
    head(subject, 'mail', 'subject'),
    ...heads(lines, 'mail', 'lines'),
  ];
}

function textsOf(block: PrintBlock, rows: string): readonly TemplateText[] {
  switch (block.kind) {
    case 'letterhead':
      return [head(block.name, 'name'), ...heads(block.lines ?? [], 'lines')];
    case 'title':
      return [head(block.text, 'text'), head(block.sub ?? '', 'sub')];
    case 'fields':
      return block.items.map(({ value }, index) => head(value, 'items', index, 'value'));
    case 'parties':
      return block.parties.flatMap(({ lines }, index) => heads(lines, 'parties', index, 'lines'));
    case 'text':
      return heads(block.lines, 'lines');
    case 'signatures':
      return block.parties.map(({ name }, index) => head(name, 'parties', index, 'name'));
    case 'table':
      return [
        ...block.columns.flatMap(({ value, unit }, index) => [
          { text: value, place: ['columns', index, 'value'], lines: rows },
          ...(unit === undefined ? [] : [{ text: unit, place: ['columns', index, 'unit'], lines: rows }]),
        ]),
        ...(block.group === undefined ? [] : [{ text: block.group, place: ['group'], lines: rows }]),
      ];
    case 'space':
      return [];
  }
}

function head(text: string, ...place: readonly (string | number)[]): TemplateText {
  return { text, place, lines: null };
}

function heads(texts: readonly string[], ...place: readonly (string | number)[]): readonly TemplateText[] {
  return texts.map((text, index) => head(text, ...place, index));
}
