import { rowsFor } from '#engine/access/resource-access.ts';
import { resolveOperand } from '#engine/filter/resolve-operand.ts';
import type { Filter } from '#engine/schema/definition.ts';
import type { Field } from '#engine/schema/resource.ts';
import type { OpenRecord } from '#server/records/read/attach-references.ts';
import type { Call } from '#server/records/call/open-call.ts';
import { recordScope } from '#server/records/call/record-scope.ts';
import { lineFieldsOf } from './write-rows.ts';

/** Owner, company, department, state and stamps of a new record; members of the role's rows that are fixed by eq or has. */
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
    const value: unknown = Reflect.get(part, 'eq') ?? Reflect.get(part, 'has');
    if (field === undefined || field.computed || value === undefined || isGiven(record[key], field)) continue;
    const source: unknown = resolveOperand(asValue(value), recordScope(call, record));
    if (source !== null) record[key] = field.multiple === true ? [source] : source;
  }
}

/** An empty list is no choice: forms send one for what nobody picked. */
function isGiven(value: unknown, field: Field): boolean {
  if (field.multiple === true) return Array.isArray(value) && value.length > 0;
  return value !== undefined;
}

function asValue(value: unknown): string | number | boolean | null | { readonly $: string } {
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return value;
  const source: unknown = typeof value === 'object' && value !== null ? Reflect.get(value, '$') : undefined;
  return typeof source === 'string' ? { $: source } : null;
}
