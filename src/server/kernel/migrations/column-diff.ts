import { quoteName } from '#server/kernel/db/sql-identifiers.ts';
import type { Column } from '#server/kernel/db/table-columns.ts';
import { columnChange } from './column-change.ts';
import type { Step } from './migration-step.ts';
import { anyRows } from './row-tests.ts';
import { makeStep, presentColumn, type TableNow } from './table-now.ts';
import { addColumnSql } from './table-sql.ts';

/** What brings the columns of an existing table up to its plan, and what of them no definition names any more. */
export function diffColumns(now: TableNow): readonly Step[] {
  const { plan, actual } = now;
  const used = new Set<string>();
  const steps = plan.columns.flatMap((column): readonly Step[] => {
    const present = presentColumn(now, column);
    const found = actual.columns.find(({ name }) => name === present);
    if (found === undefined)
      return [
        makeStep(plan, {
          name: `add_${column.name}`,
          says: `在 ${plan.name} 上加列 ${column.name}`,
          sql: addColumnSql(plan.name, column),
        }),
      ];
    used.add(found.name);
    const renames =
      found.name === column.name ? refuseMerge(now, column) : [renameColumn(now, column, found.name)];
    return [...renames, ...changeType(now, column, found)];
  });
  const unused = actual.columns.filter(({ name }) => !used.has(name));
  return [
    ...steps,
    ...unused.filter(({ notNull }) => notNull).map(({ name }) => releaseColumn(now, name)),
    ...unused.map(({ name }) => dropColumn(now, name)),
  ];
}

function renameColumn({ plan }: TableNow, column: Column, from: string): Step {
  return makeStep(plan, {
    name: `rename_${column.name}`,
    says: `列 ${plan.name}.${from} 改名为 ${column.name}`,
    sql: `alter table ${quoteName(plan.name)} rename column ${quoteName(from)} to ${quoteName(column.name)}`,
    isBreaking: true,
    rename: {
      kind: 'field',
      resource: plan.resource,
      lines: plan.lines ?? null,
      was: from,
      name: column.name,
    },
  });
}

/** The new name has a column of its own: two columns with values do not become one by a rename. */
function refuseMerge({ plan, actual, place }: TableNow, column: Column): readonly Step[] {
  const isThere = actual.columns.some(({ name }) => name === column.was);
  if (column.was === undefined || !isThere || plan.columns.some(({ name }) => name === column.was)) return [];
  const former = `${plan.name}.${column.was}`;
  return [
    makeStep(plan, {
      name: `rename_${column.name}`,
      kind: 'blocked',
      says: `${plan.name}.${column.name} 已有自己的列，不能再由 ${former} 改名；请删去 "was"，或先移走 ${former}`,
      against: { sql: anyRows(place, `t.${quoteName(column.was)} is not null`), whenNone: 'settled' },
    }),
  ];
}

function changeType(
  { plan, place }: TableNow,
  column: Column,
  found: { readonly name: string; readonly type: string },
): readonly Step[] {
  const change = columnChange(found.type, column.type, quoteName(column.name));
  if (change.kind === 'none') return [];
  const using = change.using === undefined ? '' : ` using ${change.using}`;
  const table = quoteName(plan.name);
  const sql = `alter table ${table} alter column ${quoteName(column.name)} type ${column.type}${using}`;
  const says = `${plan.name}.${column.name} 的类型由 ${found.type} 改为 ${column.type}`;
  if (change.kind === 'widen') return [makeStep(plan, { name: `widen_${column.name}`, says, sql })];
  return [
    makeStep(plan, {
      name: `retype_${column.name}`,
      kind: 'explicit',
      isBreaking: true,
      says,
      statements: [{ sql: `lock table ${table} in access exclusive mode` }, { sql }],
      quarantine: { table: plan.name, column: column.name },
      against: { sql: anyRows(place, `t.${quoteName(found.name)} is not null`), whenNone: 'additive' },
    }),
  ];
}

/** A column that nobody fills any more must not refuse new rows. */
function releaseColumn({ plan }: TableNow, column: string): Step {
  return makeStep(plan, {
    name: `release_${column}`,
    says: `${plan.name}.${column} 不再必填`,
    sql: `alter table ${quoteName(plan.name)} alter column ${quoteName(column)} drop not null`,
  });
}

function dropColumn({ plan, place }: TableNow, column: string): Step {
  return makeStep(plan, {
    name: `drop_${column}`,
    kind: 'optional',
    isBreaking: true,
    says: `删除列 ${plan.name}.${column}`,
    sql: `alter table ${quoteName(plan.name)} drop column ${quoteName(column)}`,
    quarantine: { table: plan.name, column },
    against: { sql: anyRows(place, `t.${quoteName(column)} is not null`), whenNone: 'optional' },
  });
}
