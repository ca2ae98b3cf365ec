import { type FieldBehaviour, formatPlain, isEmptyValue, refuse } from './field-behaviour.ts';
import { characterCount, parseText, textSchema } from './text-value.ts';

/** HTML of the editor. The server sanitises it when it is saved, the browser again when it is shown. `max` counts the words a reader sees. */
export const RICHTEXT: FieldBehaviour = {
  column: () => 'text',
  jsonSchema: (field) => textSchema(field, 'richtext'),
  parse: (value, field) => {
    const parsed = parseText(value, field, 'richtext');
    if ('problem' in parsed || typeof parsed.value !== 'string') return parsed;
    const isTooLong = typeof field.max === 'number' && richtextLength(parsed.value) > field.max;
    return isTooLong ? refuse('too_long', `不能超过${field.max}个字`) : parsed;
  },
  format: (value) => visibleText(formatPlain(value)),
  isEmpty: (value) =>
    isEmptyValue(value) ||
    (typeof value === 'string' && visibleText(value) === '' && !/<(img|video|table)\b/i.test(value)),
  operators: ['contains', 'null'],
};

/** How many characters a reader sees of a document: what `max` counts, and what the editor shows while one writes. */
export function richtextLength(html: string): number {
  return characterCount(visibleText(html));
}

/** The text of HTML without its markup, spaces at the ends cut. */
export function visibleText(html: string): string {
  return withoutTags(html, '')
    .replace(/&nbsp;/g, ' ')
    .replace(/&lt;/g, '<')
    .replace(/&gt;/g, '>')
    .replace(/&amp;/g, '&')
    .trim();
}

/** HTML with `instead` for every tag. Reads once from left to right: an expression would look for an end anew at every `<`. */
export function withoutTags(html: string, instead: string): string {
  const pieces: string[] = [];
  let place = 0;
  for (;;) {
    const open = html.indexOf('<', place);
    const close = open === -1 ? -1 : html.indexOf('>', open);
    if (close === -1) return [...pieces, html.slice(place)].join(instead);
    pieces.push(html.slice(place, open));
    place = close + 1;
  }
}
