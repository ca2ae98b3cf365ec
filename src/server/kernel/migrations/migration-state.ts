import type { Queryable } from '#server/kernel/db/database.ts';
import { INFRASTRUCTURE_STEPS } from './infrastructure.ts';
import { planHash, type TablePlan } from './schema-plan.ts';

/** What the last migration left: how many infrastructure steps have run, the plan's hash, the tables it knows. */
interface MigrationState {
  readonly infrastructure: number;
  readonly plan: string | null;
  readonly tables: ReadonlySet<string>;
}

const STATE_TABLE = 'create table if not exists sys_schema (key text primary key, value jsonb not null)';

/** Reads the state; a database without one has nothing. */
export async function readState(db: Queryable): Promise<MigrationState> {
  const [found] = await db.query(`select to_regclass('public.sys_schema') is not null as found`);
  const rows =
    found?.['found'] === true
      ? await db.query<{ key: string; value: unknown }>('select key, value from sys_schema')
      : [];
  const state = new Map(rows.map(({ key, value }) => [key, value]));
  const [steps, plan, tables] = [state.get('infrastructure'), state.get('plan'), state.get('tables')];
  return {
    infrastructure: typeof steps === 'number' ? steps : 0,
    plan: typeof plan === 'string' ? plan : null,
    tables: new Set(Array.isArray(tables) ? tables.map(String) : []),
  };
}

/** True when there is nothing to do. */
export async function isUpToDate(db: Queryable, plan: readonly TablePlan[]): Promise<boolean> {
  const state = await readState(db);
  return state.infrastructure === INFRASTRUCTURE_STEPS.length && state.plan === planHash(plan);
}

/** Runs the infrastructure steps that have not run yet; part of the caller's transaction. */
export async function runInfrastructure(db: Queryable): Promise<void> {
  await db.execute(STATE_TABLE);
  const { infrastructure } = await readState(db);
  for (const step of INFRASTRUCTURE_STEPS.slice(infrastructure)) await db.execute(step);
  await write(db, 'infrastructure', INFRASTRUCTURE_STEPS.length);
}

/** Remembers the tables as ours; the plan counts as done only with its hash, which `hash: null` takes away. */
export async function writePlan(
  db: Queryable,
  tables: ReadonlySet<string>,
  hash: string | null,
): Promise<void> {
  await write(db, 'tables', [...tables]);
  await write(db, 'plan', hash ?? '');
}

async function write(db: Queryable, key: string, value: unknown): Promise<void> {
  await db.execute(
    'insert into sys_schema values ($1, $2) on conflict (key) do update set value = excluded.value',
    [key, JSON.stringify(value)],
  );
}
