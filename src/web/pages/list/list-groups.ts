import type { ListGroup } from '#contract/lists.ts';
import type { ErpRecord, Field, Resource } from '#engine/schema/resource.ts';
import { type Dictionaries } from '#web/fields/dictionary-context.ts';
import { fieldText, labelsOf } from '#web/fields/field-text.ts';
import type { RowGroups } from '../table/plain-table.tsx';

const GROUPED: ReadonlySet<string> = new Set(['dictionary', 'reference', 'boolean']);

/** The fields that rows may be grouped by. */
export function groupFields(resource: Resource): readonly Field[] {
  return Object.values(resource.fields).filter(
    ({ name, type, multiple, options, internal }) =>
      internal !== true &&
      (GROUPED.has(type) || name === 'status' || options !== undefined) &&
      multiple !== true,
  );
}

/** The rows' groups: what each is called, and how many rows the whole list has of it. */
export function rowGroups(
  field: Field,
  groups: readonly ListGroup[],
  at: { readonly resource: Resource; readonly dictionaries: Dictionaries },
): RowGroups {
  const counts = new Map(groups.map((group) => [String(group.value ?? ''), group]));
  const keyOf = (row: ErpRecord): string => String(row[field.name] ?? '');
  return {
    keyOf,
    titleOf: (row) => {
      const group = counts.get(keyOf(row));
      const state = field.name === 'status' ? at.resource.lifecycle?.states[keyOf(row)]?.title : undefined;
      const text = state ?? fieldText(field, row[field.name], labelsOf(row)[field.name], at.dictionaries);
      const shown = `${field.title}：${text === '' ? '（空）' : text}`;
      return group === undefined ? shown : `${shown}（${group.count.toLocaleString('en-US')} 条）`;
    },
  };
}

/** What rows are sorted by when they are grouped: first the group. */
export function groupedSorters(group: string | null, sorters: readonly string[]): readonly string[] {
  if (group === null) return sorters;
  return [group, ...sorters.filter((sorter) => sorter.replace(/^-/, '') !== group)];
}
