import { setTimeout as delay } from 'node:timers/promises';
import type { Catalog } from '#engine/schema/resource.ts';
import { StartRefusal } from '#server/kernel/start-refusal.ts';
import type { Database, Queryable, Session } from '#server/kernel/db/database.ts';
import { DatabaseFault } from '#server/kernel/db/database-fault.ts';
import { readActualSchema } from './actual-schema.ts';
import { buildIndexes } from './build-indexes.ts';
import { withMigrationLock } from './migration-lock.ts';
import { isUpToDate, readState, runInfrastructure, writePlan } from './migration-state.ts';
import { createIndex, diffSchema, type SchemaDiff, type Step } from './schema-diff.ts';
import { planHash, planSchema, type TablePlan } from './schema-plan.ts';

export type { Step } from './schema-diff.ts';

/** What an explicit migration would do, in Chinese sentences with the SQL. */
export interface MigrationPreview {
  readonly additive: readonly Step[];
  /** Values may be lost or refused. */
  readonly destructive: readonly Step[];
}

const LOCK_ATTEMPTS = 4;
const LOCK_PAUSE_MS = 500;

/**
 * Brings the tables up to the definitions and says what it did. Only adds, widens, renames and indexes; when nothing
 * changed it costs two small queries. Several processes may call it at once.
 * @throws StartRefusal listing what would lose data, what is in the way of a unique index, or that a table stayed busy.
 */
export async function migrate(db: Database, catalog: Catalog): Promise<readonly Step[]> {
  const plan = planSchema(catalog);
  if (await isUpToDate(db, plan)) return [];
  return withMigrationLock(db.url, async (session) => {
    if (await isUpToDate(session, plan)) return [];
    return apply(session, plan, (diff) => {
      refuse(diff.retypes);
      return diff.additive;
    });
  });
}

/** The dry run of the explicit migration. */
export async function previewMigration(db: Database, catalog: Catalog): Promise<MigrationPreview> {
  const { additive, indexes, retypes, drops } = await readDiff(db, planSchema(catalog));
  const built = indexes.map(({ table, index }) => createIndex(table, index, true));
  return { additive: [...additive, ...built], destructive: [...retypes, ...drops] };
}

/** The explicit migration: also changes types and drops what no definition names. Make a backup first. */
export async function migrateDestructively(db: Database, catalog: Catalog): Promise<readonly Step[]> {
  return withMigrationLock(db.url, (session) =>
    apply(session, planSchema(catalog), ({ additive, retypes, drops }) => [
      ...additive,
      ...retypes,
      ...drops,
    ]),
  );
}

async function apply(
  session: Session,
  plan: readonly TablePlan[],
  choose: (diff: SchemaDiff) => readonly Step[],
): Promise<readonly Step[]> {
  const { steps, indexes, tables } = await patiently(() =>
    session.transaction(async (tx) => {
      await runInfrastructure(tx);
      const { tables: known } = await readState(tx);
      const diff = await readDiff(tx, plan);
      const chosen = choose(diff);
      await runAll(tx, chosen);
      const all = new Set([...known, ...plan.map(({ name }) => name)]);
      // Until its indexes stand the plan is not done: a process that dies here finds them missing again.
      await writePlan(tx, all, null);
      return { steps: chosen, indexes: diff.indexes, tables: all };
    }),
  );
  const built = await buildIndexes(session, indexes);
  await writePlan(session, tables, planHash(plan));
  return [...steps, ...built];
}

async function readDiff(db: Queryable, plan: readonly TablePlan[]): Promise<SchemaDiff> {
  const { tables } = await readState(db);
  return diffSchema(plan, await readActualSchema(db), tables);
}

async function runAll(tx: Queryable, steps: readonly Step[]): Promise<void> {
  for (const { sql, says } of steps) {
    try {
      await tx.execute(sql);
    } catch (error) {
      if (error instanceof DatabaseFault && error.kind !== 'lock_timeout')
        throw new StartRefusal(`数据库升级失败：${says}（${error.message}）。数据库没有改动。`, error);
      throw error;
    }
  }
}

/** A busy table is tried again: the lock_timeout keeps a waiting ALTER from holding up everybody behind it. */
async function patiently<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof DatabaseFault) || error.kind !== 'lock_timeout') throw error;
      if (attempt === LOCK_ATTEMPTS)
        throw new StartRefusal('数据库升级失败：要修改的表一直被占用。请稍后再试。', error);
      await delay(LOCK_PAUSE_MS * attempt);
    }
  }
}

function refuse(retypes: readonly Step[]): void {
  if (retypes.length === 0) return;
  throw new StartRefusal(
    `定义的改动可能丢失数据，不会自动执行：${retypes.map(({ says }) => says).join('；')}。请先用 npm run migrate -- --dry-run 查看，再用 --apply 执行（会先备份）。`,
  );
}
