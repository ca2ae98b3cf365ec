import { join } from 'node:path';
import type { Field, Resource } from '#engine/schema/resource.ts';
import { applyDefaults } from '#engine/record/apply-defaults.ts';
import type { OpenRecord } from '#server/records/read/attach-references.ts';
import { type Call, openSystemCall } from '#server/records/call/open-call.ts';
import { recordScope } from '#server/records/call/record-scope.ts';
import { uuidv7 } from '#server/records/call/record-id.ts';
import { searchColumns } from '#server/records/derive/search-index.ts';
import { quoteName } from '#server/records/call/statement.ts';
import { ownColumns } from '#server/records/read/stored-value.ts';
import { tableOf } from '#server/records/call/table-source.ts';
import type { Tx } from '#server/kernel/db/database.ts';
import { keepSetting, readSetting } from '#server/kernel/db/settings.ts';
import { hashFolder } from '#server/kernel/hash-folder.ts';
import { mapInTurns } from '#server/kernel/let-others.ts';
import type { Services } from '#server/records/services.ts';
import { type CsvRow, readCsv } from './csv-table.ts';
import { systemCaller } from '#server/records/call/system-caller.ts';
import {
  type ImportEntry,
  isTaken,
  readMapping,
  sourceValue,
  type SourceWorld,
} from './reference-mapping.ts';
import { derivedRates } from './reference-rates.ts';

/**
 * Brings the files of `reference-data` into the tables of their resources, in one transaction and in bulk: countries,
 * ports, codes and rates are too many for one write each. Rows that exist stay as people left them; what was imported
 * before from the same files, and on the same day where the day matters, is passed over.
 */
export async function importReferenceData(services: Services): Promise<void> {
  const { resourcesDir, isDemo } = services.config;
  const folder = join(resourcesDir, 'reference-data');
  const before = await readSetting<Imported>(services.db, IMPORTED);
  const now: Imported = {
    files: await hashFolder(folder),
    day: systemCaller(services, '').context.today,
  };
  const isDone = ({ since_months }: ImportEntry): boolean =>
    before?.files === now.files && (since_months === undefined || before.day === now.day);
  const entries = (await readMapping(folder)).filter(
    (entry) =>
      (entry.demo !== true || isDemo) &&
      services.definitions.catalog().resources[entry.resource] !== undefined &&
      !isDone(entry),
  );
  const files = new Map<string, readonly CsvRow[]>();
  for (const entry of entries) for (const name of filesOf(entry)) files.set(name, []);
  for (const name of files.keys()) files.set(name, await readCsv(join(folder, name)));
  await services.db.transaction(async (tx) => {
    await tx.execute('set local statement_timeout = 0');
    for (const entry of entries) await importEntry(tx, services, { entry, files });
    await keepSetting(tx, IMPORTED, now);
  });
  await services.definitions.refreshOverrides();
}

/** Which files an import read, as a hash, and on which day (YYYY-MM-DD). */
interface Imported {
  readonly files: string;
  readonly day: string;
}

const IMPORTED = 'reference_data_imported';

interface Work {
  readonly entry: ImportEntry;
  readonly files: ReadonlyMap<string, readonly CsvRow[]>;
}

async function importEntry(tx: Tx, services: Services, { entry, files }: Work): Promise<void> {
  const call = openSystemCall(services, systemCaller(services, ''), entry.resource);
  const { today } = call.caller.context;
  const labels = new Map<string, string>();
  const world = await openWorld(tx, call, { entry, files, labels });
  const taken = (files.get(entry.file) ?? []).filter((row) =>
    isTaken(entry, row, monthsBefore(today, entry.since_months ?? 0)),
  );
  const columns = Object.entries(entry.columns).filter(([name]) => call.resource.fields[name] !== undefined);
  const read = await mapInTurns(taken, (row, index): OpenRecord =>
    Object.fromEntries(
      columns.map(([name, source]) => [name, sourceValue(source, row, { ...world, rowNo: index + 1 })]),
    ),
  );
  const rows = [...read, ...derivedRates(entry, read, today)];
  const known = await knownKeys(tx, call.resource, entry.key);
  if (entry.mode === 'update') await updateRows(tx, call, { entry, rows, known });
  else await insertRows(tx, call, { entry, rows, known, labels });
  if (entry.then !== undefined) await setNewest(tx, entry, entry.then);
}

/** Inserts what is not there yet. */
async function insertRows(
  tx: Tx,
  call: Call,
  work: {
    readonly entry: ImportEntry;
    readonly rows: readonly OpenRecord[];
    readonly known: Map<string, string>;
    readonly labels: ReadonlyMap<string, string>;
  },
): Promise<void> {
  const { resource } = call;
  const missing = work.rows.filter((values) => {
    const key = keyOf(work.entry.key, values);
    if (work.known.has(key) || work.entry.key.some((name) => isNothing(values[name]))) return false;
    work.known.set(key, '');
    return true;
  });
  const table = tableOf(resource);
  const text = `insert into ${table} select r.* from jsonb_populate_recordset(null::${table}, $1::jsonb) r`;
  // While the database writes some rows the next ones are made.
  let writing: Promise<unknown> = Promise.resolve();
  for (let start = 0; start < missing.length; start += CHUNK) {
    const rows = await mapInTurns(missing.slice(start, start + CHUNK), (values) =>
      newRow(call, values, work.labels),
    );
    await writing;
    writing = tx.execute(text, [JSON.stringify(rows)]);
    // It is awaited a turn later: a refusal must not count as unheard.
    writing.catch(() => undefined);
  }
  await writing;
}

/** The row of a new record, with what it is found by. */
function newRow(call: Call, values: OpenRecord, labels: ReadonlyMap<string, string>): OpenRecord {
  const { resource, catalog } = call;
  const now = call.services.clock();
  const stamped = {
    status: resource.lifecycle?.initial ?? 'active',
    ...values,
    id: uuidv7(now),
    version: 1,
    created_at: now.toISOString(),
  };
  const record = applyDefaults(resource, stamped, recordScope(call, stamped));
  return storedRow(resource, {
    ...record,
    ...searchColumns(catalog, resource, withLabels(resource, record, labels)),
  });
}

/** Fills columns that nobody has filled yet. */
async function updateRows(
  tx: Tx,
  { resource }: Call,
  work: {
    readonly entry: ImportEntry;
    readonly rows: readonly OpenRecord[];
    readonly known: ReadonlyMap<string, string>;
  },
): Promise<void> {
  const rows = work.rows.flatMap((values) => {
    const id = work.known.get(keyOf(work.entry.key, values));
    return id === undefined ? [] : [{ ...values, id }];
  });
  const names = Object.keys(work.entry.columns).filter(
    (name) => resource.fields[name] !== undefined && !work.entry.key.includes(name),
  );
  const sets = names.map(
    (name) => `${quoteName(name)} = coalesce(t.${quoteName(name)}, r.${quoteName(name)})`,
  );
  if (sets.length === 0) return;
  await tx.execute(
    `update ${tableOf(resource)} t set ${sets.join(', ')}
     from jsonb_populate_recordset(null::${tableOf(resource)}, $1::jsonb) r where t.id = r.id`,
    [JSON.stringify(rows)],
  );
}

/** A currency shows the newest of its rates of that kind. */
async function setNewest(
  tx: Tx,
  entry: ImportEntry,
  { resource, set, kind }: NonNullable<ImportEntry['then']>,
): Promise<void> {
  await tx.execute(
    `update ${quoteName(resource)} c set ${quoteName(set)} = n.rate
     from (select distinct on (currency) currency, rate from ${quoteName(entry.resource)}
           where kind = $1 and not is_deleted order by currency, date desc) n
     where n.currency = c.code and c.${quoteName(set)} is distinct from n.rate`,
    [kind],
  );
}

/** Records and files that the sources of an entry name, found by text; `labels` collects what the records are called. */
async function openWorld(
  tx: Tx,
  { catalog }: Call,
  { entry, files, labels }: Work & { readonly labels: Map<string, string> },
): Promise<Omit<SourceWorld, 'rowNo'>> {
  const records = new Map<string, string>();
  const joins = new Map<string, CsvRow>();
  for (const source of Object.values(entry.columns)) {
    if (typeof source === 'string') continue;
    const target = source.lookup === undefined ? undefined : catalog.resources[source.lookup];
    if (target !== undefined) {
      const by = source.by ?? 'code';
      const rows = await tx.query(
        `select id, ${quoteName(by)} as key, ${quoteName(target.label)} as label from ${tableOf(target)} where not is_deleted`,
      );
      for (const row of rows) {
        records.set(`${target.resource}|${by}|${String(row['key'])}`, String(row['id']));
        labels.set(String(row['id']), String(row['label']));
      }
    }
    const { join: other } = source;
    if (other !== undefined)
      for (const row of files.get(other.file) ?? [])
        joins.set(`${other.file}|${other.key}|${row[other.key] ?? ''}`, row);
  }
  return {
    lookup: (resource, by, text) => records.get(`${resource}|${by}|${text}`) ?? null,
    join: (file, key, text) => joins.get(`${file}|${key}|${text}`),
  };
}

async function knownKeys(tx: Tx, resource: Resource, key: readonly string[]): Promise<Map<string, string>> {
  const columns = key.map((name) => `${quoteName(name)}::text as ${quoteName(name)}`).join(', ');
  const rows = await tx.query(`select id, ${columns} from ${tableOf(resource)} where not is_deleted`);
  return new Map(rows.map((row) => [keyOf(key, row), String(row['id'])]));
}

function storedRow(resource: Resource, record: OpenRecord): OpenRecord {
  const { search_text, search_grams } = record;
  const row: OpenRecord = { is_deleted: false, search_text, search_grams };
  for (const { name } of ownColumns(resource.fields)) row[name] = record[name] ?? null;
  return row;
}

function withLabels(resource: Resource, record: OpenRecord, labels: ReadonlyMap<string, string>): OpenRecord {
  const named = Object.values(resource.fields)
    .filter(isReference)
    .map(({ name }) => [name, labels.get(String(record[name]))]);
  return { ...record, _labels: Object.fromEntries(named) };
}

function filesOf(entry: ImportEntry): readonly string[] {
  const joined = Object.values(entry.columns).flatMap((source) =>
    typeof source === 'string' || source.join === undefined ? [] : [source.join.file],
  );
  return [entry.file, ...joined];
}

function keyOf(key: readonly string[], values: Readonly<Record<string, unknown>>): string {
  return key.map((name) => String(values[name] ?? '')).join('|');
}

function isNothing(value: unknown): boolean {
  return value === null || value === undefined || value === '';
}

/** The first day of the month so many months before a date; 0 takes everything. */
function monthsBefore(today: string, months: number): string {
  if (months === 0) return '';
  const [year = 0, month = 1] = today.split('-').map(Number);
  return new Date(Date.UTC(year, month - 1 - months, 1)).toISOString().slice(0, 10);
}

const CHUNK = 2000;

function isReference(field: Field): boolean {
  return field.type === 'reference' && field.multiple !== true;
}
