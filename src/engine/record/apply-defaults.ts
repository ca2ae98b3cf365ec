import type { Scope } from '../filter/scope.ts';
import { lateDefaults } from '../schema/default-order.ts';
import type { ErpRecord, Field, Resource } from '../schema/resource.ts';
import { linesOf, lineScope, withRecord } from './record-lines.ts';
import { resolveFor } from './compute-record.ts';

/**
 * Fills fields that were not sent with their defaults, in the order of the file, then the columns of each line. A field
 * sent as null stays empty. What reads a formula or a find waits for it: `applyLateDefaults`.
 */
export function applyDefaults(resource: Resource, record: ErpRecord, scope: Scope): ErpRecord {
  const late = new Set(lateDefaults(resource).flat());
  return fillRecord(resource, record, { scope, isWanted: (path) => !late.has(path) });
}

/**
 * Fills the defaults of one round (`lateDefaults`), which are named by their paths, of a record whose formulas and finds
 * are in place. The same record where there is nothing to fill.
 */
export function applyLateDefaults(
  resource: Resource,
  record: ErpRecord,
  { scope, round }: { readonly scope: Scope; readonly round: readonly string[] },
): ErpRecord {
  let filled = record;
  // Each may read the one before it.
  for (const name of round)
    filled = fillRecord(resource, filled, { scope, isWanted: (path) => path === name });
  return filled;
}

/** Fills one new line below another; `scope` is the head's. */
export function applyLineDefaults(lines: Field, line: ErpRecord, scope: Scope, above?: ErpRecord): ErpRecord {
  const late = new Set(lateDefaults(scope.resource).flat());
  return fillLine(lines, line, { scope, above, isWanted: (path) => !late.has(path) });
}

interface Filling {
  readonly scope: Scope;
  readonly isWanted: (path: string) => boolean;
}

function fillRecord(resource: Resource, record: ErpRecord, { scope, isWanted }: Filling): ErpRecord {
  let filled = fillFields(resource.fields, record, {
    scopeOf: (current) => withRecord(scope, current),
    isWanted: ({ name }) => isWanted(name),
  });
  for (const field of Object.values(resource.fields)) {
    if (field.type !== 'lines' || !Array.isArray(filled[field.name])) continue;
    if (!Object.keys(field.fields ?? {}).some((column) => isWanted(`${field.name}.${column}`))) continue;
    const head = withRecord(scope, filled);
    const before = linesOf(filled, field.name);
    const lines: ErpRecord[] = [];
    for (const line of before)
      lines.push(fillLine(field, line, { scope: head, isWanted, above: lines.at(-1) }));
    if (lines.some((line, place) => line !== before[place])) filled = { ...filled, [field.name]: lines };
  }
  return filled;
}

function fillLine(
  lines: Field,
  line: ErpRecord,
  { scope, isWanted, above }: Filling & { readonly above?: ErpRecord | undefined },
): ErpRecord {
  if (line['id'] !== undefined) return line;
  return fillFields(lines.fields ?? {}, line, {
    scopeOf: (current) => ({ ...lineScope(scope, lines.name, current), above }),
    isWanted: ({ name }) => isWanted(`${lines.name}.${name}`),
  });
}

function fillFields(
  fields: Readonly<Record<string, Field>>,
  record: ErpRecord,
  {
    scopeOf,
    isWanted,
  }: {
    readonly scopeOf: (record: ErpRecord) => Scope;
    readonly isWanted: (field: Field) => boolean;
  },
): ErpRecord {
  let filled = record;
  for (const field of Object.values(fields)) {
    if (field.default === undefined || filled[field.name] !== undefined || !isWanted(field)) continue;
    filled = { ...filled, [field.name]: resolveFor(field, field.default, scopeOf(filled)) };
  }
  return filled;
}
