import { quoteName } from '#server/kernel/db/sql-identifiers.ts';
import type { Column } from '#server/kernel/db/table-columns.ts';
import type { IndexPlan, TablePlan } from './schema-plan.ts';

/** The SQL that makes a table, without its indexes. */
export function createTableSql(plan: TablePlan): string {
  const key = `primary key (${plan.primaryKey.map(quoteName).join(', ')})`;
  const columns = [...plan.columns.map(columnClause), key].join(',\n  ');
  return `create table ${quoteName(plan.name)} (\n  ${columns}\n)`;
}

/** The SQL that adds a column. */
export function addColumnSql(table: string, column: Column): string {
  return `alter table ${quoteName(table)} add column ${columnClause(column)}`;
}

/** The SQL that makes an index. */
export function createIndexSql(table: string, index: IndexPlan, isConcurrent = false): string {
  const unique = index.isUnique ? 'unique ' : '';
  const how = isConcurrent ? 'concurrently ' : '';
  return `create ${unique}index ${how}${quoteName(index.name)} on ${quoteName(table)} ${index.definition}`;
}

/** For people: what an index is about. */
export function describeIndex(table: string, index: IndexPlan): string {
  return `在 ${table} 上建${index.isUnique ? '唯一' : ''}索引（${index.fields.join('、')}）`;
}

/** The SQL that makes a table append only. */
export function guardTableSql(table: string): string {
  return `create trigger append_only before update or delete or truncate on ${quoteName(table)} for each statement execute function erp_append_only()`;
}

/** The SQL that makes a line of each part of a text of the head, separated by semicolons of either width. */
export function takePartsSql(plan: TablePlan, column: string, text: string): string {
  const company = plan.head.company ? ['co_code'] : [];
  const into = [...company, 'id', 'parent_id', 'line_order', column].map(quoteName).join(', ');
  const from = company.map((name) => `h.${quoteName(name)}, `).join('');
  const source = `h.${quoteName(text)}`;
  return `insert into ${quoteName(plan.name)} (${into})
    select ${from}gen_random_uuid(), h.id, p.place - 1, nullif(btrim(p.part), '')
    from ${quoteName(plan.head.table)} h
    cross join lateral regexp_split_to_table(${source}, '[;；]') with ordinality as p (part, place)
    where btrim(coalesce(${source}, '')) <> ''`;
}

function columnClause(column: Column): string {
  const parts = [quoteName(column.name), column.type];
  if (column.notNull) parts.push('not null');
  if (column.default !== undefined) parts.push(`default ${column.default}`);
  // NaN is a value of numeric that no amount may have; the precision keeps infinity out.
  if (column.type.startsWith('numeric') && !column.type.endsWith('[]'))
    parts.push(`check (${quoteName(column.name)} <> 'NaN')`);
  return parts.join(' ');
}
