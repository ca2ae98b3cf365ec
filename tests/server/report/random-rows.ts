import { randomUUID } from 'node:crypto';
import type { Field, Resource } from '#engine/schema/resource.ts';
import { addDays } from '#engine/values/dates.ts';
import type { TradeExample } from '../trade/trade-example.ts';
import { EMPTY, type Plants } from './planted-data.ts';

/** Referenced ones first. */
const ORDER = [
  'currency_rate', 'buyer', 'partner', 'supplier', 'forwarder', 'port', 'goods', 'export_contract', 'purchase_contract', 'shipment', 'shipment_version', 'export_invoice',
  'logistics_order', 'customs_declaration', 'goods_invoice', 'business_invoice', 'sales_invoice', 'other_receivable_invoice',
  'letter_of_credit', 'document_submission', 'insurance_policy', 'insurance_application', 'receipt', 'receipt_split', 'fx_settlement',
  'fx_holding', 'remittance_return', 'payment_request', 'domestic_receipt', 'finance_charge', 'fund_pool', 'fund_ledger_entry',
  'bank_entry', 'cooperation_agreement', 'credit_line', 'financing', 'scf_customer', 'scf_financing', 'tax_refund', 'document_filing',
  'agent_invoice_application', 'project_settlement', 'accounting_period', 'commission_scheme', 'commission_statement', 'service_message',
  'warehouse_entry', 'document_set', 'finance_voucher', 'authorization_letter',
] as const; // prettier-ignore

const ROWS = 30;
/** Of these a few are enough, so that documents share them. */
const FEW: ReadonlySet<string> = new Set(['buyer', 'partner', 'supplier', 'forwarder', 'port', 'goods', 'commission_scheme']); // prettier-ignore

/**
 * Rows of everything that reports read, in any state, drawn by the kinds of the fields; some are deleted or of another
 * company, and some references are empty. Only what stands in a table is given: figures need not agree with each other.
 */
export async function plantAnything(example: TradeExample, plants: Plants, today: string): Promise<void> {
  const { resources } = example.services.definitions.catalog();
  const planter = new Planter(example, plants, today);
  await planter.open();
  for (const key of ORDER) {
    const resource = resources[key];
    if (resource === undefined) throw new RangeError(`there is no ${key}`);
    await planter.records(resource, FEW.has(key) ? 6 : ROWS);
  }
}

/** A column: its kind where something must stand there, and of numbers the digits before the point. */
interface Column {
  readonly needed: string | null;
  readonly whole: number | null;
}

/** A number without the digits that a column has no room for. */
function fitting(value: unknown, whole: number | null): unknown {
  return typeof value === 'string' && whole !== null && /^\d+\.\d\d$/.test(value)
    ? value.slice(-(whole + 3))
    : value;
}

type Row = Readonly<Record<string, unknown>> & { readonly id: string };

class Planter {
  /** Columns by table, with their kind where something must stand there; and by resource the ids that may be referred to. */
  private readonly columns = new Map<string, Map<string, Column>>();
  private readonly ids = new Map<string, string[]>();
  private number = 0;

  constructor(
    private readonly example: TradeExample,
    private readonly plants: Plants,
    private readonly today: string,
  ) {}

  async open(): Promise<void> {
    const rows = await this.example.services.db.query<{
      t: string;
      c: string;
      needed: string | null;
      whole: number | null;
    }>(
      `select table_name as t, column_name as c, case when is_nullable = 'NO' then data_type end as needed,
         numeric_precision - numeric_scale as whole
       from information_schema.columns where table_schema = 'public' and is_generated = 'NEVER'`,
      [],
    );
    for (const { t, c, needed, whole } of rows)
      this.columns.set(t, (this.columns.get(t) ?? new Map()).set(c, { needed, whole }));
  }

  async records(resource: Resource, count: number): Promise<void> {
    const { draw } = this.plants;
    const states = Object.keys(resource.lifecycle?.states ?? {});
    const heads: Row[] = [];
    for (let index = 0; index < count; index += 1) {
      const isOut = draw(10) === 0;
      const co_code = isOut && draw(2) === 0 ? 'AE' : 'AA';
      heads.push({
        ...(await this.values(resource.fields)),
        // By turns, so that each has some whatever else is drawn.
        ...(states.length === 0 ? {} : { status: states[index % states.length] }),
        ...{ id: randomUUID(), co_code, is_deleted: isOut && co_code === 'AA' },
      });
    }
    const made = await this.insert(resource.resource, heads);
    const isOpen = (row: Row): boolean => row['co_code'] === 'AA' && row['is_deleted'] === false;
    this.ids.set(
      resource.resource,
      made.filter(isOpen).map(({ id }) => id),
    );
    for (const field of Object.values(resource.fields)) {
      if (field.type !== 'lines') continue;
      const rows: Row[] = [];
      for (const { id, co_code } of made)
        for (let order = 0; order < 1 + draw(3); order += 1)
          rows.push({
            ...(await this.values(field.fields ?? {})),
            ...{ id: randomUUID(), parent_id: id, line_order: order, co_code },
          });
      const lines = await this.insert(`${resource.resource}__${field.name}`, rows);
      const open = new Set(made.filter(isOpen).map(({ id }) => id));
      this.ids.set(
        `${resource.resource}.${field.name}`,
        lines.filter((line) => open.has(String(line['parent_id']))).map(({ id }) => id),
      );
    }
  }

  /** The rows that are there now: of two that may not both be, the first. */
  private async insert(table: string, rows: readonly Row[]): Promise<readonly Row[]> {
    const columns = this.columns.get(table);
    if (columns === undefined || rows.length === 0) return [];
    const given = rows.map((row) =>
      Object.fromEntries(
        [...columns].map(([name, { needed, whole }]) => [
          name,
          fitting(row[name], whole) ?? (needed === null ? null : (EMPTY[needed] ?? '')),
        ]),
      ),
    );
    const names = [...columns.keys()].map((name) => `"${name}"`).join(', ');
    const made = await this.example.services.db.query<{ id: string }>(
      `insert into "${table}" (${names}) select ${names} from jsonb_populate_recordset(null::"${table}", $1::jsonb)
       on conflict do nothing returning id`,
      [JSON.stringify(given)],
    );
    const ids = new Set(made.map(({ id }) => id));
    return rows.filter(({ id }) => ids.has(id));
  }

  private async values(fields: Readonly<Record<string, Field>>): Promise<Record<string, unknown>> {
    const values: Record<string, unknown> = {};
    for (const field of Object.values(fields)) values[field.name] = await this.value(field);
    return values;
  }

  private async value(field: Field): Promise<unknown> {
    const one = await this.single(field);
    return field.multiple === true && one !== null && one !== undefined ? [one] : one;
  }

  private async single(field: Field): Promise<unknown> {
    const { draw, pick } = this.plants;
    switch (field.type) {
      case 'money':
      case 'decimal': {
        const amount = `${1 + draw(9_000)}.${String(draw(100)).padStart(2, '0')}`;
        return field.name === 'balance' && draw(3) === 0 ? `-${amount}` : amount;
      }
      case 'integer':
        return draw(60);
      case 'percent':
        return `0.${10 + draw(20)}`;
      case 'boolean':
        return draw(2) === 1;
      case 'date':
        return addDays(this.today, 50 - draw(650));
      case 'datetime':
        return `${addDays(this.today, -draw(600))}T03:00:00.000Z`;
      case 'dictionary':
        return pick(this.choices(field));
      case 'reference': {
        const ids = await this.known(typeof field.to === 'string' ? field.to : 'shipment');
        return ids.length === 0 || draw(12) === 0 ? null : pick(ids);
      }
      case 'text':
      case 'textarea':
        return this.text(field);
      default:
        return undefined;
    }
  }

  private choices({ options, dictionary = '' }: Field): readonly string[] {
    if (options !== undefined) return Object.keys(options);
    const items = this.example.services.definitions.catalog().dictionaries[dictionary]?.items ?? [];
    return items.length === 0 ? ['USD', 'USD', 'EUR', 'CNY'] : items.map(({ value }) => value);
  }

  private text({ name, max = 60 }: Field): string {
    const { draw, pick } = this.plants;
    if (name === 'period') return addDays(this.today, -draw(600)).slice(0, 7);
    if (name === 'hs_code') return pick(['7323930000', '6109100021', '8418102000', '8481804090']);
    if (name === 'payee_name' || name === 'trade_lane') return pick(['甲', '乙', '丙']);
    if (name === 'resource') return 'shipment';
    this.number += 1;
    return `R${this.number}`.slice(0, Number(max));
  }

  /** What is there already; a few people, so that a salesperson has some of everything. */
  private async known(to: string): Promise<readonly string[]> {
    const planted = this.ids.get(to);
    if (planted !== undefined || to.includes('.') || !this.columns.has(to)) return planted ?? [];
    const some = to === 'person' ? `and personid in ('sp.aa', 'sp2.aa', 'dm.aa', 'dc.aa')` : '';
    const rows = await this.example.services.db.query<{ id: string }>(
      `select id from "${to}" where not is_deleted ${some} order by id limit 20`,
      [],
    );
    const ids = rows.map(({ id }) => id);
    this.ids.set(to, ids);
    return ids;
  }
}
