import { quoteName } from '#server/kernel/db/sql-identifiers.ts';
import type { ActualTable } from './actual-schema.ts';
import { diffColumns } from './column-diff.ts';
import { diffIndexes } from './index-diff.ts';
import type { MigrationState } from './migration-state.ts';
import type { Step } from './migration-step.ts';
import { diffRules } from './rule-diff.ts';
import type { TablePlan } from './schema-plan.ts';
import { diffStates } from './state-diff.ts';
import { makeStep, presentColumn, type TableNow } from './table-now.ts';
import { createIndexSql, createTableSql, describeIndex, guardTableSql, takePartsSql } from './table-sql.ts';

/** What is there: tables by name, and what the engine knows to have made of them. Nothing else is ever altered. */
export interface SchemaNow {
  readonly actual: ReadonlyMap<string, ActualTable>;
  readonly made: MigrationState['tables'];
}

/** The steps that bring the `due` tables of a plan up to it, in the order in which they must run. */
export function diffSchema(
  plan: readonly TablePlan[],
  due: readonly TablePlan[],
  now: SchemaNow,
): readonly Step[] {
  const planned = new Map(plan.map((table) => [table.name, table]));
  return due.flatMap((table) => diffTable(table, { ...now, planned }));
}

/** Tables of the engine that no definition names any more. */
export function findAbandoned(plan: readonly TablePlan[], { actual, made }: SchemaNow): readonly Step[] {
  const planned = new Set(plan.map(({ name }) => name));
  return [...made.keys()]
    .filter((name) => actual.has(name) && !planned.has(name))
    .map((name) => {
      const [resource = name, lines] = name.split('__');
      return dropTable({ resource, ...(lines === undefined ? {} : { lines }) }, name);
    });
}

interface Surroundings extends SchemaNow {
  readonly planned: ReadonlyMap<string, TablePlan>;
}

function diffTable(plan: TablePlan, around: Surroundings): readonly Step[] {
  const { actual, made } = around;
  const own = actual.get(plan.name);
  if (own !== undefined && !made.has(plan.name)) return [refuseForeign(plan, plan.name)];
  const former = formerTable(plan, around);
  if (former === 'foreign') return [refuseForeign(plan, plan.was ?? '')];
  if (former !== null && own !== undefined) return refuseMerge(plan, former.name);
  const found = own ?? former;
  if (found === null || found === undefined) return [...createTable(plan), ...takeParts(plan, around)];
  const present: TableNow = {
    plan,
    actual: found,
    made: made.get(found.name) ?? null,
    place: placeOf(plan, found, around),
  };
  const indexes = diffIndexes(present);
  return [
    ...(former === null ? [] : [renameTable(plan, former.name)]),
    // Indexes that go, go first: their expressions may not fit the new type of a column.
    ...indexes.filter(({ index }) => index === undefined),
    ...diffColumns(present),
    ...diffStates(present),
    ...diffRules(present),
    ...diffGuard(present),
    ...indexes.filter(({ index }) => index !== undefined),
  ];
}

/** The table under its former name, when no definition has that name any more. */
function formerTable(
  plan: TablePlan,
  { actual, made, planned }: Surroundings,
): ActualTable | 'foreign' | null {
  const { was } = plan;
  if (was === undefined || was === plan.name || planned.has(was)) return null;
  const found = actual.get(was);
  if (found === undefined) return null;
  return made.has(was) ? found : 'foreign';
}

function placeOf(plan: TablePlan, found: ActualTable, around: Surroundings): TableNow['place'] {
  const { actual, planned } = around;
  const head = planned.get(plan.head.table) ?? plan;
  const headNow = plan.lines === undefined ? found : (actual.get(head.name) ?? actual.get(head.was ?? ''));
  const column = head.columns.find(({ name }) => name === plan.head.label);
  const label =
    headNow === undefined || column === undefined
      ? null
      : presentColumn({ plan: head, actual: headNow }, column);
  return { plan, table: found.name, head: headNow?.name ?? plan.head.table, label: label ?? 'id' };
}

function createTable(plan: TablePlan): readonly Step[] {
  return [
    makeStep(plan, {
      name: 'create_table',
      says: `建表 ${plan.name}`,
      sql: createTableSql(plan),
    }),
    ...plan.indexes.map((index) =>
      makeStep(plan, {
        name: `index_${index.fields.join('_')}`,
        says: describeIndex(plan.name, index),
        sql: createIndexSql(plan.name, index),
      }),
    ),
    ...(plan.isAppendOnly ? [guardTable(plan)] : []),
  ];
}

/** New lines take over what stood in a text of their head, a part each. */
function takeParts(plan: TablePlan, { actual }: SchemaNow): readonly Step[] {
  const head = actual.get(plan.head.table);
  return Object.entries(plan.partsOf ?? {}).flatMap(([column, text]) => {
    if (head?.columns.some(({ name }) => name === text) !== true) return [];
    return [
      makeStep(plan, {
        name: `take_${column}`,
        says: `${head.name}.${text} 按分号拆入 ${plan.name}.${column}`,
        sql: takePartsSql(plan, column, text),
      }),
    ];
  });
}

function renameTable(plan: TablePlan, was: string): Step {
  const { lines, linesWere } = plan;
  const isLinesRename = lines !== undefined && linesWere !== undefined;
  const isHead = lines === undefined;
  return makeStep(plan, {
    name: 'rename_table',
    says: `表 ${was} 改名为 ${plan.name}`,
    sql: `alter table ${quoteName(was)} rename to ${quoteName(plan.name)}`,
    isBreaking: true,
    ...(isHead ? { rename: { kind: 'resource', resource: plan.resource, was, name: plan.resource } } : {}),
    ...(isLinesRename
      ? { rename: { kind: 'field', resource: plan.resource, lines: null, was: linesWere, name: lines } }
      : {}),
  });
}

function refuseForeign(plan: TablePlan, table: string): Step {
  return makeStep(plan, {
    name: 'foreign_table',
    kind: 'blocked',
    says: `数据库中的表 ${table} 不是本系统建立的，不会改动；请换一个资源名`,
  });
}

function refuseMerge(plan: TablePlan, was: string): readonly Step[] {
  return [
    makeStep(plan, {
      name: 'rename_table',
      kind: 'blocked',
      says: `表 ${plan.name} 已经存在，不能再由 ${was} 改名；请删去 "was"。若 ${plan.name} 中只是以前留下的记录，可先移走它（步骤 drop_table）`,
    }),
    dropTable(plan, plan.name),
  ];
}

function dropTable(plan: Pick<TablePlan, 'resource' | 'lines'>, name: string): Step {
  return makeStep(plan, {
    name: 'drop_table',
    kind: 'optional',
    isBreaking: true,
    says: `删除表 ${name}`,
    quarantine: { table: name },
    against: { sql: countRows(name), whenNone: 'optional' },
  });
}

function countRows(table: string): string {
  return `select count(*)::int as count, array[]::text[] as first from ${quoteName(table)}`;
}

function diffGuard({ plan, actual }: TableNow): readonly Step[] {
  const isGuarded = actual.triggers.includes('append_only');
  if (plan.isAppendOnly === isGuarded) return [];
  if (plan.isAppendOnly) return [guardTable(plan)];
  return [
    makeStep(plan, {
      name: 'unguard',
      says: `${plan.name} 不再只增不改`,
      sql: `drop trigger append_only on ${quoteName(plan.name)}`,
    }),
  ];
}

function guardTable(plan: TablePlan): Step {
  return makeStep(plan, { name: 'guard', says: `${plan.name} 只增不改`, sql: guardTableSql(plan.name) });
}
