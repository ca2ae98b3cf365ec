import type { Value } from '../expression/formula-function.ts';
import { isPlainDecimal, roundDecimal } from '../values/decimal.ts';

/** A table of `setup/tables.json`: values by one or more keys, for what is agreed or customary and no resource keeps. */
export interface LookupTable {
  readonly title: string;
  /** What each key is, in words: `["币种"]`. */
  readonly keys: readonly string[];
  readonly value: 'number' | 'text';
  /** By the first key, then by the next; `*` stands for every other. */
  readonly rows: LookupRows;
}

export interface LookupRows {
  readonly [key: string]: string | number | LookupRows;
}

/** The tables of `lookup`, by name. */
export function readTables(file: unknown): Readonly<Record<string, LookupTable>> {
  if (typeof file !== 'object' || file === null) return {};
  const entries = Object.entries(file as Readonly<Record<string, LookupTable>>);
  return Object.fromEntries(entries.filter(([name]) => name !== '$schema'));
}

/** The value under the keys, or under `*` where a key is not listed; null when there is none. */
export function lookUp(table: LookupTable, keys: readonly Value[]): Value {
  let at: string | number | LookupRows | undefined = table.rows;
  for (const key of keys) {
    if (typeof at !== 'object') return null;
    at = rowOf(at, keyText(key)) ?? rowOf(at, '*');
  }
  return at === undefined || typeof at === 'object' ? null : String(at);
}

function rowOf(rows: LookupRows, key: string | null): string | number | LookupRows | undefined {
  return key !== null && Object.hasOwn(rows, key) ? rows[key] : undefined;
}

/** Numbers are keys by value: 30 and 30.00 are one. */
function keyText(key: Value): string | null {
  if (typeof key === 'boolean') return String(key);
  if (typeof key !== 'string') return null;
  return isPlainDecimal(key) && key.includes('.') ? trimmed(key) : key;
}

function trimmed(decimal: string): string {
  return roundDecimal(decimal, 10).replace(/\.?0+$/, '');
}
