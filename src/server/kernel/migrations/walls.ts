import type { Catalog } from '#engine/schema/resource.ts';
import type { Database, Queryable } from '#server/kernel/db/database.ts';
import type { Grantees } from '#server/kernel/db/database-roles.ts';
import { quoteLiteral, quoteName } from '#server/kernel/db/sql-identifiers.ts';
import { EVERYBODY, WALL_SETTINGS } from '#server/kernel/db/walled-database.ts';
import { withMigrationLock } from './migration-lock.ts';
import { partnerColumn } from './plan-indexes.ts';
import type { TablePlan } from './schema-plan.ts';

/**
 * Puts row level security on every table that companies own, the second wall behind the grants of roles: a connection of
 * the reader sees the rows of the company (and partner) that it was opened for, and none without. The application sees
 * all: effects of documents reach rows that their caller may not, so the wall stands where callers read. What is there is
 * compared with what should be; when nothing differs it costs two queries.
 */
export async function raiseWalls(
  owner: Database,
  catalog: Catalog,
  plan: readonly TablePlan[],
): Promise<void> {
  const { grantees } = owner;
  if (grantees === null || grantees.application === grantees.reader) return;
  const wanted = wallsOf(catalog, plan, grantees);
  await openNumbers(owner);
  if ((await missingWalls(owner, wanted)).length === 0) return;
  await withMigrationLock(owner, (session) =>
    session.transaction(async (tx) => {
      for (const text of await missingWalls(tx, wanted)) await tx.execute(text);
    }),
  );
}

/**
 * Behind a wall the database uses neither statistics nor indexes for operators that it does not know to be tight, and of
 * its comparisons only those of `numeric` are not marked so, though they show nothing of a value either: with them a
 * report over unpaid amounts went through every shipment. Only a superuser may mark them; others go without.
 */
async function openNumbers(owner: Database): Promise<void> {
  if ((await owner.query(UNMARKED)).length === 0) return;
  await withMigrationLock(owner, (session) =>
    session.transaction(async (tx) => {
      for (const { name } of await tx.query<{ name: string }>(UNMARKED))
        await tx.execute(`alter function pg_catalog.${quoteName(name)}(numeric, numeric) leakproof`);
    }),
  );
}

const UNMARKED = `
  select p.proname as name from pg_proc p
  where p.pronamespace = 'pg_catalog'::regnamespace and p.proargtypes = '1700 1700'::oidvector and not p.proleakproof
    and p.proname in ('numeric_eq', 'numeric_ne', 'numeric_lt', 'numeric_le', 'numeric_gt', 'numeric_ge')
    and (select rolsuper from pg_roles where rolname = current_user)`;

/** Takes the policies of readers from tables whose columns are to change: they show nothing until they are raised again. */
export async function lowerWalls(tx: Queryable, tables: readonly TablePlan[]): Promise<void> {
  const raised = await tx.query<{ name: string }>(
    `select c.relname as name from pg_policy p join pg_class c on c.oid = p.polrelid
     where c.relnamespace = 'public'::regnamespace and p.polname = 'wall_reader' and c.relname = any($1::text[])`,
    [tables.map(({ name }) => name)],
  );
  for (const { name } of raised) await tx.execute(`drop policy wall_reader on ${quoteName(name)}`);
}

interface Policy {
  readonly table: string;
  readonly name: string;
  /** All that makes it, as a comment keeps it: two policies with the same text are the same. */
  readonly text: string;
}

function wallsOf(catalog: Catalog, plan: readonly TablePlan[], grantees: Grantees): readonly Policy[] {
  return plan.flatMap((table) => {
    if (!table.head.company) return [];
    const resource = table.lines === undefined ? catalog.resources[table.resource] : undefined;
    const partner = resource === undefined ? null : partnerColumn(resource, catalog);
    const open = partner === null ? OWN_COMPANY : ownPartner(partner);
    return [
      {
        table: table.name,
        name: 'wall_application',
        text: `for all to ${quoteName(grantees.application)} using (true) with check (true)`,
      },
      {
        table: table.name,
        name: 'wall_reader',
        text: `for select to ${quoteName(grantees.reader)} using (${open})`,
      },
    ];
  });
}

/** As a subquery it is asked once a statement, not once a row. */
const setting = (name: string): string => `(select current_setting(${quoteLiteral(name)}, true))`;
const COMPANY = setting(WALL_SETTINGS.company);
const PARTNER = setting(WALL_SETTINGS.partner);
const IS_COMPANY = `co_code = ${COMPANY} or ${COMPANY} = '${EVERYBODY}'`;
// As one CASE: its parts would be taken for far narrower than they are, and lists planned for a handful of rows.
const OWN_COMPANY = `case when ${COMPANY} = '${EVERYBODY}' then true else co_code = ${COMPANY} end`;

function ownPartner(column: string): string {
  const id = `(select nullif(nullif(current_setting('${WALL_SETTINGS.partner}', true), '${EVERYBODY}'), '')::uuid)`;
  return `case when ${PARTNER} = '${EVERYBODY}' then ${IS_COMPANY} else (${IS_COMPANY}) and ${quoteName(column)} = ${id} end`;
}

async function missingWalls(db: Queryable, wanted: readonly Policy[]): Promise<readonly string[]> {
  const tables = new Map(
    (await db.query<ActualTable & Record<string, unknown>>(ACTUAL)).map((table) => [table.name, table]),
  );
  const statements = wanted.flatMap(({ table, name, text }) => {
    const actual = tables.get(table);
    if (actual === undefined || actual.policies[name] === text) return [];
    const on = `${quoteName(name)} on ${quoteName(table)}`;
    return [
      ...(actual.policies[name] === undefined ? [] : [`drop policy ${on}`]),
      `create policy ${on} ${text}`,
      `comment on policy ${on} is ${quoteLiteral(text)}`,
    ];
  });
  const closed = [...new Set(wanted.map(({ table }) => table))].filter(
    (name) => tables.get(name)?.isWalled === false,
  );
  // The policies first: a table is never walled off from the application.
  return [...statements, ...closed.map((name) => `alter table ${quoteName(name)} enable row level security`)];
}

interface ActualTable {
  readonly name: string;
  readonly isWalled: boolean;
  readonly policies: Readonly<Record<string, string>>;
}

const ACTUAL = `
  select c.relname as name, c.relrowsecurity as "isWalled",
    (select coalesce(json_object_agg(p.polname, coalesce(obj_description(p.oid, 'pg_policy'), '')), '{}')
     from pg_policy p where p.polrelid = c.oid) as policies
  from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')`;
