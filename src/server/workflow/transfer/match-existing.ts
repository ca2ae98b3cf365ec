import { parseField } from '#engine/fields/field-types.ts';
import type { UniqueDefinition } from '#engine/schema/definition.ts';
import type { Resource } from '#engine/schema/resource.ts';
import type { OpenRecord } from '#server/records/read/attach-references.ts';
import type { Call } from '#server/records/call/open-call.ts';
import { normaliseFields } from '#server/records/prepare/fill-references.ts';
import { storedConditions } from '#server/records/prepare/check-uniques.ts';
import { findByKeys } from '#server/records/prepare/find-by-keys.ts';
import { bind, type Reader } from '#server/records/call/statement.ts';
import type { ImportDocument } from './group-documents.ts';

/** For each row the stored record that it is about; `missing` when its number is nobody's. */
export type Match = { readonly id: string } | 'new' | 'missing' | 'several';

/**
 * Finds stored records by their number where the file has one, else by the fields of the resource's first unique, for
 * a batch of rows in one statement each. What the unique does not count (voided, reversed) is not found by it: such a
 * row is a new record, as in the form. Whether the role may change a record is asked when it is read.
 */
export async function matchExisting(
  db: Reader,
  call: Call,
  rows: readonly Pick<ImportDocument, 'body' | 'number'>[],
): Promise<readonly Match[]> {
  const { resource } = call;
  const numberField = resource.number?.field;
  const byNumber = rows.map(({ number }): OpenRecord | null =>
    number === null || numberField === undefined ? null : { [numberField]: number },
  );
  const unique = resource.unique[0];
  const byUnique = rows.map(({ body, number }) =>
    number !== null || unique === undefined ? null : keyOf(resource, unique, body),
  );
  const [numbered, known] = await Promise.all([
    findIds(db, call, { names: numberField === undefined ? [] : [numberField], keys: byNumber }),
    findIds(db, call, { names: unique?.fields ?? [], keys: byUnique, unique }),
  ]);
  return rows.map(({ number }, index): Match => {
    const found = (number === null ? known : numbered).get(index) ?? [];
    const [id] = found;
    if (id === undefined) return number === null ? 'new' : 'missing';
    return found.length > 1 ? 'several' : { id };
  });
}

/** The values of a unique's fields; null when the row does not have them all. */
function keyOf(resource: Resource, unique: UniqueDefinition, body: OpenRecord): OpenRecord | null {
  const normal = normaliseFields(resource.fields, body);
  const key: OpenRecord = {};
  for (const name of unique.fields) {
    const value = normal[name];
    const field = resource.fields[name];
    // What the field cannot hold is nobody's key; the engine says what is wrong with it.
    if (value === undefined || value === null || field === undefined) return null;
    if ('problem' in parseField(value, field)) return null;
    key[name] = value;
  }
  return key;
}

async function findIds(
  db: Reader,
  call: Call,
  asked: {
    readonly names: readonly string[];
    readonly keys: readonly (OpenRecord | null)[];
    /** By which they are sought; none where a number tells them, whatever their state. */
    readonly unique?: UniqueDefinition | undefined;
  },
): Promise<ReadonlyMap<number, readonly string[]>> {
  const { resource, caller } = call;
  const found = new Map<number, string[]>();
  const places = asked.keys.flatMap((key, place) => (key === null ? [] : [place]));
  if (asked.names.length === 0 || places.length === 0) return found;
  const { unique } = asked;
  const values: unknown[] = [];
  const conditions = unique === undefined ? [] : [...storedConditions(call, unique, values)];
  if (resource.scope === 'company') conditions.push(`t.co_code = ${bind(values, caller.subject.co_code)}`);
  const rows = await findByKeys(db, resource, {
    rows: places.map((place) => asked.keys[place] ?? {}),
    columns: asked.names.map((name) => ({
      name,
      ignoreCase: unique?.ignoreCase === true,
      areNullsSame: false,
    })),
    conditions,
    values,
  });
  for (const { n, id } of rows) {
    const place = places[n];
    if (place === undefined) continue;
    const ids = found.get(place) ?? [];
    ids.push(id);
    found.set(place, ids);
  }
  return found;
}
