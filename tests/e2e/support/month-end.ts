import type { Page } from 'playwright/test';
import { change, create, type Fields, find, recordOf, request, run } from './flow-api.ts';
import { show } from './flow-desk.ts';

const today = (): string =>
  new Intl.DateTimeFormat('sv-SE', { timeZone: 'Asia/Shanghai' }).format(new Date());

/** The two months that are to be closed next, and whether the first of them stood revalued already. */
export async function monthsToClose(
  fn: Page,
): Promise<{ readonly month: Fields; readonly following: Fields; readonly wasRevalued: boolean }> {
  const open = await find(fn, 'accounting_period', {
    status: { in: ['open', 'revalued'] },
    end_date: { lt: today() },
  });
  const [month, following] = open.toSorted((a, b) => (String(a['period']) < String(b['period']) ? -1 : 1));
  if (month === undefined || following === undefined) throw new TypeError('no two months to close');
  return { month, following, wasRevalued: month['status'] === 'revalued' };
}

/** The mid rates of a month's end, which the administrator of the group keeps. */
export async function enterRates(
  { ad }: { readonly ad: Page },
  { start_date, end_date }: Fields,
): Promise<void> {
  for (const { currency } of await find(ad, 'company_bank_account', { status: { eq: 'active' } })) {
    if (currency === 'CNY') continue;
    const kind = { currency: { eq: currency }, kind: { eq: 'mid' } };
    const known = await find(ad, 'currency_rate', { ...kind, date: { gte: start_date, lte: end_date } });
    if (known.length > 0) continue;
    const [last] = (await find(ad, 'currency_rate', { ...kind, date: { lt: start_date } })).toSorted(
      (a, b) => (String(a['date']) < String(b['date']) ? 1 : -1),
    );
    await create(ad, 'currency_rate', {
      ...{ currency, kind: 'mid', date: end_date },
      rate: last?.['rate'] ?? '7.1',
    });
  }
}

/** What the bank says of the last day is what the book says: of all accounts, or of all but one. The one that is left. */
export async function checkBalances(
  { tr }: { readonly tr: Page },
  day: unknown,
  left: number,
): Promise<string | null> {
  const accounts = await find(tr, 'company_bank_account', { status: { eq: 'active' } });
  let rest: string | null = null;
  for (const [place, account] of accounts.entries()) {
    const filters = { account_id: { eq: account['id'] }, balance_date: { eq: day } };
    const [known] = await find(tr, 'bank_balance', filters);
    const balance =
      known ?? (await create(tr, 'bank_balance', { account_id: account['id'], balance_date: day }));
    const id = String(balance['id']);
    if (balance['status'] === 'done' && place < left) {
      await run(tr, 'bank_balance', id, { action: 'uncheck' });
      rest = id;
    } else if (place < left) rest = id;
    else if (balance['status'] !== 'done') {
      await change(tr, 'bank_balance', id, {
        statement: (await recordOf(tr, 'bank_balance', id))['closing'],
      });
      await run(tr, 'bank_balance', id, { action: 'check' });
    }
  }
  return rest;
}

/** What is booked by its day: while it waits, the month of that day is not closed. */
const BOOKED = [
  ['warehouse_entry', 'entry_date'],
  ['fund_transfer', 'transfer_date'],
  ['other_receivable_invoice', 'bill_date'],
  ['sales_invoice', 'billing_date'],
] as const;

/** Sends back what waits with a day of a month, by whichever of these may decide it. */
export async function sendBackWaiting(
  desks: Readonly<Record<'fn', Page>> & Readonly<Record<string, Page>>,
  { start_date, end_date }: Fields,
): Promise<void> {
  for (const [resource, day] of BOOKED)
    for (const { id } of await find(desks.fn, resource, {
      ...{ status: { eq: 'pending' }, [day]: { gte: start_date, lte: end_date } },
    }))
      for (const desk of Object.values(desks)) {
        const { status, data } = await request(desk, 'GET', `/approval/record/${resource}/${String(id)}`);
        const task = data?.['task'] as Fields | null | undefined;
        if (status !== 200 || task === null || task === undefined) continue;
        const opinion = { version: task['version'], opinion: '资料不齐' };
        const answer = await request(desk, 'POST', `/approval/${String(task['id'])}/reject`, opinion);
        if (answer.status === 200) break;
      }
}

/** A closed month of the salesperson without a statement. */
export async function freeMonth(
  fn: Page,
  sp: Page,
): Promise<{ readonly period: string; readonly person: Fields }> {
  await show(sp, '/tctj/tcjs');
  const person = JSON.parse(await sp.evaluate(() => localStorage.getItem('person') ?? '{}')) as Fields;
  const taken = await find(fn, 'commission_statement', {
    ...{ person_id: { eq: person['id'] }, status: { ne: 'reversed' } },
  });
  const months = new Set(taken.map((row) => row['period']));
  const closed = await find(fn, 'accounting_period', { status: { eq: 'closed' } });
  const [free] = closed
    .map((row) => String(row['period']))
    .filter((period) => !months.has(period))
    .toSorted();
  if (free === undefined) throw new TypeError('every closed month has its statement');
  return { period: free, person };
}
