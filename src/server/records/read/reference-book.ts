import type { Catalog, Field } from '#engine/schema/resource.ts';
import type { Call } from '#server/records/call/open-call.ts';
import { type Reader, statementName } from '#server/records/call/statement.ts';
import { type LoadedNeed, rememberedRows } from './remembered-rows.ts';
import type { PathNode } from './reference-plan.ts';
import type { RowsAhead } from './rows-ahead.ts';
import { travelValue } from './stored-value.ts';
import { writeLoads } from './write-loads.ts';

/** What is wanted of the records of one target (`buyer`, `export_contract.items`, or `currency@code` by a value). */
export interface ReferenceNeed {
  readonly target: string;
  readonly ids: Set<string>;
  /** Columns, and columns of the record's lines: `rate`, `tiers.rate`. */
  readonly columns: Set<string>;
  /** By column that refers on: what is wanted of the records there, loaded in the same statement. */
  readonly steps: Map<string, ReferenceNeed>;
  /** The paths whose columns and steps are among these already. */
  readonly noted: Set<PathNode>;
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
    noted: new Set<PathNode>(),
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
  const memory = rememberedRows(db, asked);
  const needs: ReferenceNeed[] = [];
  for (const need of [...asked.needs].sort((a, b) => (a.target < b.target ? -1 : 1))) {
    if (need.ids.size === 0) continue;
    const known = asked.ahead?.rowsOf(need) ?? memory?.rowsOf(need) ?? null;
    if (known === null) needs.push(need);
    else book.set(need.target, known);
  }
  const { text, values, loads } = writeLoads(catalog, needs, asked);
  if (loads.length === 0) return book;
  for (const { need, rows, isStep } of loads) if (!isStep) book.set(need.target, rows);
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
