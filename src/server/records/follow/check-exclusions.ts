import { lockNames } from '#server/kernel/db/lock-name.ts';
import { filterToSql } from '#engine/filter/filter-to-sql.ts';
import { matchesFilter } from '#engine/filter/matches-filter.ts';
import type { ExcludeDefinition } from '#engine/schema/effects-definition.ts';
import type { Field, FieldProblem } from '#engine/schema/resource.ts';
import { type Call, openSystemCall } from '#server/records/call/open-call.ts';
import { recordScope } from '#server/records/call/record-scope.ts';
import { bind, quoteName, type Tx } from '#server/records/call/statement.ts';
import { tableOf } from '#server/records/call/table-source.ts';
import type { OpenRecord } from '#server/records/read/attach-references.ts';
import { labelExpression } from '#server/records/read/label-expression.ts';
import { readStoredMany } from '#server/records/read/read-stored.ts';
import type { MovedRecord, WriteSession } from './write-session.ts';

/**
 * Records of equal keys that overlap in all their ranges, among those that the transaction moved. Writers of one key wait
 * for each other, so that two at once never both pass. However many records moved, they are asked about together.
 */
export async function checkExclusions(tx: Tx, session: WriteSession): Promise<readonly FieldProblem[]> {
  const problems: FieldProblem[] = [];
  for (const group of groupsOf(session)) {
    const call = openSystemCall(group.call.services, group.call.caller, group.call.resource.resource);
    const records = await readStoredMany(tx, call, [...group.moved.keys()]);
    for (const exclude of call.resource.exclude) {
      const concerned = records.filter((record) =>
        isConcerned(call, exclude, { before: group.moved.get(String(record['id'])) ?? null, record }),
      );
      await lockNames(
        tx,
        concerned.map((record) => keyText(call, exclude, record)),
      );
      for (const alike of byEmptyKeys(exclude, concerned))
        problems.push(...(await overlapProblems(tx, call, exclude, alike)));
    }
  }
  return problems;
}

interface MovedGroup {
  readonly call: Call;
  /** By id, as they were before the transaction; null for new ones. */
  readonly moved: Map<string, OpenRecord | null>;
}

/** What moved, by resource and the company in which it was written. */
function groupsOf(session: WriteSession): Iterable<MovedGroup> {
  const groups = new Map<string, MovedGroup>();
  for (const { resource, call, id, before, isGone } of session.moved.values()) {
    if (resource.exclude.length === 0 || isGone) continue;
    const key = JSON.stringify([resource.resource, call.caller.subject.co_code]);
    const group = groups.get(key) ?? { call, moved: new Map<string, OpenRecord | null>() };
    group.moved.set(id, before);
    groups.set(key, group);
  }
  return groups.values();
}

function isConcerned(
  call: Call,
  exclude: ExcludeDefinition,
  { before, record }: { readonly before: MovedRecord['before']; readonly record: OpenRecord },
): boolean {
  const counts = (one: OpenRecord): boolean => matchesFilter(exclude.where, recordScope(call, one));
  if (!counts(record)) return false;
  if (before === null || !counts(before)) return true;
  const watched = [...exclude.fields, ...exclude.ranges.flat()];
  return watched.some((name) => before[name] !== record[name]);
}

function keyText({ resource }: Call, { fields }: ExcludeDefinition, record: OpenRecord): string {
  return JSON.stringify([resource.resource, record['co_code'] ?? '', ...fields.map((name) => record[name])]);
}

/** Empty equals empty, which no index finds by comparing: records with the same empty keys are asked about together. */
function byEmptyKeys(
  { fields }: ExcludeDefinition,
  records: readonly OpenRecord[],
): readonly (readonly OpenRecord[])[] {
  const alike = new Map<string, OpenRecord[]>();
  for (const record of records) {
    const pattern = fields.map((name) => isEmpty(record[name])).join();
    const known = alike.get(pattern);
    if (known === undefined) alike.set(pattern, [record]);
    else known.push(record);
  }
  return [...alike.values()];
}

async function overlapProblems(
  tx: Tx,
  call: Call,
  exclude: ExcludeDefinition,
  records: readonly OpenRecord[],
): Promise<readonly FieldProblem[]> {
  const { resource, catalog } = call;
  const isScoped = resource.scope === 'company';
  const names = ['id', ...(isScoped ? ['co_code'] : []), ...exclude.fields, ...exclude.ranges.flat()];
  const rows = records.map((record) => Object.fromEntries(names.map((name) => [name, record[name] ?? null])));
  const values: unknown[] = [];
  const table = tableOf(resource);
  const given = `jsonb_populate_recordset(null::${table}, ${bind(values, JSON.stringify(rows))}::jsonb)`;
  const conditions = ['not t.is_deleted', 't.id <> r.id', ...(isScoped ? ['t.co_code = r.co_code'] : [])];
  for (const name of exclude.fields) {
    const column = quoteName(name);
    conditions.push(isEmpty(records[0]?.[name]) ? `t.${column} is null` : `t.${column} = r.${column}`);
  }
  for (const [from, to] of exclude.ranges)
    conditions.push(overlapSql({ from, to, field: resource.fields[to] }));
  if (exclude.where !== undefined)
    conditions.push(
      `(${filterToSql(exclude.where, { resource, catalog, alias: 't', context: call.caller.context, values })})`,
    );
  const label = labelExpression(catalog, resource.resource, 't');
  // By the text of the id: the order of the primary key would lead through the whole table.
  const found = await tx.query(
    `select o.id, o.label from (select row_number() over () as n, p.* from ${given} p) r
     cross join lateral (select t.id, ${label} as label from ${table} t where ${conditions.join(' and ')} order by t.id::text limit 1) o
     order by r.n`,
    values,
  );
  return found.map((row) => ({
    path: exclude.ranges[0]?.[0] ?? '',
    code: 'overlap',
    message: exclude.message,
    detail: {
      count: 1,
      records: [
        {
          resource: resource.resource,
          id: String(row['id']),
          label: typeof row['label'] === 'string' ? row['label'] : '',
        },
      ],
    },
  }));
}

/** An empty end is open. Dates and integers include their end, instants and decimals do not. */
function overlapSql({
  from,
  to,
  field,
}: {
  readonly from: string;
  readonly to: string;
  readonly field: Field | undefined;
}): string {
  const less = field?.type === 'date' || field?.type === 'integer' ? '<=' : '<';
  const [start, end] = [quoteName(from), quoteName(to)];
  const begins = `(r.${end} is null or t.${start} is null or t.${start} ${less} r.${end})`;
  return `${begins} and (t.${end} is null or r.${start} is null or r.${start} ${less} t.${end})`;
}

function isEmpty(value: unknown): boolean {
  return value === null || value === undefined;
}
