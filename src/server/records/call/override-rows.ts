import type { AccessOverride } from '#engine/access/role-grants.ts';
import type { Dictionary } from '#engine/schema/resource.ts';
import { workdayKey, type Workdays } from '#engine/values/workdays.ts';
import type { Reader } from './statement.ts';
import { quoteName } from './statement.ts';
import { textOf } from './text-of.ts';

/** An active row of print_template. */
export interface PrintOverride {
  readonly co_code: string;
  readonly template: string;
  /** As the text of a template's file. */
  readonly definition: string;
}

/** An active row of report_config. */
export interface ReportOverride {
  readonly co_code: string;
  readonly report: number;
  readonly title: string;
  /** Role codes; empty: those of the report. */
  readonly roles: readonly string[];
  readonly hidden_columns: readonly string[];
  readonly defaults: Readonly<Record<string, string>>;
  readonly chart: string | null;
  /** A report of its own, as the text of a report file. */
  readonly definition: string | null;
}

/** A parameter as of a day. */
export interface ParamRow {
  readonly co_code: string;
  readonly param: string;
  readonly value: string;
  readonly kind: string;
  readonly effective_from: string;
}

/** The active rows that replace what the files grant, as they are in the database now. */
export async function readAccess(db: Reader): Promise<readonly AccessOverride[]> {
  const rows = await db.query(
    `select p.resource, r.code as role, p.actions, p.row_scope, p.hidden_fields, p.readonly_fields
     from ${quoteName('permission_rule')} p join ${quoteName('role')} r on r.id = p.role_id
     where p.status = 'active' and p.is_deleted = false and r.is_deleted = false`,
    [],
    'rights_now',
  );
  return rows.map((row) => ({
    resource: String(row['resource']),
    role: String(row['role']),
    actions: texts(row['actions']),
    row_scope: typeof row['row_scope'] === 'string' && row['row_scope'] !== '' ? row['row_scope'] : null,
    hidden_fields: texts(row['hidden_fields']),
    readonly_fields: texts(row['readonly_fields']),
  }));
}

/** The print templates that companies wrote themselves. */
export async function readPrints(db: Reader): Promise<readonly PrintOverride[]> {
  const rows = await db.query(
    `select p.co_code, p.template, p.definition from ${quoteName('print_template')} p
     where p.status = 'active' and p.is_deleted = false`,
    [],
  );
  return rows.map((row) => ({
    co_code: textOf(row['co_code']),
    template: textOf(row['template']),
    definition: textOf(row['definition']),
  }));
}

/** The reports that companies show otherwise. */
export async function readReports(db: Reader): Promise<readonly ReportOverride[]> {
  const rows = await db.query(
    `select c.co_code, c.report, c.title, c.hidden_columns, c.chart, c.definition,
       array(select r.code from role r where r.id = any(c.role_ids) and r.is_deleted = false order by 1) as roles,
       (select json_object_agg(d.param, d.value) from report_config__defaults d where d.parent_id = c.id) as defaults
     from ${quoteName('report_config')} c where c.status = 'active' and c.is_deleted = false`,
    [],
  );
  return rows.map((row) => ({
    co_code: String(row['co_code']),
    report: Number(row['report']),
    title: String(row['title']),
    roles: texts(row['roles']),
    hidden_columns: texts(row['hidden_columns']),
    defaults: Object.fromEntries(
      Object.entries(row['defaults'] ?? {}).map(([name, value]): [string, string] => [name, String(value)]),
    ),
    chart: typeof row['chart'] === 'string' && row['chart'] !== '' ? row['chart'] : null,
    definition:
      typeof row['definition'] === 'string' && row['definition'].trim() !== '' ? row['definition'] : null,
  }));
}

/** Patterns of numbers by `company|resource`. */
export async function readNumbers(db: Reader): Promise<ReadonlyMap<string, string>> {
  const rows = await db.query(
    `select co_code, resource, pattern from ${quoteName('number_rule')} where status = 'active' and is_deleted = false`,
    [],
  );
  return new Map(
    rows.map((row) => [`${String(row['co_code'])}|${String(row['resource'])}`, String(row['pattern'])]),
  );
}

/** The active dictionaries of rows. */
export async function readDictionaries(db: Reader): Promise<Readonly<Record<string, Dictionary>>> {
  const rows = await db.query(
    `select d.name, d.label, d.builtin, (select json_agg(json_build_object('value', i.value, 'label', i.label,
       'isDefault', i.is_default, 'disabled', i.status = 'disabled') order by i.sort_no nulls last, i.line_order)
       from dictionary__items i where i.parent_id = d.id) as items
     from ${quoteName('dictionary')} d where d.status = 'active' and d.is_deleted = false`,
    [],
  );
  return Object.fromEntries(
    rows.map((row): [string, Dictionary] => [
      String(row['name']),
      {
        name: String(row['name']),
        label: String(row['label']),
        builtin: row['builtin'] === true,
        items: Array.isArray(row['items']) ? row['items'].map(dictionaryItem) : [],
      },
    ]),
  );
}

function dictionaryItem(item: Readonly<Record<string, unknown>>): Dictionary['items'][number] {
  return {
    value: String(item['value']),
    label: String(item['label']),
    ...(item['isDefault'] === true ? { isDefault: true } : {}),
    ...(item['disabled'] === true ? { disabled: true } : {}),
  };
}

/** The country of the company: its days are also those of a formula that names none. */
const HOME = 'CHN';

/** Holidays and moved working days, by day and country. */
export async function readWorkdays(db: Reader): Promise<Workdays> {
  const rows = await db.query(
    `select d.date::text as date, d.kind, c.code as country from ${quoteName('calendar_day')} d
     left join ${quoteName('country')} c on c.id = d.country_id where d.status = 'active' and d.is_deleted = false`,
    [],
  );
  return Object.fromEntries(
    rows.flatMap((row) => {
      const kind = row['kind'] === 'work' ? 'work' : 'rest';
      const date = textOf(row['date']);
      const country = typeof row['country'] === 'string' ? row['country'] : HOME;
      const abroad = [workdayKey(date, country), kind] as const;
      return country === HOME ? [[date, kind] as const, abroad] : [abroad];
    }),
  );
}

/** Decimals of amounts by currency. */
export async function readDecimals(db: Reader): Promise<Readonly<Record<string, number>>> {
  const rows = await db.query(
    `select code, decimals from ${quoteName('currency')} where decimals is not null and is_deleted = false`,
    [],
  );
  return Object.fromEntries(rows.map((row) => [textOf(row['code']), Number(row['decimals'])]));
}

/** The rows of parameters, oldest first. */
export async function readParams(db: Reader): Promise<readonly ParamRow[]> {
  const rows = await db.query(
    `select co_code, param, value, kind, effective_from::text as effective_from from ${quoteName('system_default')}
     where status = 'active' and is_deleted = false order by effective_from, id`,
    [],
  );
  return rows.map((row) => ({
    co_code: textOf(row['co_code'] ?? ''),
    param: String(row['param']),
    value: textOf(row['value'] ?? ''),
    kind: textOf(row['kind'] ?? ''),
    effective_from: textOf(row['effective_from'] ?? ''),
  }));
}

function texts(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
}
