import type { Reader } from '#server/records/call/statement.ts';

/** Whether a person approved a record at some level, or somebody did on the person's behalf. */
export async function hasApprovedRecord(
  db: Reader,
  asked: { readonly resource: string; readonly record: string; readonly person: string },
): Promise<boolean> {
  const rows = await db.query(
    `select 1 from approval_task where resource = any(erp_resource_names($1)) and record_id = $2
       and status = 'approved' and (acted_by = $3::uuid or acted_for = $3::uuid) and not is_deleted limit 1`,
    [asked.resource, asked.record, asked.person],
  );
  return rows.length > 0;
}
