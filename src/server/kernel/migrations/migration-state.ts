import type { Queryable } from '#server/kernel/db/database.ts';
import type { ColumnRule } from './column-rules.ts';
import { INFRASTRUCTURE_STEPS } from './infrastructure.ts';
import { planHash, type TablePlan } from './schema-plan.ts';

/** What the last migration made of a table. */
export interface MadeTable {
  /** Hash of its plan; null until its indexes stand. */
  readonly hash: string | null;
  readonly rules: readonly ColumnRule[];
  readonly states: readonly string[];
  /** Former states: the database takes no row in one of them any more. */
  readonly banned: readonly string[];
  /** Stricter rules that an operator took as they are, by step. */
  readonly accepted?: Readonly<Record<string, string>>;
}

/** What the last migration left. */
export interface MigrationState {
  /** How many infrastructure steps have run. */
  readonly infrastructure: number;
  /** Hash of the whole plan, when all of it is done. */
  readonly plan: string | null;
  readonly epoch: number;
  /** Tables that the engine made; of those made before rules were kept, nothing more is known. */
  readonly tables: ReadonlyMap<string, MadeTable | null>;
}

const STATE_TABLE = 'create table if not exists sys_schema (key text primary key, value jsonb not null)';
const TABLE_PREFIX = 'table:';

/** Reads the state; a database without one has nothing. */
export async function readState(db: Queryable): Promise<MigrationState> {
  const [found] = await db.query(`select to_regclass('public.sys_schema') is not null as found`);
  const rows =
    found?.['found'] === true
      ? await db.query<{ key: string; value: unknown }>('select key, value from sys_schema')
      : [];
  const state = new Map(rows.map(({ key, value }) => [key, value]));
  const [steps, plan, epoch, known] = ['infrastructure', 'plan', 'epoch', 'tables'].map((key) =>
    state.get(key),
  );
  const tables = new Map<string, MadeTable | null>(
    (Array.isArray(known) ? known : []).map((name) => [String(name), null]),
  );
  for (const { key, value } of rows)
    if (key.startsWith(TABLE_PREFIX)) tables.set(key.slice(TABLE_PREFIX.length), madeTable(value));
  return {
    infrastructure: typeof steps === 'number' ? steps : 0,
    plan: typeof plan === 'string' ? plan : null,
    epoch: typeof epoch === 'number' ? epoch : 0,
    tables,
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

/** Remembers a table as made by the engine, and what was made of it. */
export async function keepTable(db: Queryable, name: string, made: MadeTable): Promise<void> {
  await write(db, `${TABLE_PREFIX}${name}`, made);
}

/** A table that is gone, or has another name now. */
export async function forgetTable(db: Queryable, name: string): Promise<void> {
  await db.execute('delete from sys_schema where key = $1', [`${TABLE_PREFIX}${name}`]);
  await db.execute(`update sys_schema set value = value - $1 where key = 'tables'`, [name]);
}

/** The plan counts as done only with its hash, which null takes away. */
export async function keepPlan(db: Queryable, hash: string | null): Promise<void> {
  await write(db, 'plan', hash ?? '');
}

/** No transaction is committed under it. */
const NO_EPOCH = -1;

/** How often names that work relies on were changed or taken away, for whoever works by this plan: none when it is not the one of the tables. */
export async function readEpoch(db: Queryable, plan: readonly TablePlan[]): Promise<number> {
  const state = await readState(db);
  return state.plan === planHash(plan) ? state.epoch : NO_EPOCH;
}

/** Whoever works under the definitions so far can commit no more. */
export async function beginEpoch(tx: Queryable): Promise<void> {
  await write(tx, 'epoch', (await readState(tx)).epoch + 1);
}

async function write(db: Queryable, key: string, value: unknown): Promise<void> {
  await db.execute(
    'insert into sys_schema values ($1, $2) on conflict (key) do update set value = excluded.value',
    [key, JSON.stringify(value)],
  );
}

function madeTable(value: unknown): MadeTable | null {
  // Written by keepTable alone.
  return typeof value === 'object' && value !== null ? (value as MadeTable) : null;
}
