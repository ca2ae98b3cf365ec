import type { Catalog, Resource } from '#engine/schema/resource.ts';
import { resealAudit } from '#server/kernel/audit/seal-audit.ts';
import type { Database, Tx } from '#server/kernel/db/database.ts';
import { isAppendOnly } from '#engine/schema/append-only.ts';
import { quoteName } from '#server/records/call/statement.ts';
import { lineFieldsOf } from '#server/records/write/write-rows.ts';
import { linesTableOf, tableOf } from '#server/records/call/table-source.ts';

/** What the organisation import makes and keeps. */
const KEPT: ReadonlySet<string> = new Set([
  'person',
  'department',
  'role',
  'approval_flow',
  'number_rule',
  'system_default',
  'dictionary',
  'permission_rule',
  'message_source',
]);
const TRACES = ['sys_notice', 'sys_approval_case', 'sys_file', 'sys_counter'] as const;

/** Takes away what a demo that was cut short has left in a company, so that it can be made again. */
export async function wipeCompany(db: Database, catalog: Catalog, company: string): Promise<void> {
  const resources = Object.values(catalog.resources).filter(
    ({ resource, scope, kind }) => scope === 'company' && kind !== 'view' && !KEPT.has(resource),
  );
  await db.transaction(async (tx) => {
    await tx.execute('set local statement_timeout = 0');
    for (const resource of resources)
      for (const table of tablesOf(resource))
        await (isAppendOnly(resource) ? emptyGuarded : empty)(tx, table, { company });
    for (const table of TRACES) await empty(tx, quoteName(table), { company });
    await emptyGuarded(tx, 'sys_audit', { company, of: resources.map(({ resource }) => resource) });
    await resealAudit(tx);
  });
}

interface Rows {
  readonly company: string;
  /** Only the rows that tell of these resources. */
  readonly of?: readonly string[];
}

function tablesOf(resource: Resource): readonly string[] {
  return [...lineFieldsOf(resource).map(({ name }) => linesTableOf(resource, name)), tableOf(resource)];
}

/** An append-only table refuses every delete, an empty one too; whoever else writes to it meanwhile waits. */
async function emptyGuarded(tx: Tx, table: string, rows: Rows): Promise<void> {
  const found = await tx.query(`select 1 from ${table} where co_code = $1 limit 1`, [rows.company]);
  if (found.length === 0) return;
  await tx.execute(`alter table ${table} disable trigger append_only`);
  await empty(tx, table, rows);
  await tx.execute(`alter table ${table} enable trigger append_only`);
}

async function empty(tx: Tx, table: string, { company, of }: Rows): Promise<void> {
  const onlyOf = of === undefined ? '' : ' and resource = any($2::text[])';
  await tx.execute(
    `delete from ${table} where co_code = $1${onlyOf}`,
    of === undefined ? [company] : [company, of],
  );
}
