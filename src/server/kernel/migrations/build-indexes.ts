import type { Queryable } from '#server/kernel/db/database.ts';
import { DatabaseFault } from '#server/kernel/db/database-fault.ts';
import { quoteName } from '#server/kernel/db/sql-identifiers.ts';
import { MigrationRefusal } from './judge-steps.ts';
import type { Step } from './migration-step.ts';
import { createIndexSql } from './table-sql.ts';

/**
 * Builds indexes on tables that people may be working with: concurrently when they hold rows, so outside a transaction.
 * @throws MigrationRefusal when rows that came in the meantime break a unique index
 */
export async function buildIndexes(db: Queryable, steps: readonly Step[]): Promise<void> {
  const filled = new Map<string, boolean>();
  for (const step of steps) {
    if (step.index === undefined) continue;
    const { table, index } = step.index;
    const isFilled = filled.get(table) ?? (await hasRows(db, table));
    filled.set(table, isFilled);
    try {
      await db.execute(createIndexSql(table, index, isFilled));
    } catch (error) {
      // A concurrent build that failed leaves an invalid index behind.
      await db.execute(`drop index if exists ${quoteName(index.name)}`);
      if (!(error instanceof DatabaseFault) || error.kind !== 'unique') throw error;
      const says = `${table} 中已有重复的 ${index.fields.join('、')}，不能建立唯一约束。请先处理重复的记录。`;
      throw new MigrationRefusal([{ ...step, kind: 'blocked', says }], error);
    }
  }
}

async function hasRows(db: Queryable, table: string): Promise<boolean> {
  const [row] = await db.query(`select exists (select 1 from ${quoteName(table)}) as filled`);
  return row?.['filled'] === true;
}
