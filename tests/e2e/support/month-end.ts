import type { Page } from 'playwright/test';
import { change, create, type Fields, find, recordOf, run } from './flow-api.ts';
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
