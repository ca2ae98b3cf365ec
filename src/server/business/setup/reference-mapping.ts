import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { roundDecimal } from '#engine/values/decimal.ts';
import type { CsvRow } from './csv-table.ts';

/** Where a field's value comes from (resources/reference-data/README.md). */
export type Source = string | SourceRule;

interface SourceRule {
  readonly value?: unknown;
  readonly column?: string | readonly string[];
  readonly map?: Readonly<Record<string, unknown>>;
  readonly otherwise?: unknown;
  readonly in?: readonly string[];
  readonly starts_with?: string;
  readonly lookup?: string;
  readonly by?: string;
  readonly join?: { readonly file: string; readonly key: string; readonly take: string };
  readonly max?: number;
  readonly scale?: number;
  readonly as?: 'integer';
  readonly template?: string;
  readonly row?: boolean;
}

/** More rates made from those just read. */
export interface Derivation {
  readonly kind: string;
  readonly from: string;
  readonly each?: 'month';
  readonly take?: 'first';
  readonly divide_by?: string;
  readonly currencies?: readonly string[];
}

/** One file into one resource. */
export interface ImportEntry {
  readonly resource: string;
  readonly file: string;
  readonly key: readonly string[];
  readonly mode?: 'insert' | 'update';
  readonly where?: Readonly<
    Record<string, { readonly in?: readonly string[]; readonly nin?: readonly string[] }>
  >;
  readonly demo?: boolean;
  readonly columns: Readonly<Record<string, Source>>;
  readonly since_months?: number;
  readonly date?: string;
  readonly derive?: readonly Derivation[];
  readonly extend_last?: { readonly kinds: readonly string[]; readonly source: string };
  readonly then?: { readonly resource: string; readonly set: string; readonly kind: string };
}

/** What a source needs besides the line: other files and records that exist. */
export interface SourceWorld {
  readonly rowNo: number;
  /** The record of `resource` whose field `by` has that text. */
  readonly lookup: (resource: string, by: string, text: string) => string | null;
  readonly join: (file: string, key: string, text: string) => CsvRow | undefined;
}

/** The entries of `import.json`; none when the folder has no such file. */
export async function readMapping(folder: string): Promise<readonly ImportEntry[]> {
  const text = await readFile(join(folder, 'import.json'), 'utf8').catch(() => null);
  if (text === null) return [];
  // A file of the program, not of a user: its shape is told in the README beside it.
  return (JSON.parse(text) as { readonly imports: readonly ImportEntry[] }).imports;
}

/** True when a line is among those an entry takes. */
export function isTaken(entry: ImportEntry, row: CsvRow, since: string): boolean {
  if (entry.date !== undefined && (row[entry.date] ?? '') < since) return false;
  return Object.entries(entry.where ?? {}).every(([column, rule]) => {
    const text = row[column] ?? '';
    return (rule.in?.includes(text) ?? true) && !(rule.nin?.includes(text) ?? false);
  });
}

/** The value of a source for one line; an empty text is null. */
export function sourceValue(source: Source, row: CsvRow, world: SourceWorld): unknown {
  if (typeof source === 'string') return emptyAsNull(row[source] ?? '');
  if (source.row === true) return world.rowNo;
  if (source.template !== undefined)
    return source.template.replaceAll(/\{(\w+)\}/g, (_all, name: string) => row[name] ?? '');
  const text = textOfSource(source, row);
  if (source.in !== undefined) return source.in.includes(text);
  if (source.starts_with !== undefined) return text.startsWith(source.starts_with);
  if (source.map !== undefined && Object.hasOwn(source.map, text)) return source.map[text];
  if (source.map !== undefined && 'otherwise' in source) return source.otherwise;
  if (source.lookup !== undefined) return world.lookup(source.lookup, source.by ?? 'code', text);
  if (source.join !== undefined)
    return emptyAsNull(world.join(source.join.file, source.join.key, text)?.[source.join.take] ?? '');
  if ('value' in source && source.column === undefined) return source.value;
  return shapedValue(source, text);
}

function textOfSource(source: SourceRule, row: CsvRow): string {
  if (source.column === undefined) return typeof source.value === 'string' ? source.value : '';
  const names = typeof source.column === 'string' ? [source.column] : source.column;
  return names.map((name) => row[name] ?? '').find((text) => text !== '') ?? '';
}

function shapedValue(source: SourceRule, text: string): unknown {
  if (text === '') return source.otherwise ?? null;
  if (source.as === 'integer') return Number(text);
  if (source.scale !== undefined) return roundDecimal(text, source.scale);
  return source.max === undefined ? text : [...text].slice(0, source.max).join('');
}

function emptyAsNull(text: string): string | null {
  return text === '' ? null : text;
}
