import type { Database, Queryable } from '#server/kernel/db/database.ts';
import type { Grantees } from '#server/kernel/db/database-roles.ts';
import { quoteName } from '#server/kernel/db/sql-identifiers.ts';
import { withMigrationLock } from './migration-lock.ts';
import type { TablePlan } from './schema-plan.ts';

/** What of a table is open to a role. */
type Privilege = 'SELECT' | 'INSERT' | 'UPDATE' | 'DELETE';

interface OpenTable {
  readonly name: string;
  readonly isAppendOnly: boolean;
  /** Grants as they are, by role. */
  readonly grants: Readonly<Record<string, readonly string[]>>;
}

const EVERYTHING: readonly Privilege[] = ['SELECT', 'INSERT', 'UPDATE', 'DELETE'];
const GROWING: readonly Privilege[] = ['SELECT', 'INSERT'];
const READING: readonly Privilege[] = ['SELECT'];
const NOTHING: readonly Privilege[] = [];

const KEPT: readonly Privilege[] = ['SELECT', 'INSERT', 'UPDATE'];

/** Tables whose rows are completed later and never leave. */
const NEVER_LEFT: ReadonlySet<string> = new Set(['sys_audit_seal']);
/** Tables that only migrations write. */
const MIGRATIONS_OWN: ReadonlySet<string> = new Set(['sys_schema']);
/** Secrets that no report needs. */
const CLOSED_TO_READER: ReadonlySet<string> = new Set([
  'sys_session',
  'sys_sms_code',
  'sys_ticket',
  'sys_idempotency',
  'sys_upload_link',
  'sys_oidc_binding',
]);

/**
 * Opens the tables to the roles of the application and of reports: ledgers, vouchers, logs and the audit only to grow,
 * whatever the definitions say now. What is there is compared with what should be, so that restored and older databases
 * come right too; when nothing differs it costs one query.
 */
export async function grantAccess(owner: Database, plan: readonly TablePlan[]): Promise<void> {
  const { grantees } = owner;
  if (grantees === null) return;
  if ((await missingGrants(owner, plan, grantees)).length === 0) return;
  await withMigrationLock(owner, (session) =>
    session.transaction(async (tx) => {
      for (const text of await missingGrants(tx, plan, grantees)) await tx.execute(text);
    }),
  );
}

async function missingGrants(
  db: Queryable,
  plan: readonly TablePlan[],
  { application, reader }: Grantees,
): Promise<readonly string[]> {
  const planned = new Set(plan.map(({ name }) => name));
  const tables = (
    await db.query<OpenTable & Record<string, unknown>>(ACTUAL, [[application, reader]])
  ).filter(({ name }) => planned.has(name) || name.startsWith('sys_'));
  const roles = new Set([application, reader]);
  return [...roles].flatMap((role) => {
    const wanted = role === application ? openToApplication : openToReader;
    return [
      ...statements(role, 'grant', tables, ({ grants, ...table }) => {
        const actual = grants[role] ?? [];
        return wanted(table).filter((privilege) => !actual.includes(privilege));
      }),
      ...statements(role, 'revoke', tables, ({ grants, ...table }) => {
        const open = wanted(table);
        return EVERYTHING.filter((p) => (grants[role] ?? []).includes(p) && !open.includes(p));
      }),
    ];
  });
}

type Table = Pick<OpenTable, 'name' | 'isAppendOnly'>;

function openToApplication({ name, isAppendOnly }: Table): readonly Privilege[] {
  if (MIGRATIONS_OWN.has(name)) return READING;
  if (NEVER_LEFT.has(name)) return KEPT;
  return isAppendOnly ? GROWING : EVERYTHING;
}

function openToReader({ name }: Table): readonly Privilege[] {
  return CLOSED_TO_READER.has(name) ? NOTHING : READING;
}

/** One statement for all tables that need the same. */
function statements(
  role: string,
  verb: 'grant' | 'revoke',
  tables: readonly OpenTable[],
  needs: (table: OpenTable) => readonly Privilege[],
): readonly string[] {
  const byNeed = new Map<string, string[]>();
  for (const table of tables) {
    const need = needs(table).join(', ');
    if (need !== '') byNeed.set(need, [...(byNeed.get(need) ?? []), quoteName(table.name)]);
  }
  const towards = verb === 'grant' ? 'to' : 'from';
  return [...byNeed].map(
    ([need, names]) => `${verb} ${need} on ${names.join(', ')} ${towards} ${quoteName(role)}`,
  );
}

// The trigger says what is append-only: it stands on the tables of definitions and on our own.
const ACTUAL = `
  select c.relname as name,
    exists (select 1 from pg_trigger t where t.tgrelid = c.oid and t.tgname = 'append_only') as "isAppendOnly",
    (select coalesce(json_object_agg(g.role, g.privileges), '{}') from (
       select r.rolname as role, json_agg(a.privilege_type) as privileges
       from aclexplode(c.relacl) a join pg_roles r on r.oid = a.grantee
       where r.rolname = any($1::text[]) group by r.rolname) g) as grants
  from pg_class c
  where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')
  order by c.relname`;
