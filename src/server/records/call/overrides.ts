import type { AccessOverride } from '#engine/access/role-grants.ts';
import type { Catalog, Dictionary } from '#engine/schema/resource.ts';
import type { Workdays } from '#engine/values/workdays.ts';
import type { Services } from '#server/records/services.ts';
import { type AdvanceDays, advanceParams, NO_ADVANCE, readAdvanceDays } from './advance-days.ts';
import {
  type PrintOverride,
  type ReportOverride,
  type ParamRow,
  readAccess,
  readPrints,
  readReports,
  readNumbers,
  readDictionaries,
  readWorkdays,
  readDecimals,
  readParams,
} from './override-rows.ts';

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
