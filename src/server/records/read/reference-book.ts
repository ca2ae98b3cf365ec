import { among } from '#server/kernel/db/among.ts';
import { derivedSql } from '#engine/filter/path-sql.ts';
import { fieldsAt, type PathPlace, targetPlace } from '#engine/schema/field-path.ts';
import type { Catalog, Field, Resource } from '#engine/schema/resource.ts';
import { labelExpression } from './label-expression.ts';
import { openRows } from './reader-eyes.ts';
import type { Call } from '#server/records/call/open-call.ts';
import { bind, quoteName, quoteText, type Reader, statementName } from '#server/records/call/statement.ts';
import { type LoadedNeed, rememberedRows } from './remembered-rows.ts';
import type { RowsAhead } from './rows-ahead.ts';
import { jsonColumn, travelValue } from './stored-value.ts';
import { linesTableOf, tableOf } from '#server/records/call/table-source.ts';

/** What is wanted of the records of one target (`buyer`, `export_contract.items`, or `currency@code` by a value). */
export interface ReferenceNeed {
  readonly target: string;
  readonly ids: Set<string>;
  /** Columns, and columns of the record's lines: `rate`, `tiers.rate`. */
  readonly columns: Set<string>;
  /** By column that refers on: what is wanted of the records there, loaded in the same statement. */
  readonly steps: Map<string, ReferenceNeed>;
  /** The paths whose columns and steps are among these already. */
  readonly noted: Set<object>;
  /** Stamps may name people of another company (super permission). */
  isAnyCompany: boolean;
}

/** One loaded record. */
export interface ReferenceRow {
  readonly id: string;
  readonly label: string | null;
  readonly co_code: string | null;
  readonly values: Readonly<Record<string, unknown>>;
  /** False for a row that is closed to the reader; true when nobody in particular reads. */
  readonly isOpen: boolean;
}

/** Loaded referenced records, by target and id. */
export type ReferenceBook = ReadonlyMap<string, ReadonlyMap<string, ReferenceRow>>;

/** Collects needs, one entry a target. */
export function needOf(
  needs: Map<string, ReferenceNeed>,
  target: string,
  /** Of steps the column that leads there. */
  key = target,
): ReferenceNeed {
  const known = needs.get(key);
  if (known !== undefined) return known;
  const need = {
    target,
    ids: new Set<string>(),
    columns: new Set<string>(),
    steps: new Map<string, ReferenceNeed>(),
    noted: new Set<object>(),
    isAnyCompany: false,
  };
  needs.set(key, need);
  return need;
}

/** Loads labels and columns of all needed records in one statement, whatever the number of targets and of steps beyond them. */
export async function loadReferences(
  db: Reader,
  catalog: Pick<Catalog, 'resources'>,
  asked: {
    readonly needs: Iterable<ReferenceNeed>;
    readonly companies: readonly string[];
    readonly reader?: Call;
    /** For the answer of a write: what its transaction has read already need not be read again. */
    readonly isAnswer?: boolean;
    /** What the steps of needs have brought, for the needs that follow. */
    readonly ahead?: RowsAhead;
  },
): Promise<ReferenceBook> {
  const book = new Map<string, Map<string, ReferenceRow>>();
  const values: unknown[] = [asked.companies];
  const memory = rememberedRows(db, asked);
  const loads: LoadedNeed[] = [];
  const needs = [...asked.needs].filter((need) => need.ids.size > 0);
  for (const need of needs.sort((a, b) => (a.target < b.target ? -1 : 1))) {
    const known = asked.ahead?.rowsOf(need) ?? memory?.rowsOf(need) ?? null;
    if (known !== null) {
      book.set(need.target, known);
      continue;
    }
    const selects = selectsOf(catalog, { need, values, reader: asked.reader, from: loads.length });
    loads.push(...selects);
    if (selects[0] !== undefined) book.set(need.target, selects[0].rows);
  }
  if (loads.length === 0) return book;
  const parts = loads.map(({ text }) => text);
  const usesCompanies = parts.some((part) => part.includes(OF_COMPANIES));
  // PostgreSQL refuses a parameter that no part uses.
  const text = usesCompanies ? parts.join(' union all ') : `${parts.join(' union all ')}${UNUSED_COMPANIES}`;
  const rows = await db.query(text, values, statementName(text));
  for (const row of rows) keepRow(loads, row);
  for (const { need, rows: found, isStep } of loads) {
    if (!isStep) continue;
    for (const id of found.keys()) need.ids.add(id);
    asked.ahead?.add(need, found);
  }
  memory?.keep(loads);
  return book;
}

/** The target of a reference field for one record: fixed, or the resource that another field names. */
export function targetOf(field: Field, record: Readonly<Record<string, unknown>>): string | null {
  if (typeof field.to === 'string') return field.to;
  const named = field.to === undefined ? undefined : record[field.to.by];
  return typeof named === 'string' ? named : null;
}

const OF_COMPANIES = `co_code = ${among('$1', 'text')}`;
const UNUSED_COMPANIES = ' union all select null, null, null where false and $1::text[] is null';

/** The part of the statement that loads a need, and those of the steps behind it. */
function selectsOf(
  catalog: Pick<Catalog, 'resources'>,
  asked: {
    readonly need: ReferenceNeed;
    readonly values: unknown[];
    readonly reader: Call | undefined;
    /** How many parts stand before it. */
    readonly from: number;
    /** Of a step: `any` over its ids. */
    readonly ids?: string;
  },
): readonly LoadedNeed[] {
  const { need, values, reader, from } = asked;
  const found = selectionOf(catalog, need);
  if (found === null) return [];
  const { target, fields, isByValue, head, columns, table, key } = found;
  const ids = asked.ids ?? among(bind(values, [...need.ids]), key.type);
  const company = (alias: string): string =>
    found.isScoped && !need.isAnyCompany ? ` and ${alias}.${OF_COMPANIES}` : '';
  const isClosable = reader !== undefined && !isByValue;
  const open = isClosable
    ? `, coalesce(${openRows(reader, target, { alias: 't', values, isAnyCompany: need.isAnyCompany })}, false) as _open`
    : '';
  const text = `select ${from} as part, ${head}${open}${columns} from ${table} t where t.${key.column} = ${ids}${company('t')}) x`;
  const loads: LoadedNeed[] = [{ need, text, rows: new Map(), fields, isStep: asked.ids !== undefined }];
  for (const [column, step] of need.steps) {
    if (fields.every((field) => field.name !== column)) continue;
    const next = `any(array(select s.${quoteName(column)} from ${table} s where s.${key.column} = ${ids}${company('s')}))`;
    loads.push(...selectsOf(catalog, { need: step, values, reader, from: from + loads.length, ids: next }));
  }
  return loads;
}

/** What is selected of a target: the text around what differs from reader to reader. */
interface Selection {
  readonly target: string;
  readonly fields: readonly Field[];
  readonly isScoped: boolean;
  /** Records are named by a value of theirs, not by their id. */
  readonly isByValue: boolean;
  readonly head: string;
  readonly columns: string;
  readonly table: string;
  readonly key: { readonly column: string; readonly type: 'uuid' | 'text' };
}

const selections = new WeakMap<Catalog['resources'], Map<string, Selection | null>>();

/** Put together once for a target and the columns wanted of it. */
function selectionOf(catalog: Pick<Catalog, 'resources'>, need: ReferenceNeed): Selection | null {
  const ofCatalog = selections.get(catalog.resources) ?? new Map<string, Selection | null>();
  selections.set(catalog.resources, ofCatalog);
  const key = `${need.target} ${[...need.columns].sort().join()}`;
  const known = ofCatalog.get(key);
  if (known !== undefined) return known;
  const made = makeSelection(catalog, need);
  ofCatalog.set(key, made);
  return made;
}

function makeSelection(catalog: Pick<Catalog, 'resources'>, need: ReferenceNeed): Selection | null {
  const [target = '', by] = need.target.split('@');
  const place = targetPlace(target, catalog);
  const key = place === null ? null : keyOf(place, by);
  if (place === null || key === null) return null;
  const { resource, lines } = place;
  const fields = wantedFields(place, need.columns);
  const columns = fields.map((field) =>
    field.type === 'lines'
      ? `${linesColumn(resource, field)} as ${quoteName(field.name)}`
      : `${derivedSql(field, { resource, alias: 't' }) ?? jsonColumn('t', field, field.name)} as ${quoteName(field.name)}`,
  );
  if (need.columns.has('parent')) columns.push('t.parent_id as "parent"');
  const isScoped = resource.scope === 'company';
  const from = lines === undefined ? tableOf(resource) : linesTableOf(resource, lines);
  return {
    target,
    fields,
    isScoped,
    isByValue: by !== undefined,
    head: `x._id as id, to_json(x) as row from (select t.${key.column}::text as _id, ${labelExpression(catalog, target, 't')} as _label${isScoped ? ', t.co_code as _co' : ''}`,
    columns: columns.map((column) => `, ${column}`).join(''),
    table: from,
    key,
  };
}

/** The fields wanted of a record; lines with just their wanted columns. */
function wantedFields(place: PathPlace, columns: ReadonlySet<string>): readonly Field[] {
  const known = fieldsAt(place);
  const names = new Set([...columns].map((column) => column.split('.')[0] ?? ''));
  return [...names].sort().flatMap((name): readonly Field[] => {
    const field = Object.hasOwn(known, name) ? known[name] : undefined;
    if (field === undefined || field.type === 'secret') return [];
    if (field.type !== 'lines') return [field];
    const cells = Object.values(fieldsAt({ ...place, lines: name })).filter(
      (cell) => cell.type !== 'secret' && columns.has(`${name}.${cell.name}`),
    );
    return [{ ...field, fields: Object.fromEntries(cells.map((cell) => [cell.name, cell])) }];
  });
}

/** The lines of a referenced record in their order, as a JSON list. */
function linesColumn(resource: Resource, lines: Field): string {
  const cells = Object.values(lines.fields ?? {}).map(
    (cell) => `${quoteText(cell.name)}, ${jsonColumn('l', cell, cell.name)}`,
  );
  const tie = resource.scope === 'company' ? ' and l.co_code = t.co_code' : '';
  return `(select coalesce(json_agg(json_build_object(${cells.join(', ')}) order by l.line_order), '[]'::json) from ${linesTableOf(resource, lines.name)} l where l.parent_id = t.id${tie})`;
}

function keyOf(place: PathPlace, by: string | undefined): Selection['key'] | null {
  if (by === undefined) return { column: 'id', type: 'uuid' };
  return Object.hasOwn(place.resource.fields, by) ? { column: quoteName(by), type: 'text' } : null;
}

function keepRow(loads: readonly LoadedNeed[], row: Readonly<Record<string, unknown>>): void {
  const load = loads[Number(row['part'])];
  const loaded = row['row'];
  if (load === undefined) return;
  if (typeof loaded !== 'object' || loaded === null) return;
  const all: Record<string, unknown> = { ...loaded };
  const values: Record<string, unknown> = { parent: all['parent'] ?? null };
  for (const field of load.fields) values[field.name] = travelled(all[field.name], field);
  const label = all['_label'];
  const company = all['_co'];
  const id = String(row['id']);
  load.rows.set(id, {
    id,
    label: typeof label === 'string' ? label : null,
    co_code: typeof company === 'string' ? company : null,
    values,
    isOpen: all['_open'] !== false,
  });
}

function travelled(value: unknown, field: Field): unknown {
  if (field.type !== 'lines') return travelValue(value, field);
  const rows: readonly unknown[] = Array.isArray(value) ? value : [];
  return rows.map((row) =>
    Object.fromEntries(
      Object.values(field.fields ?? {}).map((cell) => [
        cell.name,
        travelValue(typeof row === 'object' && row !== null ? Reflect.get(row, cell.name) : null, cell),
      ]),
    ),
  );
}
