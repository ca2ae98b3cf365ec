import type { RunningServer } from '#server/main.ts';

/** Gives somebody open tasks about pending shipments of the benchmark, by SQL alone. */
export async function fillTasks(
  { services: { db } }: RunningServer,
  { personid, tasks }: { readonly personid: string; readonly tasks: number },
): Promise<void> {
  const own: Readonly<Record<string, string>> = {
    id: 'gen_random_uuid()',
    task_no: `'AABT' || s.shipment_no`,
    resource: `'shipment'`,
    record_id: 's.id',
    record_no: 's.shipment_no',
    record_title: `'出运单 ' || s.shipment_no`,
    amount_cny: 's.total_amount',
    assignee_ids: '(select array[p.id] from person p where p.personid = $1)',
    submitter_id: `(select p.id from person p where p.personid = 'sp.aa')`,
    submitted_at: 's.created_at',
    status: `'pending'`,
    result: `'pending'`,
    co_code: `'AA'`,
    is_deleted: 'false',
    search_text: 'lower(s.shipment_no)',
  };
  const names = Object.keys(own);
  await db.transaction(async (tx) => {
    await tx.execute('set local statement_timeout = 0');
    await tx.execute(
      `insert into approval_task (${names.map((name) => `"${name}"`).join(', ')})
       select ${Object.values(own).join(', ')}
       from (select * from shipment where co_code = 'AA' and shipment_no like 'AABX%' and status = 'pending' order by id limit $2::int) s`,
      [personid, tasks],
    );
  });
}
