import { setTimeout as delay } from 'node:timers/promises';
import type { Rename } from '#engine/schema/apply-renames.ts';
import type { Catalog } from '#engine/schema/resource.ts';
import { StartRefusal } from '#server/kernel/start-refusal.ts';
import type { Database, Queryable, Session } from '#server/kernel/db/database.ts';
import { DatabaseFault } from '#server/kernel/db/database-fault.ts';
import { readActualSchema } from './actual-schema.ts';
import { buildIndexes } from './build-indexes.ts';
import { carryRenames } from './carry-renames.ts';
import { grantAccess } from './grants.ts';
import { lowerWalls, raiseWalls } from './walls.ts';
import { judgeSteps, MigrationRefusal } from './judge-steps.ts';
import { withMigrationLock } from './migration-lock.ts';
import { beginEpoch, forgetTable, isUpToDate, keepPlan, keepTable, type MigrationState, readEpoch, readState, runInfrastructure } from './migration-state.ts'; // prettier-ignore
import { type Step, stepId } from './migration-step.ts';
import { moveToQuarantine } from './quarantine.ts';
import { diffSchema, findAbandoned } from './schema-diff.ts';
import { planHash, planSchema, type TablePlan, tablePlanHash } from './schema-plan.ts';
import { bannedStates } from './state-diff.ts';

export interface MigrateOptions {
  /** Told of each resource before its steps run. */
  readonly onResource?: (resource: string, steps: readonly Step[]) => void;
}

const LOCK_ATTEMPTS = 4;
const LOCK_PAUSE_MS = 500;

/**
 * Brings the tables up to the definitions and says what it did: adds, widens, renames, builds indexes. A resource is done
 * in one transaction; a process that dies between two leaves what it did, and the next one goes on. When nothing changed
 * it costs three small queries. Several processes may call it at once.
 * @throws MigrationRefusal with the steps that wait for rows to be mended or for the operator's word; nothing was changed
 * @throws StartRefusal when a table stayed busy
 */
export async function migrate(
  db: Database,
  catalog: Catalog,
  options: MigrateOptions = {},
): Promise<readonly Step[]> {
  const plan = planSchema(catalog);
  const steps = await bringUpTo(db, { catalog, plan, options });
  await grantAccess(db, plan);
  await raiseWalls(db, catalog, plan);
  return steps;
}

async function bringUpTo(
  db: Database,
  { catalog, plan, options }: { catalog: Catalog; plan: readonly TablePlan[]; options: MigrateOptions },
): Promise<readonly Step[]> {
  if (await isUpToDate(db, plan)) return [];
  return withMigrationLock(db, async (session) => {
    if (await isUpToDate(session, plan)) return [];
    await patiently(() => session.transaction((tx) => runInfrastructure(tx)));
    const state = await readState(session);
    const due = plan.filter((table) => state.tables.get(table.name)?.hash !== tablePlanHash(table));
    const found = diffSchema(plan, due, { actual: await readActualSchema(session), made: state.tables });
    const steps = await judgeSteps(
      session,
      found.filter(({ kind }) => kind !== 'optional'),
    );
    const waiting = steps.filter(({ kind }) => kind !== 'additive');
    if (waiting.length > 0) throw new MigrationRefusal(waiting);
    // Until every table stands the plan is not done: a process that dies here finds out what is missing, and so does one
    // after a power cut. So nothing has to reach the disk before the plan does.
    await session.execute('set synchronous_commit = off');
    await keepPlan(session, null);
    for (const resource of new Set(due.map((table) => table.resource))) {
      const own = steps.filter((step) => step.resource === resource);
      options.onResource?.(resource, own);
      await migrateResource(session, {
        catalog,
        state,
        steps: own,
        due: due.filter((table) => table.resource === resource),
      });
    }
    await session.execute('set synchronous_commit = on');
    await keepPlan(session, planHash(plan));
    return steps;
  });
}

/** True when the tables are as these definitions ask. */
export function isMigrated(db: Queryable, catalog: Catalog): Promise<boolean> {
  return isUpToDate(db, planSchema(catalog));
}

/** What `Database.follow` is told once these definitions serve. */
export function epochOf(db: Queryable, catalog: Catalog): Promise<number> {
  return readEpoch(db, planSchema(catalog));
}

/** What a migration would do, resource by resource: also what it leaves to the operator. */
export async function planMigration(db: Database, catalog: Catalog): Promise<readonly Step[]> {
  const plan = planSchema(catalog);
  const state = await readState(db);
  const now = { actual: await readActualSchema(db), made: state.tables };
  return judgeSteps(db, [...diffSchema(plan, plan, now), ...findAbandoned(plan, now)]);
}

/**
 * Does one step that waits for the operator's word: changes a type, drops into quarantine, takes a stricter rule as it is.
 * @throws StartRefusal when there is no such step, or rows refuse it
 */
export async function applyStep(db: Database, catalog: Catalog, id: string): Promise<Step> {
  return withMigrationLock(db, async (session) => {
    await patiently(() => session.transaction((tx) => runInfrastructure(tx)));
    const plan = planSchema(catalog);
    const state = await readState(session);
    const now = { actual: await readActualSchema(session), made: state.tables };
    const all = [...diffSchema(plan, plan, now), ...findAbandoned(plan, now)];
    const [step] = await judgeSteps(
      session,
      all.filter((each) => stepId(each) === id),
    );
    if (step === undefined) throw new StartRefusal(`没有待执行的步骤 ${id}。`);
    if (step.kind === 'blocked') throw new MigrationRefusal([step]);
    const around = all.filter(({ resource }) => resource === step.resource);
    if (step.rename === undefined && around.some(({ rename }) => rename !== undefined))
      throw new StartRefusal(`${step.resource} 同时有改名：请先只改名，生效之后再执行 ${id}。`);
    const way = around.filter(({ makesWay }) => makesWay === true);
    await patiently(() => session.transaction((tx) => applyOne(tx, { step, way, state, plan })));
    await keepPlan(session, null);
    return step;
  });
}

interface StepInPlan {
  readonly step: Step;
  /** What has to go before it. */
  readonly way: readonly Step[];
  readonly state: MigrationState;
  readonly plan: readonly TablePlan[];
}

async function applyOne(tx: Queryable, { step, way, state, plan }: StepInPlan): Promise<void> {
  const { quarantine } = step;
  // A policy holds on to its columns; the next migration raises it again.
  await lowerWalls(
    tx,
    plan.filter(({ resource }) => resource === step.resource),
  );
  if (quarantine !== undefined) {
    const keys = plan.find(({ name }) => name === quarantine.table)?.primaryKey ?? ['id'];
    await moveToQuarantine(tx, { ...quarantine, keys });
    if (quarantine.column === undefined) await forgetTable(tx, quarantine.table);
  }
  for (const each of [...way, step]) await runStep(tx, each);
  if (step.isBreaking === true) await beginEpoch(tx);
  if (step.accepts !== undefined) await accept(tx, { step, state, plan });
}

/** Keeps that the operator took a stricter rule though rows break it: the next migration passes it. */
async function accept(tx: Queryable, { step, state, plan }: Omit<StepInPlan, 'way'>): Promise<void> {
  const table = plan.find(
    ({ resource, lines }) =>
      resource === step.resource &&
      (lines === undefined ? !step.name.includes('.') : step.name.startsWith(`${lines}.`)),
  );
  const names = [table?.name, table?.was].filter((name) => name !== undefined);
  for (const name of names) {
    const made = state.tables.get(name);
    if (made === undefined || made === null || step.accepts === undefined) continue;
    await keepTable(tx, name, { ...made, accepted: { ...made.accepted, [step.name]: step.accepts } });
  }
}

interface ResourceMigration {
  readonly catalog: Catalog;
  readonly state: MigrationState;
  readonly steps: readonly Step[];
  readonly due: readonly TablePlan[];
}

async function migrateResource(
  session: Session,
  { catalog, state, steps, due }: ResourceMigration,
): Promise<void> {
  const inside = steps.filter(({ index }) => index === undefined);
  const renames = inside.flatMap(({ rename }): readonly Rename[] => (rename === undefined ? [] : [rename]));
  await patiently(() =>
    session.transaction(async (tx) => {
      for (const step of inside) await runStep(tx, step);
      await carryRenames(tx, catalog, renames);
      if (inside.some(({ isBreaking }) => isBreaking === true)) await beginEpoch(tx);
      for (const table of due) await keep(tx, state, table, null);
    }),
  );
  await buildIndexes(session, steps);
  await session.transaction(async (tx) => {
    for (const table of due) await keep(tx, state, table, tablePlanHash(table));
  });
}

async function keep(
  tx: Queryable,
  state: MigrationState,
  table: TablePlan,
  hash: string | null,
): Promise<void> {
  const { name, was } = table;
  const isRenamed = was !== undefined && !state.tables.has(name) && state.tables.has(was);
  const made = state.tables.get(isRenamed ? was : name) ?? null;
  await keepTable(tx, name, {
    hash,
    rules: table.rules,
    states: table.states?.known ?? [],
    banned: bannedStates({ plan: table, made }),
  });
  if (isRenamed) await forgetTable(tx, was);
}

async function runStep(tx: Queryable, step: Step): Promise<void> {
  for (const { sql, values, isGuard } of step.statements) {
    try {
      const rows = await tx.query(sql, values ?? []);
      if (isGuard === true && rows.length > 0) throw new MigrationRefusal([{ ...step, kind: 'blocked' }]);
    } catch (error) {
      if (error instanceof DatabaseFault && !isPassing(error))
        throw new MigrationRefusal(
          [{ ...step, kind: 'blocked', says: `${step.says}失败：${error.message}` }],
          error,
        );
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
      if (!(error instanceof DatabaseFault) || !isPassing(error)) throw error;
      if (attempt === LOCK_ATTEMPTS)
        throw new StartRefusal('数据库升级失败：要修改的表一直被占用。请稍后再试。', error);
      await delay(LOCK_PAUSE_MS * attempt);
    }
  }
}

function isPassing({ kind }: DatabaseFault): boolean {
  return kind === 'lock_timeout' || kind === 'conflict';
}
