import { rowsFor } from '#engine/access/resource-access.ts';
import { isRowOpen } from '#engine/lifecycle/action-states.ts';
import { editableFields } from '#engine/lifecycle/editable-fields.ts';
import { applyDefaults } from '#engine/record/apply-defaults.ts';
import { checkRecord } from '#engine/record/check-record.ts';
import { clearHidden } from '#engine/record/clear-hidden.ts';
import { computeRecord } from '#engine/record/compute-record.ts';
import { mergeRecord, problemsAsSubmitted, unknownLines } from '#engine/record/merge-record.ts';
import { parseRecord } from '#engine/record/parse-record.ts';
import { resolveOperand } from '#engine/filter/resolve-operand.ts';
import type { Filter } from '#engine/schema/definition.ts';
import type { ErpRecord, FieldProblem } from '#engine/schema/resource.ts';
import { attachReferences, linesOf, type OpenRecord } from './attach-references.ts';
import { closedChanges, closedFields, dropClosed } from './closed-fields.ts';
import { checkReferences } from './check-references.ts';
import { fillFromReferences, fillPaths, normaliseValues } from './fill-references.ts';
import type { Call } from './open-call.ts';
import { recordScope } from './record-scope.ts';
import { emptyRollup } from './refresh-rollups.ts';
import type { Reader } from './statement.ts';
import { lineFieldsOf } from './write-rows.ts';
import { textOf } from './text-of.ts';

/** A record ready to be written, with everything that is wrong with it. */
export interface PreparedRecord {
  readonly record: OpenRecord;
  readonly problems: readonly FieldProblem[];
  /** The row would lie outside what the role may create. */
  readonly isOutside: boolean;
}

/** Parses, stamps, defaults, fills, computes and checks a new record. Nothing is written. */
export async function prepareNew(db: Reader, call: Call, body: unknown): Promise<PreparedRecord> {
  const { resource } = call;
  const parsed = parseRecord(resource, body, 'create');
  const problems: FieldProblem[] = [...parsed.problems, ...initialStatusProblems(call, body)];
  const draft = stampNew(call, openCopy(call, parsed.values));
  const open = editableFields(resource, {}, call.access);
  problems.push(...closedFields(call, parsed.values, open));
  const record = await completeNew(db, call, draft);
  problems.push(...checkRecord(resource, record, recordScope(call, record), { complete: false }));
  const references = await checkReferences(db, call, { record, previous: null });
  return { record, problems: [...problems, ...references], isOutside: !isCreatable(call, record) };
}

/** Merges a PATCH into a stored record, computes and checks the result. Nothing is written. */
export async function prepareChange(
  db: Reader,
  call: Call,
  change: { readonly current: OpenRecord; readonly body: unknown },
): Promise<PreparedRecord> {
  const { resource } = call;
  const { current } = change;
  const parsed = parseRecord(resource, change.body, 'update');
  const values = normaliseValues(resource, openCopy(call, parsed.values));
  const problems: FieldProblem[] = [...parsed.problems, ...unknownLines(resource, current, values)];
  problems.push(...closedChanges(call, current, values));
  const patch = withLineDefaults(call, dropClosed(call, current, values), current);
  const merged = openCopy(call, mergeRecord(resource, current, patch));
  const record = await completeChange(db, call, { current, merged });
  const found = [
    ...checkRecord(resource, record, recordScope(call, record), { complete: isBeyondDraft(call, record) }),
    ...(await checkReferences(db, call, { record, previous: current })),
  ];
  problems.push(...problemsAsSubmitted(resource, found, { current, patch }));
  return { record, problems, isOutside: false };
}

/** Defaults, fill values, formulas: everything of a new record that is not the caller's. */
export async function completeNew(db: Reader, call: Call, draft: OpenRecord): Promise<OpenRecord> {
  const { resource } = call;
  await attachFor(db, call, draft);
  let record = openCopy(call, fillFromReferences(resource, draft, null));
  const before = referenceIds(call, record);
  record = openCopy(call, applyDefaults(resource, record, recordScope(call, record)));
  if (referenceIds(call, record) !== before) await attachFor(db, call, record);
  for (const field of Object.values(resource.fields)) {
    if (field.rollup !== undefined) record[field.name] ??= emptyRollup(field);
    for (const cell of Object.values(field.fields ?? {}))
      if (cell.rollup !== undefined)
        for (const line of linesOf(record[field.name])) line[cell.name] ??= emptyRollup(cell);
  }
  return withEmptyFields(call, settle(call, record));
}

/** Fill values and formulas of a merged record. */
export async function completeChange(
  db: Reader,
  call: Call,
  change: { readonly current: OpenRecord; readonly merged: OpenRecord },
): Promise<OpenRecord> {
  await attachFor(db, call, change.merged);
  return settle(call, openCopy(call, fillFromReferences(call.resource, change.merged, change.current)));
}

/** Clears hidden fields, runs formulas, brings values into stored form. */
export function settle(call: Call, record: OpenRecord): OpenRecord {
  const { resource } = call;
  const cleared = clearHidden(resource, record, recordScope(call, record));
  const computed = computeRecord(resource, cleared, recordScope(call, cleared));
  return normaliseValues(resource, openCopy(call, computed));
}

/** Loads labels and the values that rules and fills read. */
export async function attachFor(db: Reader, call: Call, record: OpenRecord): Promise<void> {
  const { catalog, resource, caller } = call;
  await attachReferences(db, {
    catalog,
    resource,
    records: [record],
    withPaths: true,
    withLabels: true,
    company: textOf(record['co_code'] ?? caller.subject.co_code),
    extraPaths: fillPaths(resource),
  });
}

/** A copy whose head and lines may be changed without touching what it was made from. */
export function openCopy(call: Call, record: ErpRecord): OpenRecord {
  const copy: OpenRecord = { ...record };
  for (const field of lineFieldsOf(call.resource)) {
    const lines = copy[field.name];
    if (Array.isArray(lines)) copy[field.name] = linesOf(lines).map((line) => ({ ...line }));
  }
  return copy;
}

/** Fields that nobody gave a value are null, as they come back from the database. */
function withEmptyFields(call: Call, record: OpenRecord): OpenRecord {
  for (const field of Object.values(call.resource.fields)) {
    record[field.name] ??= field.type === 'lines' ? [] : null;
    for (const cell of Object.values(field.fields ?? {}))
      for (const line of linesOf(record[field.name])) line[cell.name] ??= null;
  }
  return record;
}

/** True once a document has left its initial state: what was complete must stay so. */
function isBeyondDraft(call: Call, record: OpenRecord): boolean {
  const { lifecycle, kind } = call.resource;
  if (kind !== 'document' || lifecycle === undefined) return false;
  const status = record['status'];
  return status !== lifecycle.initial && status !== 'rejected';
}

/** Owner, company, department, state and stamps of a new record; members of the role's rows that are fixed by eq. */
export function stampNew(call: Call, values: OpenRecord): OpenRecord {
  const { resource, caller, services } = call;
  const { subject } = caller;
  const now = services.clock().toISOString();
  const person = subject.kind === 'staff' && /^[0-9a-f-]{36}$/.test(subject.id) ? subject.id : null;
  const stamps: OpenRecord = {
    version: 1,
    status: resource.lifecycle?.initial,
    co_code: subject.co_code,
    dept_code: subject.dept_code,
    sales_id: subject.sales_id ?? person,
    created_by: person,
    created_at: now,
    updated_by: person,
    updated_at: now,
    version_no: resource.versioned ? 1 : undefined,
  };
  const record = { ...values };
  for (const [name, value] of Object.entries(stamps)) {
    const field = resource.fields[name];
    if (field === undefined || value === undefined) continue;
    if (field.computed || record[name] === undefined) record[name] = value;
  }
  const { rows } = rowsFor(call.access, 'create');
  if (rows !== null) stampRows(call, record, rows);
  for (const field of lineFieldsOf(resource)) record[field.name] ??= [];
  return record;
}

function stampRows(call: Call, record: OpenRecord, rows: Filter): void {
  for (const [key, part] of Object.entries(rows)) {
    if (part === undefined || key === 'or') continue;
    if (Array.isArray(part)) {
      for (const inner of part) stampRows(call, record, inner);
      continue;
    }
    const field = call.resource.fields[key];
    const value: unknown = Reflect.get(part, 'eq');
    if (field === undefined || field.computed || value === undefined || record[key] !== undefined) continue;
    const source: unknown = resolveOperand(asValue(value), recordScope(call, record));
    if (source !== null) record[key] = source;
  }
}

function asValue(value: unknown): string | number | boolean | null | { readonly $: string } {
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return value;
  const source: unknown = typeof value === 'object' && value !== null ? Reflect.get(value, '$') : undefined;
  return typeof source === 'string' ? { $: source } : null;
}

function isCreatable(call: Call, record: OpenRecord): boolean {
  return isRowOpen(recordScope(call, record), call.access, 'create');
}

function initialStatusProblems(call: Call, body: unknown): readonly FieldProblem[] {
  if (typeof body !== 'object' || body === null || !Object.hasOwn(body, 'status')) return [];
  const { lifecycle, fields } = call.resource;
  const status: unknown = Reflect.get(body, 'status');
  if (lifecycle === undefined || fields['status']?.computed !== true || status === lifecycle.initial)
    return [];
  return [{ path: 'status', code: 'status', message: '状态只能通过操作改变' }];
}

function withLineDefaults(call: Call, values: OpenRecord, current: OpenRecord): OpenRecord {
  const filled = applyDefaults(call.resource, { ...current, ...values }, recordScope(call, current));
  const result: OpenRecord = { ...values };
  for (const field of lineFieldsOf(call.resource))
    if (Array.isArray(values[field.name])) result[field.name] = filled[field.name];
  return result;
}

function referenceIds(call: Call, record: OpenRecord): string {
  const ids: unknown[] = [];
  for (const field of Object.values(call.resource.fields)) {
    if (field.type === 'reference') ids.push(record[field.name] ?? null);
    for (const cell of Object.values(field.fields ?? {}))
      if (cell.type === 'reference')
        for (const line of linesOf(record[field.name])) ids.push(line[cell.name] ?? null);
  }
  return JSON.stringify(ids);
}
