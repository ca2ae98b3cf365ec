import { matchesFilter } from '../filter/matches-filter.ts';
import { readPath, type Scope } from '../filter/scope.ts';
import type { FollowDefinition, ValueDefinition, ValueDefinitions } from '../schema/effects-definition.ts';
import type { ErpRecord, Field, Resource } from '../schema/resource.ts';
import { givenValue } from './compute-record.ts';
import { linesOf, lineScope, withRecord } from './record-lines.ts';

/** True for an entry that writes into the record that declares it, or into its lines: it is part of the write itself. */
export function isOwnWrite(entry: FollowDefinition, resource: Resource): boolean {
  if (entry.set === undefined && entry.add === undefined) return false;
  if (entry.of !== undefined) return false;
  return entry.to === undefined || resource.fields[entry.to]?.type === 'lines';
}

/**
 * The record with what the entries of its own `then` set and add in it. `scope` stands on the record after the write;
 * `scope.before` is the record before it (absent: a new one, of which every field counts as changed).
 */
export function applyOwn(
  resource: Resource,
  entries: readonly FollowDefinition[],
  record: ErpRecord,
  scope: Scope,
): ErpRecord {
  let current = record;
  for (const entry of entries)
    if (isOwnWrite(entry, resource)) current = applyEntry(resource, entry, current, scope);
  return current;
}

/** Whether an entry's `when` and `changed` hold on the scope's record (or line). */
export function isDue(entry: FollowDefinition, scope: Scope): boolean {
  if (entry.changed !== undefined && !entry.changed.some((name) => hasChanged(name, scope))) return false;
  return entry.when === undefined || matchesFilter(entry.when, scope);
}

/** The scopes on which an entry runs: the head, or each of its lines, with the line before the write. */
export function entryScopes(entry: Pick<FollowDefinition, 'each'>, scope: Scope): readonly Scope[] {
  if (entry.each === undefined) return [scope];
  const lines = entry.each;
  return linesOf(scope.record, lines).map((line) => lineScope(scope, lines, line));
}

/** Values of `set`, `map` or `add` by their field; null empties a list of lines. */
export function givenValues(
  fields: Readonly<Record<string, Field>>,
  values: ValueDefinitions,
  scope: Scope,
): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, valueFor(fields[name], value, scope)]),
  );
}

function valueFor(field: Field | undefined, value: ValueDefinition, scope: Scope): unknown {
  return value === null && field?.type === 'lines' ? [] : givenValue(field, value, scope);
}

function applyEntry(
  resource: Resource,
  entry: FollowDefinition,
  record: ErpRecord,
  surroundings: Scope,
): ErpRecord {
  const scope = withRecord(surroundings, record);
  if (entry.each !== undefined) return applyToEach(resource, entry, scope);
  if (!isDue(entry, scope)) return record;
  if (entry.to !== undefined) return applyToLines(resource, { entry, lines: entry.to }, scope);
  if (!isMeant(entry, { ...scope, source: scope })) return record;
  const set = givenValues(resource.fields, entry.set ?? {}, scope);
  return withAdded(resource, entry.add ?? {}, { record: { ...record, ...set }, scope });
}

/** Sets values of the lines on which the entry is due; what it adds goes to the head's lists. */
function applyToEach(resource: Resource, entry: FollowDefinition, scope: Scope): ErpRecord {
  const name = entry.each ?? '';
  const cells = resource.fields[name]?.fields ?? {};
  let record = scope.record;
  const lines = entryScopes(entry, scope).map((here) => {
    if (!isDue(entry, here) || !isMeant(entry, { ...here, source: here })) return here.record;
    record = withAdded(resource, entry.add ?? {}, { record, scope: here });
    return { ...here.record, ...givenValues(cells, entry.set ?? {}, here) };
  });
  return entry.set === undefined ? record : { ...record, [name]: lines };
}

function applyToLines(
  resource: Resource,
  { entry, lines }: { readonly entry: FollowDefinition; readonly lines: string },
  scope: Scope,
): ErpRecord {
  const cells = resource.fields[lines]?.fields ?? {};
  const next = linesOf(scope.record, lines).map((line) => {
    const here: Scope = { ...lineScope(scope, lines, line), source: scope };
    if (!isMeant(entry, here)) return line;
    return { ...line, ...givenValues(cells, entry.set ?? {}, here) };
  });
  return { ...scope.record, [lines]: next };
}

/** Whether what is written into is among what an entry's `where` names. */
function isMeant({ where }: FollowDefinition, scope: Scope): boolean {
  return where === undefined || matchesFilter(where, scope);
}

/** The record with lines appended to its lists: one, or where values are columns one for each value of the first of them. */
export function withAdded(
  resource: Resource,
  add: Readonly<Record<string, ValueDefinitions>>,
  { record, scope }: { readonly record: ErpRecord; readonly scope: Scope },
): ErpRecord {
  let current = record;
  for (const [lines, values] of Object.entries(add)) {
    const cells = resource.fields[lines]?.fields ?? {};
    const rows = rowsOf(cells, givenValues(cells, values, scope));
    if (rows.length > 0) current = { ...current, [lines]: [...linesOf(current, lines), ...rows] };
  }
  return current;
}

/** Rows of values by their field: one, or where values are columns one for each value of the first of them. */
export function rowsOf(
  cells: Readonly<Record<string, Field>>,
  values: Readonly<Record<string, unknown>>,
): readonly ErpRecord[] {
  const columns = Object.entries(values).flatMap(([name, value]) =>
    Array.isArray(value) && cells[name]?.multiple !== true ? [{ name, column: [...value] as unknown[] }] : [],
  );
  const [first] = columns;
  if (first === undefined) return [values];
  return first.column.map((_, row) => ({
    ...values,
    ...Object.fromEntries(columns.map(({ name, column }) => [name, column[row] ?? null])),
  }));
}

function hasChanged(name: string, scope: Scope): boolean {
  const before = scope.before === undefined ? null : readPath(scope, `before.${name}`);
  return JSON.stringify(scope.record[name] ?? null) !== JSON.stringify(before ?? null);
}
