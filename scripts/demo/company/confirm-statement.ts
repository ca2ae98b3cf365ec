import { addDecimals, sumDecimals } from '#engine/values/decimal.ts';
import type { OwnRecords } from './make-own-records.ts';
import type { World } from './world.ts';

/** The bank's own statement of the dollars, in MT940: all of it is in the book. */
export async function confirmStatement({ stage }: World, accounts: OwnRecords['accounts']): Promise<void> {
  const account = accounts.get('USD') ?? '';
  const story = stage.begin('mt940', stage.today);
  const { account_no } = await story.read('company_bank_account', account);
  const entries = await stage.services.db.query<{
    day: string;
    mark: string;
    amount: string;
    ref: string;
    before: string;
    signed: string;
  }>(
    `select to_char(business_date, 'YYMMDD') as day, case when amount < 0 then 'D' else 'C' end as mark, abs(amount)::text as amount,
       coalesce(bank_ref, 'NONREF') as ref, (balance_after - amount)::text as before, amount::text as signed from bank_entry
     where account_id = $1::uuid and business_date = (select max(business_date) from bank_entry where account_id = $1::uuid)
     order by created_at, entry_no`,
    [account],
    'demo_last_day',
  );
  const [first] = entries;
  if (first === undefined) return;
  const lines = entries.map(
    ({ day, mark, amount, ref }) => `:61:${day}${day.slice(2)}${mark}${comma(amount)}NTRF${ref}`,
  );
  const closing = addDecimals(first.before, sumDecimals(entries.map((entry) => entry.signed)));
  const text = [
    ...['{4:', `:20:ST${first.day}`, `:25:BKCHCNBJ/${String(account_no)}`, ':28C:1/1'],
    ...[
      `:60F:C${first.day}USD${comma(first.before)}`,
      ...lines,
      `:62F:C${first.day}USD${comma(closing)}`,
      '-}',
    ],
  ];
  const file = await story.upload('tr', '美元账户对账单.sta', Buffer.from(text.join('\r\n')));
  const made = await story.create('tr', 'bank_statement', { account_id: account, file: [file] });
  await story.act('tr', 'bank_statement', { id: String(made['id']), action: 'confirm' });
}

/** An amount as MT940 writes it. */
function comma(amount: string): string {
  return amount.replace('.', ',');
}
