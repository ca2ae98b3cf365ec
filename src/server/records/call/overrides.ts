import type { AccessOverride } from '#engine/access/resource-access.ts';
import type { Catalog, Dictionary } from '#engine/schema/resource.ts';
import { workdayKey, type Workdays } from '#engine/values/workdays.ts';
import type { Services } from '#server/records/services.ts';
import { type AdvanceDays, advanceParams, NO_ADVANCE, readAdvanceDays } from './advance-days.ts';
import type { Reader } from './statement.ts';
import { quoteName } from './statement.ts';
import { textOf } from './text-of.ts';

/** Rows that win over the files: rights, number patterns, dictionaries, warning days, and the companies' parameters. */
export interface Overrides {
  readonly access: readonly AccessOverride[];
  /** Pattern by `company|resource`. */
  readonly numbers: ReadonlyMap<string, string>;
  readonly dictionaries: Readonly<Record<string, Dictionary>>;
  /** Rows of parameters, oldest first: value by company and name as of a date. */
  readonly params: readonly ParamRow[];
  readonly advance: AdvanceDays;
  /** Holidays and moved working days. */
  readonly workdays: Workdays;
  /** Decimals of amounts by currency. */
  readonly decimals: Readonly<Record<string, number>>;
  /** Reports that a company shows otherwise, and its own. */
  readonly reports: readonly ReportOverride[];
  /** Print templates that a company wrote itself. */
  readonly prints: readonly PrintOverride[];
}

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

interface ParamRow {
  readonly co_code: string;
  readonly param: string;
  readonly value: string;
  readonly kind: string;
  readonly effective_from: string;
}

/** The resources whose rows override files; writing one refreshes the overrides of every process. */
export const OVERRIDING: ReadonlySet<string> = new Set([
  'permission_rule',
  'number_rule',
  'dictionary',
  'system_default',
  'currency_rate',
  'currency',
  'calendar_day',
  'role',
  'message_source',
  'report_config',
  'print_template',
]);

/** Message of the bus that tells other processes to reload the overrides. */
export const OVERRIDES_CHANGED = 'overrides';

/** The overrides as last loaded; none before the first load. */
export function overridesOf(services: Pick<Services, 'db'>): Overrides {
  return loaded.get(services.db) ?? NONE;
}

/** Reads the overrides from the database. Called at start, after each write to them, and on a notice from another process. */
export async function loadOverrides(services: Pick<Services, 'db' | 'definitions'>): Promise<Overrides> {
  const { resources } = services.definitions.catalog();
  const { db } = services;
  const has = (key: string): boolean => resources[key] !== undefined;
  const keepsDecimals = resources['currency']?.fields['decimals'] !== undefined;
  const overrides: Overrides = {
    access: has('permission_rule') && has('role') ? await readAccess(db) : [],
    numbers: has('number_rule') ? await readNumbers(db) : new Map(),
    dictionaries: has('dictionary') ? await readDictionaries(db) : {},
    params: [
      ...fileParams(services.definitions.setup().files['parameters']),
      ...(has('system_default') ? await readParams(db) : []),
    ],
    workdays: has('calendar_day') ? await readWorkdays(db) : {},
    decimals: keepsDecimals ? await readDecimals(db) : {},
    reports: has('report_config') && has('role') ? await readReports(db) : [],
    prints: has('print_template') ? await readPrints(db) : [],
    advance: await readAdvanceDays(has('message_source') ? db : null, services.definitions.setup().events),
  };
  loaded.set(db, overrides);
  return overrides;
}

/** The catalog with the dictionaries that rows override. */
export function currentCatalog(services: Pick<Services, 'db' | 'definitions'>): Catalog {
  const catalog = services.definitions.catalog();
  const { dictionaries } = overridesOf(services);
  if (Object.keys(dictionaries).length === 0) return catalog;
  const known = merged.get(catalog);
  if (known?.from === dictionaries) return known.catalog;
  const made = { ...catalog, dictionaries: mergeDictionaries(catalog, dictionaries) };
  merged.set(catalog, { from: dictionaries, catalog: made });
  return made;
}

/**
 * A company's parameters as of a date. Percents come as fractions in text (`5%` and `5` are both 0.05), as formulas
 * expect them. Rows of the company win over those of no company. With them the days of the warnings (`advance-days.ts`).
 */
export function paramsOf(
  overrides: Overrides,
  company: string,
  today: string,
): Readonly<Record<string, string>> {
  const params: Record<string, string> = {};
  for (const row of overrides.params)
    if ((row.co_code === company || row.co_code === ANY_COMPANY) && row.effective_from <= today)
      params[row.param] = paramValue(row);
  return { ...params, ...advanceParams(overrides.advance, params) };
}

/** What setup/parameters.json says holds for every company until a row of that company says otherwise. */
const ANY_COMPANY = '';

function fileParams(file: unknown): readonly ParamRow[] {
  const list: readonly unknown[] = Array.isArray(file) ? file : [];
  return list.flatMap((entry): readonly ParamRow[] => {
    if (typeof entry !== 'object' || entry === null) return [];
    const text = (name: string): string => String(Reflect.get(entry, name) ?? '');
    return [
      {
        co_code: ANY_COMPANY,
        param: text('param'),
        value: text('value'),
        kind: text('kind'),
        effective_from: text('effective_from'),
      },
    ];
  });
}

const NONE: Overrides = {
  access: [],
  numbers: new Map(),
  dictionaries: {},
  params: [],
  advance: NO_ADVANCE,
  workdays: {},
  decimals: {},
  reports: [],
  prints: [],
};
const loaded = new WeakMap<Services['db'], Overrides>();
const merged = new WeakMap<
  Catalog,
  { readonly from: Overrides['dictionaries']; readonly catalog: Catalog }
>();

/** The active rows that replace what the files grant, as they are in the database now. */
export async function readAccess(db: Reader): Promise<readonly AccessOverride[]> {
  const rows = await db.query(
    `select p.resource, r.code as role, p.actions, p.row_scope, p.hidden_fields, p.readonly_fields
     from ${quoteName('permission_rule')} p join ${quoteName('role')} r on r.id = p.role_id
     where p.status = 'active' and p.is_deleted = false and r.is_deleted = false`,
    [],
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

async function readPrints(db: Reader): Promise<readonly PrintOverride[]> {
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

async function readReports(db: Reader): Promise<readonly ReportOverride[]> {
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

async function readNumbers(db: Reader): Promise<ReadonlyMap<string, string>> {
  const rows = await db.query(
    `select co_code, resource, pattern from ${quoteName('number_rule')} where status = 'active' and is_deleted = false`,
    [],
  );
  return new Map(
    rows.map((row) => [`${String(row['co_code'])}|${String(row['resource'])}`, String(row['pattern'])]),
  );
}

async function readDictionaries(db: Reader): Promise<Readonly<Record<string, Dictionary>>> {
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

async function readWorkdays(db: Reader): Promise<Workdays> {
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

async function readDecimals(db: Reader): Promise<Readonly<Record<string, number>>> {
  const rows = await db.query(
    `select code, decimals from ${quoteName('currency')} where decimals is not null and is_deleted = false`,
    [],
  );
  return Object.fromEntries(rows.map((row) => [textOf(row['code']), Number(row['decimals'])]));
}

async function readParams(db: Reader): Promise<readonly ParamRow[]> {
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

/** A built-in dictionary keeps its values: rows only relabel, re-sort or disable them. A row without items changes nothing. */
function mergeDictionaries(
  catalog: Catalog,
  rows: Overrides['dictionaries'],
): Readonly<Record<string, Dictionary>> {
  const result: Record<string, Dictionary> = { ...catalog.dictionaries };
  for (const [name, row] of Object.entries(rows)) {
    const file = Object.hasOwn(catalog.dictionaries, name) ? catalog.dictionaries[name] : undefined;
    if (row.items.length === 0 || file?.from !== undefined) continue;
    const known = new Set(row.items.map((item) => item.value));
    const kept = file?.builtin === true ? file.items.filter((item) => !known.has(item.value)) : [];
    const ours =
      file?.builtin === true
        ? row.items.filter((item) => file.items.some((other) => other.value === item.value))
        : row.items;
    const items = ours.map((item) => withPartnersWord(item, file));
    result[name] = { ...row, builtin: file?.builtin ?? row.builtin, items: [...items, ...kept] };
  }
  return result;
}

/** Rows say nothing of what customers read: that stays the file's. */
function withPartnersWord(
  item: Dictionary['items'][number],
  file: Dictionary | undefined,
): Dictionary['items'][number] {
  const partnerLabel = file?.items.find(({ value }) => value === item.value)?.partnerLabel;
  return partnerLabel === undefined ? item : { ...item, partnerLabel };
}

function paramValue({ kind, value }: ParamRow): string {
  if (kind !== 'percent') return value;
  const digits = value.replace('%', '').trim();
  return /^-?\d+(\.\d+)?$/.test(digits) ? shiftTwoPlaces(digits) : value;
}

/** Divides a plain decimal text by 100 without arithmetic. */
function shiftTwoPlaces(text: string): string {
  const isNegative = text.startsWith('-');
  const [whole = '0', fraction = ''] = text.replace('-', '').split('.');
  const padded = whole.padStart(3, '0');
  const shifted = `${padded.slice(0, -2)}.${padded.slice(-2)}${fraction}`.replace(/\.?0+$/, '');
  const clean = shifted.replace(/^0+(?=\d)/, '');
  return `${isNegative ? '-' : ''}${clean === '' ? '0' : clean}`;
}

function texts(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
}
