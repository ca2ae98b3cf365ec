import { hasColumn } from '../fields/field-types.ts';
import type { UniqueDefinition } from './definition.ts';
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
    if (unique.where !== undefined && unique.fields.some((name) => name.startsWith('parent.')))
      context.report([...path, index, 'where'], '含表头字段（parent.）的唯一约束不能再有条件');
    lintFilter(context, [...path, index, 'where'], unique.where, {
      place: context.place(lines),
      record: null,
    });
  }
}
