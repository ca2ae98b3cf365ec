import { filterToSql } from '#engine/filter/filter-to-sql.ts';
import { duplicateLines, isMeantBy } from '#engine/record/duplicate-lines.ts';
import type { UniqueDefinition } from '#engine/schema/definition.ts';
import type { Field, FieldProblem } from '#engine/schema/resource.ts';
import { lockNames } from '#server/kernel/db/lock-name.ts';
import type { Call } from '#server/records/call/open-call.ts';
import { recordScope } from '#server/records/call/record-scope.ts';
import { bind, quoteName, quoteText, type Reader } from '#server/records/call/statement.ts';
import { tableOf } from '#server/records/call/table-source.ts';
import { RELEASED_STATES } from '#server/kernel/db/table-columns.ts';
import { linesOf, type OpenRecord } from '#server/records/read/attach-references.ts';
import { lineFieldsOf } from '#server/records/write/write-rows.ts';

/**
 * Lines of a record that lines of other records, or of itself, hold already, by uniques that read the head
 * (`parent.partner_id`). No index reaches over two tables, so writers of one key wait for each other until the commit.
 */
export async function findTakenLines(
  tx: Reader,
  call: Call,
  record: OpenRecord,
): Promise<readonly FieldProblem[]> {
  if (RELEASED_STATES.some((state) => record['status'] === state)) return [];
  const problems: FieldProblem[] = [];
  for (const field of lineFieldsOf(call.resource)) {
    const overHead = (field.unique ?? []).filter(({ fields }) => fields.some(isOfHead));
    // Lines that an action adds have not been compared with each other.
    problems.push(...duplicateLines({ ...field, unique: overHead }, recordScope(call, record)));
    for (const unique of overHead) problems.push(...(await takenBy(tx, call, { field, unique, record })));
  }
  return problems;
}

interface Asked {
  readonly field: Field;
  readonly unique: UniqueDefinition;
  readonly record: OpenRecord;
}

async function takenBy(tx: Reader, call: Call, asked: Asked): Promise<readonly FieldProblem[]> {
  const { field, unique, record } = asked;
  const scope = recordScope(call, record);
  const keys = linesOf(record[field.name]).flatMap((line, index) => {
    const values = unique.fields.map((name) => valueOf(name, line, record));
    const isWhole = unique.nulls === 'same' || !values.includes(null);
    return isWhole && isMeantBy(unique, field, scope, line) ? [{ index, values }] : [];
  });
  if (keys.length === 0) return [];
  await waitFor(tx, call, asked, keys);
  const problems: FieldProblem[] = [];
  for (const { index, values } of keys) {
    if (!(await isTaken(tx, call, asked, values))) continue;
    const own = unique.fields.filter((name) => !isOfHead(name));
    const titles = own.map((name) => field.fields?.[name]?.title ?? name).join('、');
    problems.push({
      path: `${field.name}.${index}.${own[0] ?? ''}`,
      code: 'unique',
      message: unique.message ?? `“${titles}”已在其他单据中`,
    });
  }
  return problems;
}

/** Locks the keys in one order, so that two writers of several never wait for each other in a circle. */
async function waitFor(
  tx: Reader,
  { resource }: Call,
  { field, unique, record }: Asked,
  keys: readonly { readonly values: readonly (string | null)[] }[],
): Promise<void> {
  const around = [resource.resource, field.name, ...unique.fields, record['co_code'] ?? ''];
  await lockNames(
    tx,
    keys.map(({ values }) => JSON.stringify([...around, ...values.map(folded(unique))])),
  );
}

async function isTaken(
  tx: Reader,
  { resource, catalog, caller }: Call,
  { field, unique, record }: Asked,
  values: readonly (string | null)[],
): Promise<boolean> {
  const bound: unknown[] = [];
  const own = bind(bound, record['id'] ?? null);
  const conditions = ['not t.is_deleted', `(${own}::uuid is null or t.id <> ${own}::uuid)`];
  if (resource.fields['status'] !== undefined)
    conditions.push(`(t.status is null or t.status not in (${RELEASED_STATES.map(quoteText).join(', ')}))`);
  if (resource.scope === 'company' && unique.scope !== 'global')
    conditions.push(`t.co_code = ${bind(bound, record['co_code'])}`);
  for (const [at, name] of unique.fields.entries()) {
    const column = isOfHead(name) ? `t.${quoteName(headName(name))}` : `l.${quoteName(name)}`;
    const value = values[at] ?? null;
    const text = unique.ignoreCase === true ? `lower(${column}::text)` : `${column}::text`;
    conditions.push(value === null ? `${column} is null` : `${text} = ${bind(bound, folded(unique)(value))}`);
  }
  if (unique.where !== undefined)
    conditions.push(
      `(${filterToSql(unique.where, {
        resource,
        catalog,
        alias: 'l',
        lines: field.name,
        parentAlias: 't',
        context: caller.context,
        values: bound,
      })})`,
    );
  const lines = quoteName(`${resource.resource}__${field.name}`);
  const [row] = await tx.query(
    `select 1 from ${lines} l join ${tableOf(resource)} t on t.id = l.parent_id where ${conditions.join(' and ')} limit 1`,
    bound,
  );
  return row !== undefined;
}

function folded({ ignoreCase }: UniqueDefinition): (value: string | null) => string | null {
  return (value) => (ignoreCase === true ? (value?.toLowerCase() ?? null) : value);
}

function valueOf(name: string, line: OpenRecord, record: OpenRecord): string | null {
  const value = isOfHead(name) ? record[headName(name)] : line[name];
  return value === null || value === undefined ? null : String(value);
}

function isOfHead(name: string): boolean {
  return name.startsWith('parent.');
}

function headName(name: string): string {
  return name.slice('parent.'.length);
}
