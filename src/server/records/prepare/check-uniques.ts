import { matchesFilter } from '#engine/filter/matches-filter.ts';
import type { UniqueDefinition } from '#engine/schema/definition.ts';
import type { FieldProblem, Resource } from '#engine/schema/resource.ts';
import type { OpenRecord } from '#server/records/read/attach-references.ts';
import type { Call } from '#server/records/call/open-call.ts';
import { recordScope } from '#server/records/call/record-scope.ts';
import { RELEASED_STATES } from '#server/kernel/db/table-columns.ts';
import { bind, quoteName, quoteText, type Reader, statementName } from '#server/records/call/statement.ts';
import { tableOf } from '#server/records/call/table-source.ts';
import { filterToSql } from '#engine/filter/filter-to-sql.ts';
import { findByKeys, type KeyColumn } from './find-by-keys.ts';

/**
 * Which uniques of a resource another record already holds. The database's own unique indexes decide races; this gives
 * the clear message in the ordinary case. Values that did not change are not asked for again.
 */
export async function findDuplicates(
  tx: Reader,
  call: Call,
  written: { readonly record: OpenRecord; readonly previous: OpenRecord | null },
): Promise<readonly FieldProblem[]> {
  const { resource } = call;
  const { record, previous } = written;
  const values: unknown[] = [record['id'] ?? null];
  const parts: string[] = [];
  const asked = resource.unique.filter((unique) => isAsked(call, unique, record, previous));
  for (const [index, unique] of asked.entries())
    parts.push(duplicateSelect(call, unique, { record, values, index }));
  if (parts.length === 0) return [];
  const text = parts.join(' union all ');
  const rows = await tx.query(text, values, statementName(text));
  return rows.flatMap((row) => {
    const unique = asked[Number(row['n'])];
    return unique === undefined ? [] : [uniqueProblem(resource, unique)];
  });
}

/**
 * The same for many records at once: the uniques that other stored records hold, for each of them; one statement for
 * each unique.
 */
export async function findDuplicatesOfMany(
  tx: Reader,
  call: Call,
  written: readonly { readonly record: OpenRecord; readonly previous: OpenRecord | null }[],
): Promise<readonly (readonly FieldProblem[])[]> {
  const { resource } = call;
  const problems = written.map((): FieldProblem[] => []);
  for (const unique of resource.unique) {
    const asked = written.flatMap(({ record, previous }, place) =>
      isAsked(call, unique, record, previous) ? [{ record, place }] : [],
    );
    if (asked.length === 0) continue;
    const values: unknown[] = [];
    const conditions = storedConditions(call, unique, values);
    const rows = asked.map(({ record }) => record);
    const found = await findByKeys(tx, resource, {
      rows,
      columns: keyColumns(resource, unique),
      conditions,
      values,
    });
    const taken = new Set(found.filter(({ n, id }) => rows[n]?.['id'] !== id).map(({ n }) => n));
    for (const n of taken) {
      const place = asked[n]?.place;
      if (place !== undefined) problems[place]?.push(uniqueProblem(resource, unique));
    }
  }
  return problems;
}

/** The values by which a unique tells records apart, as text; null when it does not concern the record. */
export function uniqueKey(call: Call, unique: UniqueDefinition, record: OpenRecord): string | null {
  if (!isAsked(call, unique, record, null)) return null;
  const text = JSON.stringify(keyColumns(call.resource, unique).map(({ name }) => record[name] ?? null));
  return unique.ignoreCase === true ? text.toLowerCase() : text;
}

function keyColumns(resource: Resource, unique: UniqueDefinition): readonly KeyColumn[] {
  const isScoped = resource.scope === 'company' && unique.scope !== 'global';
  const company = { name: 'co_code', ignoreCase: false, areNullsSame: false };
  const own = unique.fields.map((name) => ({
    name,
    ignoreCase: unique.ignoreCase === true,
    areNullsSame: unique.nulls === 'same',
  }));
  return isScoped ? [company, ...own.filter(({ name }) => name !== company.name)] : own;
}

/** What a violated unique says. */
export function uniqueProblem(resource: Resource, unique: UniqueDefinition): FieldProblem {
  const titles = unique.fields.map((name) => resource.fields[name]?.title ?? name).join('、');
  return {
    path: unique.at ?? unique.fields[0] ?? '',
    code: 'unique',
    message: unique.message ?? `“${titles}”已存在`,
  };
}

function isAsked(
  call: Call,
  unique: UniqueDefinition,
  record: OpenRecord,
  previous: OpenRecord | null,
): boolean {
  if (unique.nulls !== 'same' && unique.fields.some((name) => (record[name] ?? null) === null)) return false;
  if (isReleased(record)) return false;
  const isUnchanged =
    previous !== null &&
    !isReleased(previous) &&
    unique.where === undefined &&
    unique.fields.every(
      (name) => JSON.stringify(previous[name] ?? null) === JSON.stringify(record[name] ?? null),
    );
  if (isUnchanged) return false;
  return unique.where === undefined || matchesFilter(unique.where, recordScope(call, record));
}

function isReleased(record: OpenRecord): boolean {
  return RELEASED_STATES.some((state) => record['status'] === state);
}

function duplicateSelect(
  call: Call,
  unique: UniqueDefinition,
  place: { readonly record: OpenRecord; readonly values: unknown[]; readonly index: number },
): string {
  const { resource } = call;
  const { record, values, index } = place;
  // The words of the unique index, so that it serves the question.
  const conditions = ['not t.is_deleted', '($1::uuid is null or t.id <> $1::uuid)'];
  if (resource.scope === 'company' && unique.scope !== 'global')
    conditions.push(`t.co_code = ${bind(values, record['co_code'])}`);
  conditions.push(...storedConditions(call, unique, values));
  for (const name of unique.fields) {
    const column = `t.${quoteName(name)}`;
    const value = record[name] ?? null;
    if (value === null) {
      // Only where empty equals empty is an empty part asked for.
      conditions.push(`${column} is null`);
      continue;
    }
    const placeholder = bind(values, value);
    conditions.push(
      unique.ignoreCase === true ? `lower(${column}) = lower(${placeholder})` : `${column} = ${placeholder}`,
    );
  }
  return `(select ${index}::int as n from ${tableOf(resource)} t where ${conditions.join(' and ')} limit 1)`;
}

/**
 * The stored rows that a unique counts, alias `t`: what is void or cancelled, or is left out by its own condition, holds
 * no key any more. Parameters are added to `values`.
 */
export function storedConditions(call: Call, unique: UniqueDefinition, values: unknown[]): readonly string[] {
  const { resource, catalog, caller } = call;
  const conditions: string[] = [];
  if (resource.fields['status'] !== undefined)
    conditions.push(`(t.status is null or t.status not in (${RELEASED_STATES.map(quoteText).join(', ')}))`);
  if (unique.where !== undefined)
    conditions.push(
      `(${filterToSql(unique.where, { resource, catalog, alias: 't', context: caller.context, values })})`,
    );
  return conditions;
}
