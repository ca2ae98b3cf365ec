import { indexContent, quoteName } from '#server/kernel/db/sql-identifiers.ts';
import type { Column } from '#server/kernel/db/table-columns.ts';
import type { ActualTable } from './actual-schema.ts';
import { columnChange } from './column-change.ts';
import type { IndexPlan, TablePlan } from './schema-plan.ts';

/** One statement that brings the database nearer to the plan. */
export interface Step {
  readonly sql: string;
  /** For people: what it does, or why it is refused. */
  readonly says: string;
}

export interface SchemaDiff {
  /** Lossless; run in one transaction. */
  readonly additive: readonly Step[];
  /** Indexes of tables that existed before: concurrently when they are filled. */
  readonly indexes: readonly { readonly table: string; readonly index: IndexPlan }[];
  /** Needed, but values may be lost: refused unless asked for explicitly. */
  readonly retypes: readonly Step[];
  /** Tables and columns that no definition names any more: left alone unless asked for explicitly. */
  readonly drops: readonly Step[];
}

type Actual = ReadonlyMap<string, ActualTable>;

/** Compares plan and database. `managed` names the tables that earlier plans made. */
export function diffSchema(
  plan: readonly TablePlan[],
  before: Actual,
  managed: ReadonlySet<string>,
): SchemaDiff {
  const renames = plan.flatMap((table) => renameTable(table, before));
  const actual = afterRenames(before, renames);
  const parts = plan.map((table) => diffTable(table, actual.get(table.name)));
  const planned = new Set(plan.map(({ name }) => name));
  const abandoned = [...actual.keys()].filter((name) => managed.has(name) && !planned.has(name));
  return {
    additive: [...renames.map(({ step }) => step), ...parts.flatMap((part) => part.additive)],
    indexes: parts.flatMap((part) => part.indexes),
    retypes: parts.flatMap((part) => part.retypes),
    drops: [
      ...parts.flatMap((part) => part.drops),
      ...abandoned.map((name) => ({ sql: `drop table ${quoteName(name)}`, says: `删除表 ${name}` })),
    ],
  };
}

interface Rename {
  readonly from: string;
  readonly to: string;
  readonly step: Step;
}

function renameTable({ name, was }: TablePlan, actual: Actual): readonly Rename[] {
  if (was === undefined || was === name || actual.has(name) || !actual.has(was)) return [];
  const sql = `alter table ${quoteName(was)} rename to ${quoteName(name)}`;
  return [{ from: was, to: name, step: { sql, says: `表 ${was} 改名为 ${name}` } }];
}

function afterRenames(actual: Actual, renames: readonly Rename[]): Actual {
  const names = new Map(renames.map(({ from, to }) => [from, to]));
  return new Map([...actual].map(([name, table]) => [names.get(name) ?? name, table]));
}

function diffTable(plan: TablePlan, actual: ActualTable | undefined): SchemaDiff {
  return actual === undefined ? createTable(plan) : alterTable(plan, actual);
}

function createTable(plan: TablePlan): SchemaDiff {
  const table = quoteName(plan.name);
  const key = `primary key (${plan.primaryKey.map(quoteName).join(', ')})`;
  const columns = [...plan.columns.map(columnClause), key].join(',\n  ');
  const additive = [
    { sql: `create table ${table} (\n  ${columns}\n)`, says: `建表 ${plan.name}` },
    ...plan.indexes.map((index) => createIndex(plan.name, index)),
    ...(plan.isAppendOnly ? [guardTable(plan.name)] : []),
  ];
  return { additive, indexes: [], retypes: [], drops: [] };
}

function alterTable(plan: TablePlan, actual: ActualTable): SchemaDiff {
  const additive: Step[] = [];
  const retypes: Step[] = [];
  const known = new Map(actual.columns.map((column) => [column.name, column]));
  const used = new Set<string>();
  for (const column of plan.columns) {
    const former = column.was !== undefined && !known.has(column.name) ? known.get(column.was) : undefined;
    if (former !== undefined) additive.push(renameColumn(plan.name, former.name, column.name));
    const found = former ?? known.get(column.name);
    if (found === undefined) {
      additive.push(addColumn(plan.name, column));
      continue;
    }
    used.add(found.name);
    const change = changeType(plan.name, column, found.type);
    if (change !== null) (change.isLossless ? additive : retypes).push(change.step);
  }
  const unused = actual.columns.filter(({ name }) => !used.has(name));
  additive.push(...unused.filter(({ notNull }) => notNull).map(({ name }) => dropNotNull(plan.name, name)));
  const { steps, missing } = diffIndexes(plan, actual);
  return {
    // Indexes that go, go first: their expressions may not fit the new type of a column.
    additive: [...steps, ...additive, ...diffGuard(plan, actual)],
    indexes: missing.map((index) => ({ table: plan.name, index })),
    retypes,
    drops: unused.map(({ name }) => ({
      sql: `alter table ${quoteName(plan.name)} drop column ${quoteName(name)}`,
      says: `删除列 ${plan.name}.${name}`,
    })),
  };
}

function diffIndexes(plan: TablePlan, actual: ActualTable): { steps: Step[]; missing: IndexPlan[] } {
  const wanted = new Map(plan.indexes.map((index) => [indexContent(index.name), index]));
  const steps: Step[] = [];
  const present = new Set<string>();
  for (const { name, isValid } of actual.indexes) {
    const content = indexContent(name);
    if (content === null) continue;
    const match = wanted.get(content);
    if (match === undefined || !isValid || present.has(content)) {
      steps.push({
        sql: `drop index ${quoteName(name)}`,
        says: `删除 ${plan.name} 上不再需要的索引 ${name}`,
      });
      continue;
    }
    present.add(content);
    if (match.name !== name)
      steps.push({
        sql: `alter index ${quoteName(name)} rename to ${quoteName(match.name)}`,
        says: `索引 ${name} 改名为 ${match.name}`,
      });
  }
  return { steps, missing: plan.indexes.filter(({ name }) => !present.has(indexContent(name) ?? '')) };
}

function diffGuard(plan: TablePlan, actual: ActualTable): readonly Step[] {
  const isGuarded = actual.triggers.includes('append_only');
  if (plan.isAppendOnly === isGuarded) return [];
  if (plan.isAppendOnly) return [guardTable(plan.name)];
  const sql = `drop trigger append_only on ${quoteName(plan.name)}`;
  return [{ sql, says: `${plan.name} 不再只增不改` }];
}

function changeType(table: string, column: Column, from: string): { isLossless: boolean; step: Step } | null {
  const change = columnChange(from, column.type, quoteName(column.name));
  if (change.kind === 'none') return null;
  const using = change.using === undefined ? '' : ` using ${change.using}`;
  return {
    isLossless: change.kind === 'widen',
    step: {
      sql: `alter table ${quoteName(table)} alter column ${quoteName(column.name)} type ${column.type}${using}`,
      says: `${table}.${column.name} 的类型由 ${from} 改为 ${column.type}`,
    },
  };
}

/** The SQL that makes an index. */
export function createIndex(table: string, index: IndexPlan, isConcurrent = false): Step {
  const unique = index.isUnique ? 'unique ' : '';
  const how = isConcurrent ? 'concurrently ' : '';
  return {
    sql: `create ${unique}index ${how}${quoteName(index.name)} on ${quoteName(table)} ${index.definition}`,
    says: `在 ${table} 上建${index.isUnique ? '唯一' : ''}索引（${index.fields.join('、')}）`,
  };
}

function guardTable(table: string): Step {
  return {
    sql: `create trigger append_only before update or delete or truncate on ${quoteName(table)} for each statement execute function erp_append_only()`,
    says: `${table} 只增不改`,
  };
}

function addColumn(table: string, column: Column): Step {
  return {
    sql: `alter table ${quoteName(table)} add column ${columnClause(column)}`,
    says: `在 ${table} 上加列 ${column.name}`,
  };
}

function renameColumn(table: string, from: string, to: string): Step {
  return {
    sql: `alter table ${quoteName(table)} rename column ${quoteName(from)} to ${quoteName(to)}`,
    says: `列 ${table}.${from} 改名为 ${to}`,
  };
}

/** A column that nobody fills any more must not refuse new rows. */
function dropNotNull(table: string, column: string): Step {
  return {
    sql: `alter table ${quoteName(table)} alter column ${quoteName(column)} drop not null`,
    says: `${table}.${column} 不再必填`,
  };
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
