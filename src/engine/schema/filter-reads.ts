import type { Filter, FilterValue } from './definition.ts';
import { lineagePath } from '../filter/filter-paths.ts';
import { headPath } from './formula-order.ts';
import { formulaReads } from './formula-reads.ts';

/** The fields a filter compares, and the places its values are taken from (`record.x`, `parent.x`, paths read by formulas). */
export interface FilterReads {
  readonly fields: readonly string[];
  readonly values: readonly string[];
}

/** Collects everything that a filter reads, on both sides of its comparisons. */
export function filterReads(filter: Filter | undefined): FilterReads {
  const fields: string[] = [];
  const values: string[] = [];
  if (filter !== undefined) collect(filter, fields, values);
  return { fields, values };
}

/** Every path that a filter over a record reads, as seen from its head: to load values of referenced records for it. */
export function filterReadPaths(filter: Filter | undefined | null): readonly string[] {
  const { fields, values } = filterReads(filter ?? undefined);
  return [...new Set([...fields, ...values].map((path) => headPath(path, undefined)))];
}

/** What a value reads: `{ "$": "record.x" }` gives `record.x`, a formula what it reads, a literal nothing. */
export function valueReads(value: FilterValue | undefined): readonly string[] {
  if (typeof value !== 'object' || value === null) return [];
  if (isValueList(value)) return value.flatMap(valueReads);
  if ('$' in value) return [value.$];
  return formulaReads(value['=']);
}

/** The formulas in a filter's values. */
export function filterFormulas(filter: Filter): readonly string[] {
  return Object.values(filter).flatMap((part): readonly string[] => {
    if (part === undefined) return [];
    if (isFilterList(part)) return part.flatMap(filterFormulas);
    return Object.values(part).flatMap(valueFormulas);
  });
}

function valueFormulas(value: FilterValue | undefined): readonly string[] {
  if (typeof value !== 'object' || value === null) return [];
  if (isValueList(value)) return value.flatMap(valueFormulas);
  return '=' in value ? [value['=']] : [];
}

function collect(filter: Filter, fields: string[], values: string[]): void {
  for (const [key, part] of Object.entries(filter)) {
    if (part === undefined) continue;
    if (isFilterList(part)) {
      for (const inner of part) collect(inner, fields, values);
      continue;
    }
    fields.push(key);
    if (Object.hasOwn(part, 'under')) fields.push(lineagePath(key));
    for (const value of Object.values(part)) values.push(...valueReads(value));
  }
}

function isFilterList(part: Filter[string]): part is readonly Filter[] {
  return Array.isArray(part);
}

function isValueList(value: FilterValue): value is readonly FilterValue[] {
  return Array.isArray(value);
}
