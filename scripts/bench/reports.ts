import type { RunningServer } from '#server/main.ts';
import { median } from './measure.ts';
import { call } from './session.ts';

/** Reports that people open every day, and the widest. */
const DAILY = [21, 35, 36, 37, 39, 59];
const WIDEST = [41, 50, 52, 54, 58, 69, 70, 72];
const RUNS = 5;

type Add = (what: string, result: string, target: string, isMet: boolean) => void;

/**
 * Puts receipts beside the shipments of the benchmark: one posted split of twenty lines for every twenty shipments that
 * are paid, by SQL alone, in stretches.
 */
export async function fillReceipts({ services: { db } }: RunningServer): Promise<void> {
  for (const { table, own, from } of [
    {
      table: 'receipt_split',
      own: {
        id: 'g.id',
        split_no: `'AABF' || g.n`,
        status: `'posted'`,
        split_date: 'g.day',
        is_deleted: 'false',
        search_text: `'aabf' || g.n`,
      },
      from: `(select ${HEAD_ID} as id, s.b as n, min(s.atd) + 30 as day from (${PAID}) s group by s.b) g`,
    },
    {
      table: 'receipt_split__lines',
      own: {
        id: 'gen_random_uuid()',
        parent_id: 'g.id',
        line_order: 'g.n',
        shipment_id: 'g.shipment_id',
        nature: `'goods'`,
        amount: 'g.amount',
        counted_amount: 'g.amount',
        amount_usd: 'g.amount',
      },
      from: `(select ${HEAD_ID} as id, row_number() over (partition by s.b) as n, s.id as shipment_id, s.total_amount as amount from (${PAID}) s) g`,
    },
  ]) {
    const columns = await db.query<{ column_name: string }>(
      `select column_name from information_schema.columns where table_schema = 'public' and table_name = $1 and is_generated = 'NEVER'`,
      [table],
    );
    const names = columns.map(({ column_name: name }) => name);
    const values = new Map<string, string>(Object.entries(own));
    await db.transaction(async (tx) => {
      await tx.execute('set local statement_timeout = 0');
      await tx.execute(
        `insert into "${table}" (${names.map((name) => `"${name}"`).join(', ')})
         select ${names.map((name) => values.get(name) ?? `t."${name}"`).join(', ')}
         from ${from} cross join (select * from "${table}" where co_code = 'AA' limit 1) t
         on conflict do nothing`,
      );
    });
  }
}

/** Shipments of the benchmark that are paid and have no receipt yet, in batches of twenty by their numbers. */
const PAID = `select p.id, p.atd, p.total_amount, substr(p.shipment_no, 5)::bigint / 20 as b from shipment p
  where p.co_code = 'AA' and p.shipment_no like 'AABX%' and p.status = 'shipped' and p.unreceived = 0
    and not exists (select 1 from receipt_split__lines l where l.co_code = 'AA' and l.shipment_id = p.id)`;
/** The same for the head and its lines. */
const HEAD_ID = `md5('bench ' || s.b)::uuid`;

/** How long the reports take that are open to whoever asks, one after the other. */
export async function measureReports(
  { url }: { readonly url: string },
  token: string,
  { size, add }: { readonly size: string; readonly add: Add },
): Promise<void> {
  for (const [reports, most] of [
    [DAILY, 1_000],
    [WIDEST, 5_000],
  ] as const)
    for (const report of reports) {
      const ms = await median(RUNS, () =>
        call(url, token, { path: `/erp/api/report/${report}/run`, body: {} }),
      );
      add(`报表 ${report} / ${size}明细单`, `${ms.toFixed(0)} ms`, `< ${most / 1_000} s`, ms < most);
    }
}
