import { joinTexts } from '#engine/schema/joined-text.ts';
import { breakText } from './break-text.ts';

const WIDTH = 140;

/**
 * JSON text with two blanks a level, an object or list on one line where it fits into 140 columns; the outermost one is
 * always broken, a longer text stands in parts. Ends in a newline.
 */
export function formatJson(value: unknown): string {
  return `${broken(joinTexts(value), '')}\n`;
}

/** `used` columns are taken before the value on its line (indent, key, and what follows it). */
function format(value: unknown, indent: string, used: number): string {
  const line = oneLine(value);
  return used + line.length <= WIDTH ? line : broken(value, indent);
}

function oneLine(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(oneLine).join(', ')}]`;
  if (typeof value === 'object' && value !== null) {
    const entries = Object.entries(value).map(([key, entry]) => `${JSON.stringify(key)}: ${oneLine(entry)}`);
    return entries.length === 0 ? '{}' : `{ ${entries.join(', ')} }`;
  }
  return JSON.stringify(value);
}

function broken(value: unknown, indent: string): string {
  const inner = `${indent}  `;
  if (typeof value === 'string') return joined(value, inner, indent);
  if (Array.isArray(value)) {
    const isPlain = value.every((entry) => typeof entry !== 'object');
    if (isPlain && value.every((entry) => inner.length + oneLine(entry).length < WIDTH))
      return filled(value, indent);
    const entries = value.map((entry) => inner + format(entry, inner, inner.length + 1));
    return `[\n${entries.join(',\n')}\n${indent}]`;
  }
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const entries = Object.entries(value).map(([key, entry]) => {
    const start = `${inner}${JSON.stringify(key)}: `;
    return start + format(entry, inner, start.length + 1);
  });
  return `{\n${entries.join(',\n')}\n${indent}}`;
}

/** A text in parts, one a line; a text that cannot be parted stays whole. */
function joined(text: string, inner: string, indent: string): string {
  const room = WIDTH - inner.length - '"",'.length;
  const width = text.length > room ? room : Math.ceil(text.length * 0.7);
  const parts = breakText(text, width).map((part) => JSON.stringify(part));
  if (parts.length === 1) return JSON.stringify(text);
  return `{ "join": [\n${parts.map((part) => inner + part).join(',\n')}\n${indent}] }`;
}

/** A list of plain values, as many on a line as fit. */
function filled(values: readonly unknown[], indent: string): string {
  const inner = `${indent}  `;
  const lines: string[] = [];
  let line = inner;
  for (const [index, value] of values.entries()) {
    const text = JSON.stringify(value) + (index < values.length - 1 ? ',' : '');
    if (line !== inner && line.length + 1 + text.length > WIDTH) {
      lines.push(line);
      line = inner;
    }
    line += (line === inner ? '' : ' ') + text;
  }
  return `[\n${[...lines, line].join('\n')}\n${indent}]`;
}
