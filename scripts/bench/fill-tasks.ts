import type { RunningServer } from '#server/main.ts';

/**
 * Gives somebody open tasks about pending shipments of the benchmark, each a copy of a real task, by SQL alone; with the
 * cases they belong to.
 */
export async function fillTasks(
  { services: { db } }: RunningServer,
  { personid, tasks }: { readonly personid: string; readonly tasks: number },
): Promise<void> {
  const columns = await db.query<{ column_name: string }>(
    `select column_name from information_schema.columns where table_schema = 'public' and table_name = 'approval_task' and is_generated = 'NEVER'`,
    [],
  );
  const own: Readonly<Record<string, string>> = {
    id: 'gen_random_uuid()',
    task_no: `'AABT' || s.shipment_no`,
    resource: `'shipment'`,
    record_id: 's.id',
    record_no: 's.shipment_no',
    record_title: `'出运单 ' || s.shipment_no`,
    amount_cny: 's.total_amount',
    assignee_ids: '(select array[p.id] from person p where p.personid = $1)',
    submitted_at: 's.created_at',
    result: `'pending'`,
    acted_by: 'null',
    acted_for: 'null',
    acted_at: 'null',
    co_code: `'AA'`,
    is_deleted: 'false',
    search_text: 'lower(s.shipment_no)',
  };
  const names = columns.map(({ column_name: name }) => name);
  await db.transaction(async (tx) => {
    await tx.execute('set local statement_timeout = 0');
    await tx.execute(
      `insert into approval_task (${names.map((name) => `"${name}"`).join(', ')})
       select ${names.map((name) => own[name] ?? `t."${name}"`).join(', ')}
       from (select * from shipment where co_code = 'AA' and shipment_no like 'AABX%' and status = 'pending' order by id limit $2::int) s
       cross join (select * from approval_task limit 1) t`,
      [personid, tasks],
    );
  });
}
