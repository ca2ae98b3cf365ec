import { digitsOf } from '#engine/fields/decimal-value.ts';
import type { ErpRecord, Field, Resource } from '#engine/schema/resource.ts';
import { roundDecimal } from '#engine/values/decimal.ts';
import { linesOf, type OpenRecord } from '#server/records/read/attach-references.ts';
import { lineFieldsOf } from '#server/records/write/write-rows.ts';

/** Every value that picking a reference fills, as paths from the head: `buyer_id.country_id`, `items.goods_id.unit`. */
export function fillPaths(resource: Resource): readonly string[] {
  const known = remembered.get(resource);
  if (known !== undefined) return known;
  const paths: string[] = [];
  const add = (field: Field, prefix: string): void => {
    for (const path of Object.values(field.fill ?? {})) paths.push(`${prefix}${field.name}.${path}`);
  };
  for (const field of Object.values(resource.fields)) {
    add(field, '');
    for (const cell of Object.values(field.fields ?? {})) add(cell, `${field.name}.`);
  }
  remembered.set(resource, paths);
  return paths;
}

/**
 * Fills what picking a reference fills, in new records and lines and where the reference is another than before: fields
 * that nobody said (undefined: see `withoutStaleFills`), and fields that a person cannot write, so that nobody can make
 * them up. `only` names the references that fill (`rate_id`, `items.goods_id`); default: all.
 */
export function fillFromReferences(
  resource: Resource,
  record: OpenRecord,
  previous: OpenRecord | null,
  only?: ReadonlySet<string>,
): OpenRecord {
  const isFilling = (path: string): boolean => only?.has(path) ?? true;
  const filled = fillHolder(resource.fields, { record, before: previous, isFilling });
  for (const lines of lineFieldsOf(resource)) {
    if (!Array.isArray(filled[lines.name])) continue;
    const before = new Map(linesOf(previous?.[lines.name]).map((line) => [line['id'], line]));
    filled[lines.name] = linesOf(filled[lines.name]).map((line) =>
      fillHolder(lines.fields ?? {}, {
        record: line,
        before: before.get(line['id']) ?? null,
        isFilling: (name) => isFilling(`${lines.name}.${name}`),
      }),
    );
  }
  return filled;
}

/**
 * Brings values into the form in which they are stored: decimals with all their places, instants in UTC. Lines that are in
 * it already stay the same objects.
 */
export function normaliseValues(resource: Resource, record: ErpRecord): OpenRecord {
  const normal: OpenRecord = { ...normaliseFields(resource.fields, record) };
  for (const lines of lineFieldsOf(resource))
    if (Array.isArray(normal[lines.name]))
      normal[lines.name] = linesOf(normal[lines.name]).map((line) =>
        normaliseFields(lines.fields ?? {}, line),
      );
  return normal;
}

const remembered = new WeakMap<Resource, readonly string[]>();

function fillHolder(
  fields: Readonly<Record<string, Field>>,
  {
    record,
    before,
    isFilling,
  }: {
    readonly record: OpenRecord;
    readonly before: OpenRecord | null;
    readonly isFilling: (name: string) => boolean;
  },
): OpenRecord {
  const paths = record['_paths'];
  if (typeof paths !== 'object' || paths === null) return record;
  const filled: OpenRecord = { ...record };
  for (const field of Object.values(fields)) {
    if (field.fill === undefined || typeof filled[field.name] !== 'string' || !isFilling(field.name))
      continue;
    const isNewlyPicked = before === null || before[field.name] !== filled[field.name];
    if (!isNewlyPicked) continue;
    for (const [mine, theirs] of Object.entries(field.fill)) {
      const target = fields[mine];
      const isClosed = target?.readOnly === true;
      if (target === undefined || target.computed || (!isClosed && filled[mine] !== undefined)) continue;
      const value: unknown = Reflect.get(paths, `${field.name}.${theirs}`);
      if (value !== undefined) filled[mine] = value;
      else if (before !== null && filled[mine] === undefined) filled[mine] = before[mine];
    }
  }
  return filled;
}

/** The same for one set of fields; what is in that form already is given back itself. */
export function normaliseFields(fields: Readonly<Record<string, Field>>, record: ErpRecord): ErpRecord {
  let normal: OpenRecord | null = null;
  for (const field of Object.values(fields)) {
    const value = record[field.name];
    if (typeof value !== 'string') continue;
    const stored = storedText(field, value);
    if (stored === value) continue;
    normal ??= { ...record };
    normal[field.name] = stored;
  }
  return normal ?? record;
}

function storedText(field: Field, value: string): string {
  if (DECIMALS.has(field.type)) return roundDecimal(value, digitsOf(field).scale);
  return field.type === 'datetime' ? new Date(value).toISOString() : value;
}

const DECIMALS: ReadonlySet<string> = new Set(['decimal', 'money', 'percent']);
