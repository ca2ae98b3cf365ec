import { StartRefusal } from '#server/kernel/start-refusal.ts';
import type { Queryable } from '#server/kernel/db/database.ts';
import { DatabaseFault } from '#server/kernel/db/database-fault.ts';
import { quoteName } from '#server/kernel/db/sql-identifiers.ts';
import { createIndex, type SchemaDiff, type Step } from './schema-diff.ts';

/**
 * Builds indexes on tables that people may be working with: concurrently when they hold rows, so outside a transaction.
 * @throws StartRefusal naming the fields when existing rows break a unique index.
 */
export async function buildIndexes(db: Queryable, indexes: SchemaDiff['indexes']): Promise<readonly Step[]> {
  const done: Step[] = [];
  for (const { table, index } of indexes) {
    const [row] = await db.query(`select exists (select 1 from ${quoteName(table)}) as filled`);
    const step = createIndex(table, index, row?.['filled'] === true);
    try {
      await db.execute(step.sql);
    } catch (error) {
      // A concurrent build that failed leaves an invalid index behind.
      await db.execute(`drop index if exists ${quoteName(index.name)}`);
      if (error instanceof DatabaseFault && error.kind === 'unique')
        throw new StartRefusal(
          `${table} 中已有重复的 ${index.fields.join('、')}，不能建立唯一约束。请先处理重复的记录。`,
          error,
        );
      throw error;
    }
    done.push(step);
  }
  return done;
}
