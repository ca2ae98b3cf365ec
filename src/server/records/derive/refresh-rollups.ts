import { digitsOf } from '#engine/fields/decimal-value.ts';
import { filterToSql } from '#engine/filter/filter-to-sql.ts';
import { computeRecord } from '#engine/record/compute-record.ts';
import type { RollupDefinition } from '#engine/schema/definition.ts';
import type { Catalog, Field, Resource } from '#engine/schema/resource.ts';
import { roundDecimal } from '#engine/values/decimal.ts';
import { attachReferences, linesOf, type OpenRecord } from '#server/records/read/attach-references.ts';
import { bindFilter } from '#server/records/call/bind-filter.ts';
import { type Call, openSystemCall } from '#server/records/call/open-call.ts';
import { lockRows, readStored } from '#server/records/read/read-stored.ts';
import { recordScope } from '#server/records/call/record-scope.ts';
import { bind, quoteName, statementName, type Tx } from '#server/records/call/statement.ts';
import { linesTableOf, tableOf } from '#server/records/call/table-source.ts';
import { updateRow, writeLines } from '#server/records/write/write-rows.ts';
import { textOf } from '#server/records/call/text-of.ts';

/** A field that keeps a sum over other records: of a head, or a column of its lines. */
interface RollupField {
  readonly owner: Resource;
  readonly lines: string | null;
  readonly field: Field;
  readonly rollup: RollupDefinition;
}

/**
 * Brings the sums over a record up to date in every record that keeps them: the heads are locked in the order of their
 * ids, the sums taken anew, what is computed from them computed again, and so on upwards. Versions stay: a sum that
 * moves is no edit of the document that shows it.
 */
export async function refreshRollups(
  tx: Tx,
  call: Call,
  change: { readonly before: OpenRecord | null; readonly after: OpenRecord | null },
  depth = 0,
): Promise<void> {
  if (depth > MAX_DEPTH) return;
  const rollups = rollupsOver(call.catalog, call.resource.resource);
  if (rollups.length === 0) return;
  const touched = new Map<
    string,
    { readonly owner: Resource; readonly heads: Set<string>; readonly fields: RollupField[] }
  >();
  for (const rollup of rollups) {
    const ids = affectedIds(rollup, change);
    if (ids.length === 0) continue;
    const heads = rollup.lines === null ? ids : await headsOfLines(tx, rollup, ids);
    const entry = touched.get(rollup.owner.resource) ?? {
      owner: rollup.owner,
      heads: new Set<string>(),
      fields: [],
    };
    for (const id of heads) entry.heads.add(id);
    entry.fields.push(rollup);
    touched.set(rollup.owner.resource, entry);
  }
  for (const { owner, heads, fields } of touched.values()) {
    const ids = [...heads].sort();
    await lockRows(tx, owner, ids);
    for (const id of ids) await refreshOwner(tx, call, { owner, id, fields, depth });
  }
}

/**
 * Takes the named sums of one record anew (`paid_amount`, `items.shipped_quantity`), with what is computed from them and
 * the sums above it.
 */
export async function refreshSumsOf(
  tx: Tx,
  call: Call,
  asked: { readonly id: string; readonly names: ReadonlySet<string> },
): Promise<void> {
  const { resource } = call;
  const fields = rollupFieldsOf(resource).filter((rollup) => asked.names.has(rollupName(rollup)));
  if (fields.length === 0) return;
  await lockRows(tx, resource, [asked.id]);
  await refreshOwner(tx, call, { owner: resource, id: asked.id, fields, depth: 0 });
}

/** The value of a sum over nothing: zero for sums and counts, empty for extremes. */
export function emptyRollup(field: Field): unknown {
  if (field.rollup?.count === true) return 0;
  if (field.rollup?.sum === undefined) return null;
  return field.type === 'integer' ? 0 : roundDecimal('0', digitsOf(field).scale);
}

const MAX_DEPTH = 6;
const found = new WeakMap<Catalog, ReadonlyMap<string, readonly RollupField[]>>();

function rollupsOver(catalog: Catalog, key: string): readonly RollupField[] {
  const known = found.get(catalog);
  if (known !== undefined) return known.get(key) ?? [];
  const byResource = new Map<string, RollupField[]>();
  for (const owner of Object.values(catalog.resources))
    for (const kept of rollupFieldsOf(owner)) {
      const of = kept.rollup.of.split('.')[0] ?? '';
      byResource.set(of, [...(byResource.get(of) ?? []), kept]);
    }
  found.set(catalog, byResource);
  return byResource.get(key) ?? [];
}

function rollupFieldsOf(owner: Resource): readonly RollupField[] {
  const kept = (lines: string | null, field: Field): readonly RollupField[] =>
    field.rollup === undefined ? [] : [{ owner, lines, field, rollup: field.rollup }];
  return Object.values(owner.fields).flatMap((field) => [
    ...kept(null, field),
    ...Object.values(field.fields ?? {}).flatMap((cell) => kept(field.name, cell)),
  ]);
}

function rollupName({ lines, field }: RollupField): string {
  return lines === null ? field.name : `${lines}.${field.name}`;
}

function affectedIds(
  { rollup }: RollupField,
  change: { readonly before: OpenRecord | null; readonly after: OpenRecord | null },
): readonly string[] {
  const [, lines] = rollup.of.split('.');
  const isOfHead = lines === undefined || rollup.by.startsWith('parent.');
  const by = rollup.by.replace(/^parent\./, '');
  const ids = new Set<string>();
  for (const record of [change.before, change.after]) {
    if (record === null) continue;
    const holders = isOfHead ? [record] : linesOf(record[lines]);
    for (const holder of holders) {
      const value = holder[by];
      if (typeof value === 'string') ids.add(value);
    }
  }
  return [...ids];
}

async function headsOfLines(
  tx: Tx,
  { owner, lines }: RollupField,
  ids: readonly string[],
): Promise<readonly string[]> {
  const text = `select distinct l.parent_id as id from ${linesTableOf(owner, lines ?? '')} l where l.id = any($1::uuid[])`;
  const rows = await tx.query(text, [ids], statementName(text));
  return rows.map((row) => String(row['id']));
}

interface OwnerRefresh {
  readonly owner: Resource;
  readonly id: string;
  readonly fields: readonly RollupField[];
  readonly depth: number;
}

async function refreshOwner(tx: Tx, call: Call, { owner, id, fields, depth }: OwnerRefresh): Promise<void> {
  const ownerCall = { ...openSystemCall(call.services, call.caller, owner.resource), catalog: call.catalog };
  const openCompanies = { ...ownerCall, access: { ...ownerCall.access, companies: 'all' as const } };
  const before = await readStored(tx, openCompanies, id);
  if (before === null) return;
  let after: OpenRecord = { ...before };
  for (const rollup of fields) after = await sumInto(tx, openCompanies, { rollup, after });
  if (owner.formulaOrder.length > 0) {
    await attachReferences(tx, {
      catalog: call.catalog,
      resource: owner,
      records: [after],
      withPaths: true,
      withLabels: false,
      company: textOf(before['co_code'] ?? call.caller.subject.co_code),
    });
    after = { ...computeRecord(owner, after, recordScope(ownerCall, after)) };
  }
  const columns: OpenRecord = {};
  for (const field of Object.values(owner.fields))
    if (field.type !== 'lines' && JSON.stringify(before[field.name]) !== JSON.stringify(after[field.name]))
      columns[field.name] = after[field.name] ?? null;
  await updateRow(tx, owner, { id, company: before['co_code'], columns });
  for (const field of Object.values(owner.fields))
    if (field.type === 'lines') await writeLines(tx, owner, { field, before, after });
  await refreshRollups(tx, ownerCall, { before, after }, depth + 1);
}

async function sumInto(
  tx: Tx,
  call: Call,
  { rollup, after }: { readonly rollup: RollupField; readonly after: OpenRecord },
): Promise<OpenRecord> {
  const { field, lines } = rollup;
  if (lines === null) {
    const sums = await sumsOf(tx, call, { rollup, ids: [String(after['id'])], record: after });
    return { ...after, [field.name]: sums.get(String(after['id'])) ?? emptyRollup(field) };
  }
  const rows = linesOf(after[lines]);
  const sums = await sumsOf(tx, call, { rollup, ids: rows.map((line) => String(line['id'])), record: after });
  return {
    ...after,
    [lines]: rows.map((line) => ({
      ...line,
      [field.name]: sums.get(String(line['id'])) ?? emptyRollup(field),
    })),
  };
}

async function sumsOf(
  tx: Tx,
  call: Call,
  asked: { readonly rollup: RollupField; readonly ids: readonly string[]; readonly record: OpenRecord },
): Promise<ReadonlyMap<string, unknown>> {
  const { rollup: definition, field } = asked.rollup;
  const [key = '', lines] = definition.of.split('.');
  const resource = call.catalog.resources[key];
  if (resource === undefined || asked.ids.length === 0) return new Map();
  const values: unknown[] = [asked.ids];
  const isOfHead = lines === undefined;
  const source = isOfHead
    ? `${tableOf(resource)} t`
    : `${linesTableOf(resource, lines)} t join ${tableOf(resource)} h on h.id = t.parent_id${resource.scope === 'company' ? ' and h.co_code = t.co_code' : ''}`;
  const head = isOfHead ? 't' : 'h';
  const isByHead = definition.by.startsWith('parent.');
  const by = `${isByHead ? head : 't'}.${quoteName(definition.by.replace(/^parent\./, ''))}`;
  const conditions = [
    `${by} = any($1::uuid[])`,
    ...(resource.kind === 'view' ? [] : [`${head}.is_deleted = false`]),
  ];
  const company = asked.record['co_code'];
  if (resource.scope === 'company' && typeof company === 'string')
    conditions.push(`t.co_code = ${bind(values, company)}`);
  if (definition.where !== undefined)
    conditions.push(
      `(${filterToSql(bindFilter(definition.where, recordScope(call, asked.record)), {
        resource,
        catalog: call.catalog,
        alias: 't',
        context: call.caller.context,
        values,
        ...(isOfHead ? {} : { lines, parentAlias: 'h' }),
      })})`,
    );
  const text = `select ${by} as id, ${aggregateOf(definition)} as value from ${source} where ${conditions.join(' and ')} group by 1`;
  const rows = await tx.query(text, values, statementName(text));
  return new Map(rows.map((row) => [String(row['id']), fitSum(field, row['value'])]));
}

function aggregateOf(definition: RollupDefinition): string {
  if (definition.count === true) return 'count(*)';
  if (definition.sum !== undefined) return `sum(${columnOf(definition.sum)})`;
  if (definition.max !== undefined) return `max(${columnOf(definition.max)})`;
  return `min(${columnOf(definition.min ?? 'id')})`;
}

function columnOf(path: string): string {
  return path.startsWith('parent.') ? `h.${quoteName(path.slice('parent.'.length))}` : `t.${quoteName(path)}`;
}

function fitSum(field: Field, value: unknown): unknown {
  if (value === null || value === undefined) return emptyRollup(field);
  if (field.type === 'integer') return Number(value);
  const isDecimal = field.type === 'decimal' || field.type === 'money' || field.type === 'percent';
  return isDecimal ? roundDecimal(textOf(value), digitsOf(field).scale) : value;
}
