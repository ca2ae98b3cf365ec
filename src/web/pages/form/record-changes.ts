import { isEmptyValue } from '#engine/fields/field-behaviour.ts';
import { linesOf } from '#engine/record/record-lines.ts';
import { filledBy } from '#engine/record/refilled.ts';
import type { ErpRecord, Field, Resource } from '#engine/schema/resource.ts';
import { compareDecimals, isPlainDecimal } from '#engine/values/decimal.ts';

/** The body of a save, and which line stands where in it, to find the cells that an answer speaks of. */
export interface Changes {
  readonly body: ErpRecord;
  readonly isEmpty: boolean;
  /** For each table, the line keys in the order of the submitted list; null for a deleted line. */
  readonly sentKeys: Readonly<Record<string, readonly (string | null)[]>>;
}

export interface ChangeRequest {
  /** The saved record; null for a creation. */
  readonly base: ErpRecord | null;
  readonly record: ErpRecord;
  /** Keys of a table's lines, in their order. */
  readonly keys: (lines: string) => readonly string[];
  /** Paths that the person may write; others are not sent. */
  readonly isSent: (path: string) => boolean;
  /** What a new record is made from. */
  readonly source?: MadeSource | null;
}

/** Where a new record comes from (`_from`), and what its form was filled with. */
export interface MadeSource {
  readonly from: ErpRecord;
  readonly given: ErpRecord;
}

/** The body of a create or PATCH call: of a new record all that is filled in, of a saved one what differs. Computed fields are never sent. */
export function changesOf(resource: Resource, request: ChangeRequest): Changes {
  const { base, record } = request;
  const source = base === null ? (request.source ?? null) : null;
  const body: Record<string, unknown> = source === null ? {} : { _from: source.from };
  const sentKeys: Record<string, readonly (string | null)[]> = {};
  const filled = base === null ? NOTHING : refilled(resource.fields, base, record);
  for (const field of Object.values(resource.fields)) {
    if (field.computed) continue;
    if (field.type === 'lines') {
      const lines = base === null ? newLines(field, request) : changedLines(field, base, request);
      // Without the list the server would take all lines of the source.
      const wereGiven = linesOf(source?.given ?? {}, field.name).length > 0;
      if (lines.body.length === 0 && !wereGiven) continue;
      body[field.name] = lines.body;
      sentKeys[field.name] = lines.keys;
      continue;
    }
    if (!request.isSent(field.name)) continue;
    if (
      base === null
        ? isFilled(field, record[field.name], source?.given[field.name])
        : filled.has(field.name) || !isSameValue(field, base[field.name], record[field.name])
    )
      body[field.name] = record[field.name] ?? null;
  }
  return { body, isEmpty: Object.keys(body).length === 0, sentKeys };
}

/** Equal as far as a field goes: empty is empty, decimals compare by value. */
export function isSameValue(field: Field, a: unknown, b: unknown): boolean {
  if (field.type === 'secret') return b === undefined;
  if (isEmptyValue(a) && isEmptyValue(b)) return true;
  if (field.type === 'boolean') return (a === true) === (b === true);
  if (typeof a === 'string' && typeof b === 'string' && isDecimalField(field))
    return isPlainDecimal(a) && isPlainDecimal(b) ? compareDecimals(a, b) === 0 : a === b;
  return a === b || JSON.stringify(a) === JSON.stringify(b);
}

interface SentLines {
  readonly body: readonly ErpRecord[];
  readonly keys: readonly (string | null)[];
}

function newLines(field: Field, { record, keys }: ChangeRequest): SentLines {
  const order = keys(field.name);
  const lines = linesOf(record, field.name);
  return {
    body: lines.map((line) => writableCells(field, line)),
    keys: lines.map((_, index) => order[index] ?? null),
  };
}

function changedLines(field: Field, base: ErpRecord, { record, keys, isSent }: ChangeRequest): SentLines {
  const order = keys(field.name);
  const before = new Map(linesOf(base, field.name).map((line) => [line['id'], line]));
  const body: ErpRecord[] = [];
  const sent: (string | null)[] = [];
  const kept = new Set<unknown>();
  const now = linesOf(record, field.name);
  const following = followingLines(now, before);
  for (const [index, line] of now.entries()) {
    const id = line['id'];
    const old = id === undefined ? undefined : before.get(id);
    kept.add(id);
    if (id !== undefined && old !== undefined) {
      const filled = refilled(field.fields ?? {}, old, line);
      const changed = Object.values(field.fields ?? {}).filter(
        (column) =>
          !column.computed &&
          isSent(`${field.name}.${column.name}`) &&
          (filled.has(column.name) || !isSameValue(column, old[column.name], line[column.name])),
      );
      if (changed.length === 0) continue;
      body.push({ id, ...Object.fromEntries(changed.map(({ name }) => [name, line[name] ?? null])) });
    } else {
      const next = following[index];
      body.push({ ...writableCells(field, line), ...(next === undefined ? {} : { _before: next }) });
    }
    sent.push(order[index] ?? null);
  }
  for (const id of before.keys())
    if (!kept.has(id)) {
      body.push({ id, _delete: true });
      sent.push(null);
    }
  return { body, keys: sent };
}

/** For each line the id of the next one below it that is saved already: a line that is put between others stays there. */
function followingLines(
  lines: readonly ErpRecord[],
  saved: ReadonlyMap<unknown, ErpRecord>,
): readonly unknown[] {
  let next: unknown;
  return lines
    .toReversed()
    .map((line) => {
      const below = next;
      if (line['id'] !== undefined && saved.has(line['id'])) next = line['id'];
      return below;
    })
    .toReversed();
}

/** What changed references fill is sent with them, also where it is as before: unsaid, the server would fill it anew. */
function refilled(
  fields: Readonly<Record<string, Field>>,
  before: ErpRecord,
  after: ErpRecord,
): ReadonlySet<string> {
  return filledBy(fields, (field) => !isSameValue(field, before[field.name], after[field.name]));
}

const NOTHING: ReadonlySet<string> = new Set();

/** The cells of a new line; empty ones go too where a default would fill them again. */
function writableCells(field: Field, line: ErpRecord): ErpRecord {
  const given = givenOf(line);
  const cells = Object.values(field.fields ?? {}).filter(
    (column) => !column.computed && isFilled(column, line[column.name], given[column.name]),
  );
  const values = Object.fromEntries(cells.map(({ name }) => [name, line[name] ?? null]));
  return line['_from'] === undefined ? values : { ...values, _from: line['_from'] };
}

/** A line of another document as it stands in the form, with what it was before it is typed in. */
export function givenLine(line: ErpRecord): ErpRecord {
  return { ...line, _given: line };
}

function givenOf(line: ErpRecord): ErpRecord {
  const given = line['_given'];
  // Only `givenLine` writes it.
  return typeof given === 'object' && given !== null ? (given as ErpRecord) : {};
}

/** What was emptied goes too where a default, or what the record is made from, would fill it again. */
function isFilled(field: Field, value: unknown, given?: unknown): boolean {
  if (value === undefined) return false;
  return !isEmptyValue(value) || field.default !== undefined || !isEmptyValue(given);
}

function isDecimalField(field: Field): boolean {
  return field.type === 'decimal' || field.type === 'money' || field.type === 'percent';
}
