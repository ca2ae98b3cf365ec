import type { RunningServer } from '#server/main.ts';
import { tidyTables } from './tidy-tables.ts';

/**
 * Adds shipments by SQL until the company has a number of them, each a copy of a real one with its own number, dates,
 * amount and state. Only the benchmark does this: the operations are measured, not used, here.
 */
export async function fillShipments(server: RunningServer, count: number): Promise<void> {
  const { db } = server.services;
  const [have] = await db.query<{ n: string }>(`select count(*) as n from shipment where co_code = 'AA'`, []);
  const missing = count - Number(have?.n ?? 0);
  if (missing <= 0) return;
  const columns = await db.query<{ column_name: string }>(
    `select column_name from information_schema.columns where table_schema = 'public' and table_name = 'shipment' and is_generated = 'NEVER' order by ordinal_position`,
    [],
  );
  const own: Readonly<Record<string, string>> = {
    id: 'gen_random_uuid()',
    shipment_no: `'AABX' || lpad((g.n + $1::bigint)::text, 9, '0')`,
    invoice_no: `'AABX' || lpad((g.n + $1::bigint)::text, 9, '0')`,
    invoice_date: `date '2024-01-01' + (g.n % 1000)::int`,
    atd: `date '2024-01-01' + (g.n % 1000)::int`,
    receipt_due_date: `date '2024-01-01' + (g.n % 1000)::int + 60`,
    total_amount: `(g.n % 90000 + 1000)::numeric`,
    amount_usd: `(g.n % 90000 + 1000)::numeric`,
    // One in twenty is still to be paid.
    unreceived: `case when g.n % 20 = 0 then (g.n % 90000 + 1000)::numeric else 0 end`,
    received_applied: 'null',
    last_received_on: `date '2024-01-01' + (g.n % 1000)::int + 30`,
    status: `(array['draft', 'pending', 'approved', 'declared', 'shipped', 'shipped', 'shipped', 'shipped'])[1 + g.n % 8]`,
    search_text: `lower('AABX' || lpad((g.n + $1::bigint)::text, 9, '0'))`,
    is_deleted: 'false',
  };
  const names = columns.map((column) => column.column_name);
  const step = 100_000;
  for (let done = 0; done < missing; done += step) {
    await db.transaction(async (tx) => {
      // A slow machine takes longer than any request may.
      await tx.execute('set local statement_timeout = 0');
      await tx.execute(
        `insert into shipment (${names.map((name) => `"${name}"`).join(', ')})
       select ${names.map((name) => own[name] ?? `s."${name}"`).join(', ')}
       from generate_series(1, $2::int) as g(n)
       join (select *, row_number() over (order by id) - 1 as place, count(*) over () as places
             from shipment where co_code = 'AA' and shipment_no not like 'AABX%') s on s.place = g.n % s.places`,
        [Number(have?.n ?? 0) + done, Math.min(step, missing - done)],
      );
    });
  }
  await tidyTables(server, ['shipment']);
}
