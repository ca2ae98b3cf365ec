import { lockName } from '#server/kernel/db/lock-name.ts';
import { filterToSql } from '#engine/filter/filter-to-sql.ts';
import { matchesFilter } from '#engine/filter/matches-filter.ts';
import type { ExcludeDefinition } from '#engine/schema/effects-definition.ts';
import type { Field, FieldProblem } from '#engine/schema/resource.ts';
import { type Call, openSystemCall } from '#server/records/call/open-call.ts';
import { recordScope } from '#server/records/call/record-scope.ts';
import { sameKeySql } from '#server/records/call/same-key.ts';
import { bind, quoteName, type Tx } from '#server/records/call/statement.ts';
import { tableOf } from '#server/records/call/table-source.ts';
import type { OpenRecord } from '#server/records/read/attach-references.ts';
import { labelExpression } from '#server/records/read/label-expression.ts';
import { readStored } from '#server/records/read/read-stored.ts';
import type { MovedRecord, WriteSession } from './write-session.ts';

/**
 * Records of equal keys that overlap in all their ranges, among those that the transaction moved. Writers of one key wait
 * for each other, so that two at once never both pass.
 */
export async function checkExclusions(tx: Tx, session: WriteSession): Promise<readonly FieldProblem[]> {
  const problems: FieldProblem[] = [];
  for (const moved of session.moved.values()) {
    if (moved.resource.exclude.length === 0 || moved.isGone) continue;
    const call = openSystemCall(moved.call.services, moved.call.caller, moved.resource.resource);
    const record = await readStored(tx, call, moved.id);
    if (record === null) continue;
    for (const exclude of moved.resource.exclude) {
      if (!isConcerned(call, exclude, { moved, record })) continue;
      const problem = await overlapProblem(tx, call, exclude, record);
      if (problem !== null) problems.push(problem);
    }
  }
  return problems;
}

function isConcerned(
  call: Call,
  exclude: ExcludeDefinition,
  { moved, record }: { readonly moved: MovedRecord; readonly record: OpenRecord },
): boolean {
  const counts = (one: OpenRecord): boolean => matchesFilter(exclude.where, recordScope(call, one));
  if (!counts(record)) return false;
  const { before } = moved;
  if (before === null || !counts(before)) return true;
  const watched = [...exclude.fields, ...exclude.ranges.flat()];
  return watched.some((name) => before[name] !== record[name]);
}

async function overlapProblem(
  tx: Tx,
  call: Call,
  exclude: ExcludeDefinition,
  record: OpenRecord,
): Promise<FieldProblem | null> {
  const { resource, catalog } = call;
  const key = [resource.resource, record['co_code'] ?? '', ...exclude.fields.map((name) => record[name])];
  await lockName(tx, JSON.stringify(key));
  const values: unknown[] = [];
  const conditions = ['not t.is_deleted', `t.id <> ${bind(values, record['id'])}::uuid`];
  if (resource.scope === 'company') conditions.push(`t.co_code = ${bind(values, record['co_code'])}`);
  for (const name of exclude.fields)
    conditions.push(
      sameKeySql(`t.${quoteName(name)}`, { field: resource.fields[name], value: record[name] }, values),
    );
  for (const [from, to] of exclude.ranges)
    conditions.push(overlapSql({ from, to, field: resource.fields[to] }, record, values));
  if (exclude.where !== undefined)
    conditions.push(
      `(${filterToSql(exclude.where, { resource, catalog, alias: 't', context: call.caller.context, values })})`,
    );
  const [row] = await tx.query(
    `select t.id, ${labelExpression(catalog, resource.resource, 't')} as label from ${tableOf(resource)} t where ${conditions.join(' and ')} order by t.id limit 1`,
    values,
  );
  if (row === undefined) return null;
  const label = typeof row['label'] === 'string' ? row['label'] : '';
  return {
    path: exclude.ranges[0]?.[0] ?? '',
    code: 'overlap',
    message: exclude.message,
    detail: { count: 1, records: [{ resource: resource.resource, id: String(row['id']), label }] },
  };
}

/** An empty end is open. Dates and integers include their end, instants and decimals do not. */
function overlapSql(
  { from, to, field }: { readonly from: string; readonly to: string; readonly field: Field | undefined },
  record: OpenRecord,
  values: unknown[],
): string {
  const isClosed = field?.type === 'date' || field?.type === 'integer';
  const less = isClosed ? '<=' : '<';
  const type = SQL_TYPES[field?.type ?? ''] ?? 'numeric';
  const parts: string[] = [];
  const end = record[to];
  const start = record[from];
  if (end !== null && end !== undefined)
    parts.push(
      `(t.${quoteName(from)} is null or t.${quoteName(from)} ${less} ${bind(values, end)}::${type})`,
    );
  if (start !== null && start !== undefined)
    parts.push(`(t.${quoteName(to)} is null or ${bind(values, start)}::${type} ${less} t.${quoteName(to)})`);
  return parts.length === 0 ? 'true' : parts.join(' and ');
}

const SQL_TYPES: Readonly<Record<string, string>> = {
  date: 'date',
  datetime: 'timestamptz',
  integer: 'bigint',
};
