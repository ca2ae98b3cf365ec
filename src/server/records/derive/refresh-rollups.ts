import { computeRecord } from '#engine/record/compute-record.ts';
import type { RollupDefinition } from '#engine/schema/definition.ts';
import { filterReads } from '#engine/schema/filter-reads.ts';
import type { Resource } from '#engine/schema/resource.ts';
import { lockRank } from '#server/records/call/lock-order.ts';
import { type Call, openSystemCall } from '#server/records/call/open-call.ts';
import { recordScope } from '#server/records/call/record-scope.ts';
import type { Tx } from '#server/records/call/statement.ts';
import { textOf } from '#server/records/call/text-of.ts';
import { type FigureCause, noteWritten } from '#server/records/follow/write-session.ts';
import { attachReferences, type OpenRecord } from '#server/records/read/attach-references.ts';
import { lockRows, readStored } from '#server/records/read/read-stored.ts';
import { hasColumn } from '#engine/fields/field-types.ts';
import { updateRow, writeLines } from '#server/records/write/write-rows.ts';
import { type RollupField, rollupFieldsOf, rollupName, rollupsOver } from './rollup-fields.ts';
import { sumInto } from './rollup-sums.ts';
import { touchedOwners } from './touched-owners.ts';
import { noteCauses } from './figure-causes.ts';

/** A record as it was and as it is; null where it is not (any more). */
export interface Change {
  readonly before: OpenRecord | null;
  readonly after: OpenRecord | null;
  /** Where a refusal over a figure stands, when it is not in the changed record itself. */
  readonly cause?: FigureCause;
}

/**
 * Brings the figures over a record up to date in every record that keeps them: the heads are locked in the lock order,
 * the figures taken anew, what is computed from them computed again, and so on upwards. Versions stay: a figure that
 * moves is no edit of the document that shows it.
 */
export async function refreshRollups(tx: Tx, call: Call, change: Change, depth = 0): Promise<void> {
  await refreshRollupsOfMany(tx, call, [change], depth);
}

/** The same for many records of one resource: each figure is taken once, however many of them it is over. */
export async function refreshRollupsOfMany(
  tx: Tx,
  call: Call,
  changes: readonly Change[],
  depth = 0,
): Promise<void> {
  if (depth > MAX_DEPTH) return;
  const rollups = rollupsOver(call.catalog, call.resource.resource);
  if (rollups.length === 0) return;
  const touched = await touchedOwners(tx, rollups, changes);
  const ordered = [...touched.values()].sort(
    (a, b) => lockRank(call.catalog, a.owner.resource) - lockRank(call.catalog, b.owner.resource),
  );
  for (const { owner, heads } of ordered) await lockRows(tx, owner, [...heads].sort());
  for (const { owner, heads, fields } of ordered)
    for (const id of [...heads].sort()) await refreshOwner(tx, call, { owner, id, fields, depth, changes });
}

/**
 * Takes the named figures of one record anew (`paid_amount`, `items.shipped_quantity`), with what is computed from them
 * and the figures above it.
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
  await refreshOwner(tx, call, { owner: resource, id: asked.id, fields, depth: 0, changes: [] });
}

/** Figures that a record looks up, or narrows, by its own fields: taken when it is new or one of these fields changed. */
export async function refreshKeyedSums(
  tx: Tx,
  call: Call,
  change: { readonly before: OpenRecord | null; readonly after: OpenRecord },
): Promise<void> {
  const names = rollupFieldsOf(call.resource)
    .filter(({ rollup, lines }) =>
      typeof rollup.by === 'string'
        ? change.before !== null && haveKeysMoved(rollup, change)
        : lines !== null || haveKeysMoved(rollup, change),
    )
    .map(rollupName);
  if (names.length === 0) return;
  await refreshSumsOf(tx, call, { id: String(change.after['id']), names: new Set(names) });
}

function haveKeysMoved(
  rollup: RollupDefinition,
  { before, after }: { readonly before: OpenRecord | null; readonly after: OpenRecord },
): boolean {
  if (before === null) return true;
  const keys = typeof rollup.by === 'string' ? [] : Object.values(rollup.by);
  const bounds = filterReads(rollup.where).values.filter((path) => path.startsWith(SOURCE));
  const own = [...keys, ...bounds.map((path) => path.slice(SOURCE.length))];
  return own.some((name) => !/^[a-z_]+$/.test(name) || before[name] !== after[name]);
}

/** What the condition of a figure reads of the record that keeps it. */
const SOURCE = 'source.';

const MAX_DEPTH = 6;

interface OwnerRefresh {
  readonly owner: Resource;
  readonly id: string;
  readonly fields: readonly RollupField[];
  readonly depth: number;
  readonly changes: readonly Change[];
}

async function refreshOwner(tx: Tx, call: Call, refresh: OwnerRefresh): Promise<void> {
  const { owner, id, fields, depth, changes } = refresh;
  const ownerCall = { ...openSystemCall(call.services, call.caller, owner.resource), catalog: call.catalog };
  const openCompanies = { ...ownerCall, access: { ...ownerCall.access, companies: 'all' as const } };
  const before = await readStored(tx, openCompanies, id);
  if (before === null) return;
  let after: OpenRecord = { ...before };
  for (const rollup of fields) {
    if (isFrozen(rollup, before)) continue;
    after = await sumInto(tx, openCompanies, { rollup, record: after });
    for (const change of changes) noteCauses(tx, call, { rollup, before, after, change });
  }
  if (owner.formulaOrder.length > 0) {
    await attachReferences(tx, {
      catalog: call.catalog,
      resource: owner,
      records: [after],
      withPaths: true,
      withLabels: false,
      company: textOf(before['co_code'] ?? call.caller.subject.co_code),
    });
    after = { ...computeRecord(owner, after, { ...recordScope(ownerCall, after), before }) };
  }
  const columns = changedColumns(owner, before, after);
  noteWritten(tx, ownerCall, { before, after });
  await updateRow(tx, owner, { id, company: before['co_code'], columns });
  let hasMoved = Object.keys(columns).length > 0;
  for (const field of Object.values(owner.fields))
    if (field.type === 'lines')
      hasMoved = (await writeLines(tx, owner, { field, before, after })) || hasMoved;
  // Figures that sum each other up would else be taken anew along every path between them.
  if (hasMoved) await refreshRollups(tx, ownerCall, { before, after }, depth + 1);
}

function isFrozen({ field }: RollupField, record: OpenRecord): boolean {
  return field.frozen !== undefined && !field.frozen.open.includes(String(record['status']));
}

function changedColumns(owner: Resource, before: OpenRecord, after: OpenRecord): OpenRecord {
  const columns: OpenRecord = {};
  for (const field of Object.values(owner.fields))
    if (hasColumn(field) && JSON.stringify(before[field.name]) !== JSON.stringify(after[field.name]))
      columns[field.name] = after[field.name] ?? null;
  return columns;
}
