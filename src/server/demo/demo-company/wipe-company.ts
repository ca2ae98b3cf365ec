import type { Catalog } from '#engine/schema/resource.ts';
import type { Database } from '#server/db/database.ts';
import { quoteName } from '#server/operations/statement.ts';
import { lineFieldsOf } from '#server/operations/write-rows.ts';
import { linesTableOf, tableOf } from '#server/operations/table-source.ts';

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
    for (const resource of resources) {
      for (const { name } of lineFieldsOf(resource))
        await tx.execute(`delete from ${linesTableOf(resource, name)} where co_code = $1`, [company]);
      await tx.execute(`delete from ${tableOf(resource)} where co_code = $1`, [company]);
    }
    for (const table of TRACES)
      await tx.execute(`delete from ${quoteName(table)} where co_code = $1`, [company]);
    // The audit is append-only for everybody else.
    await tx.execute('alter table sys_audit disable trigger append_only');
    await tx.execute('delete from sys_audit where co_code = $1 and resource = any($2::text[])', [
      company,
      resources.map(({ resource }) => resource),
    ]);
    await tx.execute('alter table sys_audit enable trigger append_only');
  });
}
