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

/** A text of a template with its place, and the lines that its paths begin at when it stands in a table. */
export interface TemplateText {
  readonly text: string;
  readonly place: readonly (string | number)[];
  readonly lines: string | null;
}

/** Every text of a template that may hold placeholders. */
export function templateTexts({ blocks }: Pick<PrintTemplate, 'blocks'>): readonly TemplateText[] {
  return blocks.flatMap((block, index) =>
    textsOf(block).map(({ place, ...rest }) => ({ ...rest, place: ['blocks', index, ...place] })),
  );
}

function textsOf(block: PrintBlock): readonly TemplateText[] {
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
        ...block.columns.map(({ value }, index) => ({
          text: value,
          place: ['columns', index, 'value'],
          lines: block.lines,
        })),
        ...(block.group === undefined ? [] : [{ text: block.group, place: ['group'], lines: block.lines }]),
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
