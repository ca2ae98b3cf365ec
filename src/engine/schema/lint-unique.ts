import { hasColumn } from '../fields/field-types.ts';
import type { Filter, UniqueDefinition } from './definition.ts';
import { filterReads } from './filter-reads.ts';
import type { ResourceLint } from './lint-context.ts';
import { lintFilter } from './lint-filter.ts';
import type { JsonPath } from './source-file.ts';

/** Checks unique constraints of a resource, or of lines of it: columns of the table, in lines of the head too. */
export function lintUnique(
  context: ResourceLint,
  path: JsonPath,
  list: readonly UniqueDefinition[] | undefined,
  lines: string | undefined,
): void {
  for (const [index, unique] of (list ?? []).entries()) {
    for (const [at, name] of unique.fields.entries()) {
      const field = context.field([...path, index, 'fields', at], name, context.place(lines));
      const column = lines === undefined ? name : name.replace(/^parent\./, '');
      if (field !== null && (column.includes('.') || !hasColumn(field)))
        context.report([...path, index, 'fields', at], `"${name}" 不是本表的列，不能用于唯一约束`);
    }
    if (unique.at !== undefined) context.field([...path, index, 'at'], unique.at, context.place(lines));
    const isOverHeads = unique.fields.some((name) => name.startsWith('parent.'));
    for (const name of filterReads(unique.where).fields)
      if (name.startsWith('parent.') && !isOverHeads)
        context.report(
          [...path, index, 'where', name],
          '同一单据内的唯一约束不能以表头字段（parent.）为条件，请在 "fields" 中也写一个',
          'key',
        );
    lintFilter(context, [...path, index, 'where'], unique.where, {
      place: context.place(lines),
      record: null,
    });
    if (!isOverHeads) lintIndexable(context, [...path, index, 'where'], unique.where);
  }
}

const INDEXABLE: ReadonlySet<string> = new Set(['eq', 'ne', 'in', 'nin', 'null']);

/** What an index can hold as its condition: own columns compared with what is written there. */
function lintIndexable(context: ResourceLint, path: JsonPath, where: Filter | undefined): void {
  for (const [key, part] of Object.entries(where ?? {})) {
    if (part === undefined) continue;
    if (isFilterList(part)) {
      for (const [index, inner] of part.entries()) lintIndexable(context, [...path, key, index], inner);
      continue;
    }
    for (const [operator, value] of Object.entries(part)) {
      const values: readonly unknown[] = Array.isArray(value) ? value : [value];
      const isPlain = values.length > 0 && values.every((one) => typeof one !== 'object' || one === null);
      if (key.includes('.') || !INDEXABLE.has(operator) || !isPlain)
        context.report(
          [...path, key, operator],
          '唯一约束的条件只能以本表字段与写明的值比较（eq、ne、in、nin、null）',
          'key',
        );
    }
  }
}

function isFilterList(part: Filter[string]): part is readonly Filter[] {
  return Array.isArray(part);
}
