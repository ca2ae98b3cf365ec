import type { Catalog } from '#engine/schema/resource.ts';
import type { Queryable } from '#server/kernel/db/database.ts';
import { rowText } from '#server/kernel/db/row-text.ts';

interface RateRow {
  readonly date: string;
  readonly rate: string;
}

/** Exchange rates by `currency|kind`, newest first, as loaded. */
export interface RateBook {
  readonly rates: ReadonlyMap<string, readonly RateRow[]>;
  readonly loadedMs: number;
}

/** Reads the exchange rates (CNY for one unit) that formulas and checks ask for by `rate('USD', 'book', date)`. */
export async function loadRates(
  db: Queryable,
  catalog: Pick<Catalog, 'resources'>,
  now = new Date(),
): Promise<RateBook> {
  const columns = rateColumns(catalog);
  const rates = new Map<string, RateRow[]>();
  if (columns !== null) {
    const rows = await db.query(columns.sql, []);
    for (const row of rows) {
      const key = `${rowText(row, 'currency')}|${rowText(row, 'kind')}`;
      const list = rates.get(key) ?? [];
      rates.set(key, list);
      list.push({ date: rowText(row, 'date'), rate: rowText(row, 'rate') });
    }
  }
  return { rates, loadedMs: now.getTime() };
}

/** The rate in force on a date: the newest not after it. CNY is 1 (USD when rates into dollars are asked); null when there is none. */
export function rateOf(
  book: RateBook,
  currency: string,
  asked: { readonly kind: string; readonly date: string },
): string | null {
  if (currency === (asked.kind === 'usd_cross' ? 'USD' : 'CNY')) return '1';
  const rows = book.rates.get(`${currency}|${asked.kind}`) ?? [];
  return rows.find(({ date }) => date <= asked.date)?.rate ?? null;
}

/** The resource `currency_rate` names its currency by code or by reference; which of both is in its definition. */
function rateColumns(catalog: Pick<Catalog, 'resources'>): { readonly sql: string } | null {
  const resource = catalog.resources['currency_rate'];
  if (resource === undefined) return null;
  const { fields } = resource;
  const byCode = fields['currency'] ?? fields['currency_code'];
  const kind = fields['kind'] ?? fields['rate_kind'] ?? fields['rate_type'];
  const date = fields['date'] ?? fields['rate_date'] ?? fields['effective_date'];
  const rate = fields['rate'] ?? fields['value'];
  const currency =
    byCode !== undefined && byCode.type !== 'reference'
      ? { select: `r.${byCode.name}`, join: '' }
      : fields['currency_id'] !== undefined
        ? { select: 'c.code', join: 'join currency c on c.id = r.currency_id' }
        : null;
  if (currency === null || kind === undefined || date === undefined || rate === undefined) return null;
  return {
    sql: `select ${currency.select} as currency, r.${kind.name} as kind, r.${date.name} as date, r.${rate.name} as rate
      from currency_rate r ${currency.join} where not r.is_deleted order by r.${date.name} desc`,
  };
}
