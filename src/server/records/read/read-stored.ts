import { among } from '#server/kernel/db/among.ts';
import type { FirstStatement } from '#server/kernel/db/database.ts';
import { columnSql } from '#engine/filter/path-sql.ts';
import type { Field, Resource } from '#engine/schema/resource.ts';
import type { OpenRecord } from './attach-references.ts';
import type { Call } from '#server/records/call/open-call.ts';
import { lineConditions, rowConditions } from '#server/records/call/row-conditions.ts';
import { bind, quoteName, type Reader, statementName } from '#server/records/call/statement.ts';
import { isConverted, isSelected, jsonValue, travelValue } from './stored-value.ts';
import { isStored, linesTableOf, tableOf } from '#server/records/call/table-source.ts';

/** How a record is read. */
export interface StoredRead {
  /** The operation whose rows are open; default: those that may be seen. */
  readonly operation?: string;
  readonly isLocking?: boolean;
  /** Leave out lines that the role may not see; default: all, as rules need them. */
  readonly isLimitingLines?: boolean;
}

/**
 * One record with all its fields and lines as stored, in one message; null when it does not exist, is deleted, or is
 * not open to the call. `previous_status` comes along for `$previous`.
 */
export async function readStored(
  db: Reader,
  call: Call,
  id: string,
  how: StoredRead = {},
): Promise<OpenRecord | null> {
  const values: unknown[] = [id];
  const conditions = ['t.id = $1::uuid', ...rowConditions(call, { alias: 't', values }, how.operation)];
  const [record] = await selectStored(db, call, { where: conditions.join(' and '), values, ...how });
  return record ?? null;
}

/** Several records as stored, in the order of their ids; what does not exist or is not open is left out. */
export async function readStoredMany(
  db: Reader,
  call: Call,
  ids: readonly string[],
  how: StoredRead = {},
): Promise<readonly OpenRecord[]> {
  const [first] = ids;
  const isOne = ids.length === 1;
  const values: unknown[] = [isOne ? first : ids];
  const conditions = [
    isOne ? 't.id = $1::uuid' : `t.id = ${among('$1')}`,
    ...rowConditions(call, { alias: 't', values }, how.operation),
  ];
  return selectStored(db, call, { where: conditions.join(' and '), values, ...how });
}

interface Selection extends StoredRead {
  readonly where: string;
  readonly values: unknown[];
}

async function selectStored(db: Reader, call: Call, selection: Selection): Promise<readonly OpenRecord[]> {
  const { resource } = call;
  const rest = `${selection.where} order by t.id${selection.isLocking === true ? ' for update of t' : ''}`;
  const lock = lockBefore(resource, selection, rest);
  const text = textOf(call, selection, rest);
  const rows = await db.query(text, selection.values, statementName(text), lock);
  return rows.map((row) => storedRecord(resource, row));
}

/**
 * The lock as a statement of its own, before the one that reads: one that waits for a row reads the row as it became, but
 * all else (its lines, what is worked out) as it was before the wait. Undefined where the row is all that is read.
 */
function lockBefore(
  resource: Resource,
  { isLocking, values }: Selection,
  rest: string,
): FirstStatement | undefined {
  if (isLocking !== true || isRowAlone(resource)) return undefined;
  const text = `select t.id from ${tableOf(resource)} t where ${rest}`;
  return { text, values: [...values], name: statementName(text) };
}

function isRowAlone(resource: Resource): boolean {
  return isWhollyStored(resource) && Object.values(resource.fields).every(({ type }) => type !== 'lines');
}

/** The statement; the same text again where it was written before, since a long one takes its time to be looked up. */
function textOf(call: Call, selection: Selection, rest: string): string {
  const { resource } = call;
  const select = selectOf(call, selection);
  const known = texts.get(resource) ?? { select, byRest: new Map<string, string>() };
  const before = known.select === select ? known.byRest.get(rest) : undefined;
  if (before !== undefined) return before;
  const text = `select ${select} from ${tableOf(resource)} t where ${rest}`;
  if (known.select === select && known.byRest.size < MAX_TEXTS) {
    known.byRest.set(rest, text);
    texts.set(resource, known);
  }
  return text;
}

const MAX_TEXTS = 100;
const texts = new WeakMap<Resource, { readonly select: string; readonly byRest: Map<string, string> }>();

/** What is selected; written once for a resource whose columns read nothing but themselves. */
function selectOf(call: Call, selection: Selection): string {
  const { resource } = call;
  const known = selects.get(resource);
  if (known !== undefined && !isLimited(call, selection)) return known;
  const { catalog, caller } = call;
  const { values } = selection;
  const heads = Object.values(resource.fields).filter(
    (field) => field.type !== 'lines' && isSelected(field, { resource, catalog }),
  );
  const lines = Object.values(resource.fields).filter((field) => field.type === 'lines');
  const place = { resource, catalog, alias: 't', context: caller.context, values };
  const select = [
    ...heads.map((field) => `${columnSql(field, place)} as ${quoteName(field.name)}`),
    ...(hasPreviousStatus(resource) ? ['t.previous_status'] : []),
    ...lines.map((field) => linesSelect(call, field, selection)),
  ].join(', ');
  if (isWhollyStored(resource) && !isLimited(call, selection)) selects.set(resource, select);
  return select;
}

/** Whether a record is read from its own columns alone: no formula of it, or of its lines, is worked out by the select. */
export function isWhollyStored(resource: Resource): boolean {
  const known = whollyStored.get(resource);
  if (known !== undefined) return known;
  const fields = Object.values(resource.fields);
  const all = [...fields, ...fields.flatMap((field) => Object.values(field.fields ?? {}))];
  const isWhole = all.every(({ stored }) => stored !== false);
  whollyStored.set(resource, isWhole);
  return isWhole;
}

const whollyStored = new WeakMap<Resource, boolean>();

const selects = new WeakMap<Resource, string>();

function isLimited({ access }: Call, { isLimitingLines }: Selection): boolean {
  return isLimitingLines === true && Object.keys(access.lines).length > 0;
}

/** A row, which becomes the record: its columns and line rows are put into the form in which they travel. */
function storedRecord(resource: Resource, record: OpenRecord): OpenRecord {
  const { converted, lines } = conversionsOf(resource);
  convert(record, converted);
  for (const { name, cells } of lines) {
    const rows = record[name];
    if (!Array.isArray(rows)) record[name] = [];
    else if (cells.length > 0) for (const row of rows) convert(row, cells);
  }
  return record;
}

function convert(record: OpenRecord, fields: readonly Field[]): void {
  for (const field of fields) record[field.name] = travelValue(record[field.name], field);
}

/** What does not come as it travels, or does not come: the rest of a row stays as the driver made it. */
interface Conversions {
  readonly converted: readonly Field[];
  readonly lines: readonly { readonly name: string; readonly cells: readonly Field[] }[];
}

function isOther(field: Field): boolean {
  return field.stored === false || isConverted(field);
}

const conversions = new WeakMap<Resource, Conversions>();

function conversionsOf(resource: Resource): Conversions {
  const known = conversions.get(resource);
  if (known !== undefined) return known;
  const fields = Object.values(resource.fields);
  const found = {
    converted: fields.filter((field) => field.type !== 'lines' && isOther(field)),
    lines: fields
      .filter(({ type }) => type === 'lines')
      .map(({ name, fields: cells }) => ({ name, cells: Object.values(cells ?? {}).filter(isOther) })),
  };
  conversions.set(resource, found);
  return found;
}

function linesSelect(call: Call, field: Field, { values, isLimitingLines }: Selection): string {
  const { resource, catalog, caller } = call;
  const { name } = field;
  const place = {
    resource,
    catalog,
    alias: 'l',
    lines: name,
    parentAlias: 't',
    context: caller.context,
    values,
  };
  const cells = Object.values(field.fields ?? {})
    .filter((cell) => isSelected(cell, { resource, catalog, lines: name }))
    .map((cell) => `${jsonValue(columnSql(cell, place), cell)} as ${quoteName(cell.name)}`);
  const company = resource.scope === 'company' ? 'l.co_code = t.co_code and ' : '';
  const limits =
    isLimitingLines === true
      ? lineConditions(call, field.name, { alias: 'l', parentAlias: 't', values }).map(
          (limit) => ` and ${limit}`,
        )
      : [];
  const columns = ['l.id', 'l.line_order', ...cells].join(', ');
  return `(select json_agg(x order by x.line_order) from (select ${columns} from ${linesTableOf(resource, field.name)} l where ${company}l.parent_id = t.id${limits.join('')}) x) as ${quoteName(field.name)}`;
}

function hasPreviousStatus(resource: Resource): boolean {
  return resource.lifecycle !== undefined && isStored(resource) && resource.fields['status'] !== undefined;
}

/** A bound id that is certainly a uuid; anything else can be no record. */
export function isRecordId(id: string): boolean {
  return /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/.test(id);
}

/** Locks rows of a table in the order of their ids, so that two writers never wait for each other in a circle. */
export async function lockRows(db: Reader, resource: Resource, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  const values: unknown[] = [];
  const bound = bind(values, [...new Set(ids)].sort());
  const text = `select t.id from ${tableOf(resource)} t where t.id = ${among(bound)} order by t.id for update`;
  await db.query(text, values, statementName(text));
}
