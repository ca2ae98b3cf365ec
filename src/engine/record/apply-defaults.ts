import type { Scope } from '../filter/scope.ts';
import type { ErpRecord, Field, Resource } from '../schema/resource.ts';
import { linesOf, lineScope, withRecord } from './record-lines.ts';
import { resolveFor } from './compute-record.ts';

/** Fills fields that were not sent with their defaults, in the order of the file, then the columns of each line. A field sent as null stays empty. */
export function applyDefaults(resource: Resource, record: ErpRecord, scope: Scope): ErpRecord {
  let filled = fillFields(resource.fields, record, (current) => withRecord(scope, current));
  for (const field of Object.values(resource.fields)) {
    if (field.type !== 'lines' || !Array.isArray(filled[field.name])) continue;
    const head = withRecord(scope, filled);
    const lines: ErpRecord[] = [];
    for (const line of linesOf(filled, field.name))
      lines.push(applyLineDefaults(field, line, head, lines.at(-1)));
    filled = { ...filled, [field.name]: lines };
  }
  return filled;
}

/** Fills one new line below another; `scope` is the head's. */
export function applyLineDefaults(lines: Field, line: ErpRecord, scope: Scope, above?: ErpRecord): ErpRecord {
  if (line['id'] !== undefined) return line;
  return fillFields(lines.fields ?? {}, line, (current) => ({
    ...lineScope(scope, lines.name, current),
    above,
  }));
}

function fillFields(
  fields: Readonly<Record<string, Field>>,
  record: ErpRecord,
  scopeOf: (record: ErpRecord) => Scope,
): ErpRecord {
  let filled = record;
  for (const field of Object.values(fields)) {
    if (field.default === undefined || filled[field.name] !== undefined) continue;
    filled = { ...filled, [field.name]: resolveFor(field, field.default, scopeOf(filled)) };
  }
  return filled;
}
