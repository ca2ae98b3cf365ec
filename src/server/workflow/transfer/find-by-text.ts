import { canSee } from '#engine/access/resource-access.ts';
import { targetPlace } from '#engine/schema/field-path.ts';
import type { Field, Resource } from '#engine/schema/resource.ts';
import { filterToSql } from '#engine/filter/filter-to-sql.ts';
import { bindFilter } from '#server/records/call/bind-filter.ts';
import { pickableConditions } from '#server/records/prepare/check-references.ts';
import { labelExpression } from '#server/records/read/label-expression.ts';
import { accessTo, type Call } from '#server/records/call/open-call.ts';
import { recordScope } from '#server/records/call/record-scope.ts';
import { bind, quoteName, type Reader } from '#server/records/call/statement.ts';
import { tableOf } from '#server/records/call/table-source.ts';

/** The record that a text names, or why none is. */
export type FoundRecord = { readonly id: string } | { readonly message: string };

/** Finds the records that texts of a reference column name: by number, code or other unique text, else by label. */
export interface TextFinder {
  /** Looks up the texts that are not known yet, in one statement. */
  readonly load: (field: Field, texts: ReadonlySet<string>) => Promise<void>;
  readonly find: (field: Field, text: string) => FoundRecord;
}

/** A finder for one import; it remembers what it found. */
export function createTextFinder(db: Reader, call: Call): TextFinder {
  const known = new Map<Field, Map<string, FoundRecord>>();
  const of = (field: Field): Map<string, FoundRecord> => {
    const found = known.get(field) ?? new Map<string, FoundRecord>();
    known.set(field, found);
    return found;
  };
  return {
    load: async (field, texts) => {
      const found = of(field);
      const asked = [...texts].filter((text) => !found.has(text));
      if (asked.length === 0) return;
      const matches = await findMatches(db, call, { field, texts: asked });
      for (const text of asked) found.set(text, choose(matches, text));
    },
    find: (field, text) => of(field).get(text) ?? { message: `“${text}”不存在或不可选用` },
  };
}

interface Match {
  readonly id: string;
  readonly label: string;
  readonly keys: readonly string[];
}

const MOST_MATCHES = 20_000;

async function findMatches(
  db: Reader,
  call: Call,
  { field, texts }: { readonly field: Field; readonly texts: readonly string[] },
): Promise<ReadonlyMap<string, readonly Match[]>> {
  const target = typeof field.to === 'string' ? field.to : '';
  const place = targetPlace(target, call.catalog);
  const found = new Map<string, Match[]>();
  if (place === null || place.lines !== undefined) return found;
  const values: unknown[] = [];
  const conditions = pickableConditions(call, target, {
    alias: 't',
    values,
    company: call.caller.subject.co_code,
  });
  if (conditions === null) return found;
  const label = labelExpression(call.catalog, target, 't');
  const keys = keyFields(call, place.resource);
  const asked = bind(values, texts);
  const columns = keys.map((name) => `t.${quoteName(name)}::text`);
  const matches = [label, ...columns].map((column) => `${column} = any(${asked}::text[])`);
  const where = [
    ...conditions,
    ...whereOf(call, field, { resource: place.resource, values }),
    `(${matches.join(' or ')})`,
  ];
  const rows = await db.query(
    `select t.id::text as id, ${label} as label, array[${columns.join(', ')}]::text[] as keys from ${tableOf(place.resource)} t where ${where.join(' and ')} limit ${MOST_MATCHES}`,
    values,
  );
  for (const row of rows) {
    const given = Array.isArray(row['keys']) ? row['keys'] : [];
    const match: Match = {
      id: String(row['id']),
      label: typeof row['label'] === 'string' ? row['label'] : '',
      keys: given.filter((key): key is string => typeof key === 'string'),
    };
    for (const text of new Set([match.label, ...match.keys])) {
      const list = found.get(text) ?? [];
      list.push(match);
      found.set(text, list);
    }
  }
  return found;
}

function choose(matches: ReadonlyMap<string, readonly Match[]>, text: string): FoundRecord {
  const found = matches.get(text) ?? [];
  const byKey = found.filter(({ keys }) => keys.includes(text));
  const chosen = byKey.length > 0 ? byKey : found;
  const [first] = chosen;
  if (first === undefined) return { message: `“${text}”不存在或不可选用` };
  if (chosen.length > 1) return { message: `“${text}”对应多条记录，请改用编号` };
  return { id: first.id };
}

/** Numbers, codes and unique texts of a resource, as far as this role sees them. */
function keyFields(call: Call, resource: Resource): readonly string[] {
  const access = accessTo(call.services, call.caller.subject, resource);
  const names = new Set([
    ...(resource.number === undefined ? [] : [resource.number.field]),
    ...resource.unique.flatMap(({ fields }) => (fields.length === 1 ? fields : [])),
    ...(Object.hasOwn(resource.fields, 'code') ? ['code'] : []),
  ]);
  return [...names].filter((name) => {
    const field = resource.fields[name];
    return (
      field !== undefined &&
      (field.type === 'text' || field.type === 'dictionary') &&
      field.mask === undefined &&
      canSee(access, name)
    );
  });
}

/** The field's own condition, where it does not depend on the record; that is checked with the record. */
function whereOf(
  call: Call,
  field: Field,
  at: { readonly resource: Resource; readonly values: unknown[] },
): readonly string[] {
  if (
    field.where === undefined ||
    /"=":|"(record|parent|source|above|before|input)\./.test(JSON.stringify(field.where))
  )
    return [];
  const where = bindFilter(field.where, at.resource.resource, recordScope(call, {}));
  if (Object.keys(where).length === 0) return [];
  const env = {
    resource: at.resource,
    catalog: call.catalog,
    alias: 't',
    context: call.caller.context,
    values: at.values,
  };
  return [`(${filterToSql(where, env)})`];
}
