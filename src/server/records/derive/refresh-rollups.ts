import { computeRecord } from '#engine/record/compute-record.ts';
import type { RollupDefinition } from '#engine/schema/definition.ts';
import type { Resource } from '#engine/schema/resource.ts';
import { lockRank } from '#server/records/call/lock-order.ts';
import { type Call, openSystemCall } from '#server/records/call/open-call.ts';
import { recordScope } from '#server/records/call/record-scope.ts';
import { bind, quoteName, statementName, type Tx } from '#server/records/call/statement.ts';
import { linesTableOf, tableOf } from '#server/records/call/table-source.ts';
import { sameKeySql } from '#server/records/call/same-key.ts';
import { textOf } from '#server/records/call/text-of.ts';
import { type FigureCause, noteCause, noteWritten } from '#server/records/follow/write-session.ts';
import { attachReferences, linesOf, type OpenRecord } from '#server/records/read/attach-references.ts';
import { lockRows, readStored } from '#server/records/read/read-stored.ts';
import { hasColumn } from '#engine/fields/field-types.ts';
import { updateRow, writeLines } from '#server/records/write/write-rows.ts';
import {
  rollupBounds,
  type RollupField,
  rollupFieldsOf,
  rollupKeys,
  rollupName,
  rollupsOver,
} from './rollup-fields.ts';
import { sumInto } from './rollup-sums.ts';

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

/** Figures that a record looks up by its own fields: taken when it is new or one of these fields changed. */
export async function refreshKeyedSums(
  tx: Tx,
  call: Call,
  change: { readonly before: OpenRecord | null; readonly after: OpenRecord },
): Promise<void> {
  const names = rollupFieldsOf(call.resource)
    .filter(
      ({ rollup, lines }) =>
        typeof rollup.by !== 'string' && (lines !== null || haveKeysMoved(rollup, change)),
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
  const own = [...Object.values(rollup.by), ...rollupBounds(rollup).map((bound) => bound.own)];
  return own.some((name) => !/^[a-z_]+$/.test(name) || before[name] !== after[name]);
}

const MAX_DEPTH = 6;

interface Touched {
  readonly owner: Resource;
  readonly heads: Set<string>;
  readonly fields: RollupField[];
}

async function touchedOwners(
  tx: Tx,
  rollups: readonly RollupField[],
  changes: readonly Change[],
): Promise<ReadonlyMap<string, Touched>> {
  const touched = new Map<string, Touched>();
  for (const rollup of rollups) {
    const heads = await headsOf(tx, rollup, changes);
    if (heads.length === 0) continue;
    const entry = touched.get(rollup.owner.resource) ?? { owner: rollup.owner, heads: new Set(), fields: [] };
    for (const id of heads) entry.heads.add(id);
    entry.fields.push(rollup);
    touched.set(rollup.owner.resource, entry);
  }
  return touched;
}

/** The records whose figure a change concerns. */
async function headsOf(tx: Tx, rollup: RollupField, changes: readonly Change[]): Promise<readonly string[]> {
  if (typeof rollup.rollup.by !== 'string') return headsByKeys(tx, rollup, changes);
  const ids = affectedIds(rollup, changes);
  if (ids.length === 0 || rollup.lines === null) return ids;
  const text = `select distinct l.parent_id as id from ${linesTableOf(rollup.owner, rollup.lines)} l where l.id = any($1::uuid[])`;
  const rows = await tx.query(text, [ids], statementName(text));
  return rows.map((row) => String(row['id']));
}

/** The rows of a changed record that a figure is over: the record, or its lines. */
function rowsOf({ rollup }: RollupField, record: OpenRecord | null): readonly OpenRecord[] {
  if (record === null) return [];
  const [, lines] = rollup.of.split('.');
  const isOfHead = lines === undefined || rollupKeys(rollup).every((key) => key.startsWith('parent.'));
  return isOfHead ? [record] : linesOf(record[lines]).map((line) => ({ ...line, _parent: record }));
}

function keyOf(row: OpenRecord, key: string): unknown {
  if (!key.startsWith('parent.')) return row[key];
  const parent = row['_parent'];
  const head = typeof parent === 'object' && parent !== null ? (parent as OpenRecord) : row;
  return head[key.slice('parent.'.length)];
}

function affectedIds(rollup: RollupField, changes: readonly Change[]): readonly string[] {
  const [key = ''] = rollupKeys(rollup.rollup);
  const ids = new Set<string>();
  for (const record of changes.flatMap(({ before, after }) => [before, after]))
    for (const row of rowsOf(rollup, record)) {
      const value = keyOf(row, key);
      if (typeof value === 'string') ids.add(value);
    }
  return [...ids];
}

/** Owners whose own fields equal those of the changed rows; a key that is computed cannot be looked up and is left to its owner's own writes. */
async function headsByKeys(
  tx: Tx,
  rollup: RollupField,
  changes: readonly Change[],
): Promise<readonly string[]> {
  const { owner, lines, field } = rollup;
  const by = typeof rollup.rollup.by === 'string' ? {} : rollup.rollup.by;
  const own = Object.entries(by).filter(([, path]) => /^(parent\.)?[a-z][a-z0-9_]*$/.test(path));
  const ids = new Set<string>();
  const asked = new Set<string>();
  for (const record of changes.flatMap(({ before, after }) => [before, after]))
    for (const row of rowsOf(rollup, record)) {
      const company = (record ?? row)['co_code'];
      const values: unknown[] = [];
      const conditions = own.map(([theirs, path]) => {
        const isHead = lines === null || path.startsWith('parent.');
        const name = path.replace(/^parent\./, '');
        const own = isHead ? owner.fields[name] : owner.fields[lines]?.fields?.[name];
        const column = `${isHead ? 't' : 'l'}.${quoteName(name)}`;
        return sameKeySql(column, { field: own, value: keyOf(row, theirs) }, values);
      });
      if (owner.scope === 'company' && typeof company === 'string')
        conditions.push(`t.co_code = ${bind(values, company)}`);
      // A figure that is fixed in all but a few states is taken for the records in these alone.
      if (field.frozen !== undefined)
        conditions.push(`t.status = any(${bind(values, [...field.frozen.open])})`);
      // Only days after a movement begin with another balance: what it cannot concern is not looked at.
      for (const { theirs, sign, own: bound } of rollupBounds(rollup.rollup))
        conditions.push(`${bind(values, keyOf(row, theirs) ?? null)} ${sign} t.${quoteName(bound)}`);
      const seen = JSON.stringify([conditions, values]);
      if (asked.has(seen)) continue;
      asked.add(seen);
      const from =
        lines === null
          ? `${tableOf(owner)} t`
          : `${tableOf(owner)} t join ${linesTableOf(owner, lines)} l on l.parent_id = t.id`;
      const text = `select distinct t.id from ${from} where not t.is_deleted and ${conditions.join(' and ')}`;
      for (const found of await tx.query(text, values, statementName(text))) ids.add(String(found['id']));
    }
  return [...ids];
}

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

/** Which column of the changed record moved a figure, for the refusal of a limit. */
function noteCauses(
  tx: Tx,
  call: Call,
  moved: {
    readonly rollup: RollupField;
    readonly before: OpenRecord;
    readonly after: OpenRecord;
    readonly change: Change;
  },
): void {
  const { rollup, before, after, change } = moved;
  if (change.after === null) return;
  if (change.cause !== undefined) return noteGivenCause(tx, { rollup, before, after, cause: change.cause });
  const [, lines] = rollup.rollup.of.split('.');
  const { sum, max, min, avg } = rollup.rollup;
  const [key = ''] = rollupKeys(rollup.rollup);
  const column = (sum ?? max ?? min ?? avg ?? key).replace(/^parent\./, '');
  const cause = { resource: call.resource.resource, id: String(change.after['id']) };
  const note = (line: string | null, path: string): void =>
    noteCause(tx, { resource: rollup.owner.resource, id: String(after['id']), line }, { ...cause, path });
  const isSame = (a: OpenRecord, b: OpenRecord): boolean => a[rollup.field.name] === b[rollup.field.name];
  if (rollup.lines === null) {
    if (isSame(before, after)) return;
    const index = linesOf(change.after[lines ?? '']).findIndex((line) => line[key] === after['id']);
    return note(null, lines === undefined ? column : index < 0 ? lines : `${lines}.${index}.${column}`);
  }
  const old = new Map(linesOf(before[rollup.lines]).map((line) => [line['id'], line]));
  for (const line of linesOf(after[rollup.lines])) {
    const was = old.get(line['id']);
    if (was === undefined || isSame(was, line)) continue;
    const index = linesOf(change.after[lines ?? '']).findIndex((cell) => cell[key] === line['id']);
    note(
      String(line['id']),
      lines === undefined ? column : index < 0 ? lines : `${lines}.${index}.${column}`,
    );
  }
}

function noteGivenCause(
  tx: Tx,
  moved: {
    readonly rollup: RollupField;
    readonly before: OpenRecord;
    readonly after: OpenRecord;
    readonly cause: FigureCause;
  },
): void {
  const { rollup, before, after, cause } = moved;
  const { name } = rollup.field;
  const figure = { resource: rollup.owner.resource, id: String(after['id']) };
  if (rollup.lines === null) {
    if (before[name] !== after[name]) noteCause(tx, { ...figure, line: null }, cause);
    return;
  }
  const old = new Map(linesOf(before[rollup.lines]).map((line) => [line['id'], line]));
  for (const line of linesOf(after[rollup.lines]))
    if (old.get(line['id'])?.[name] !== line[name])
      noteCause(tx, { ...figure, line: String(line['id']) }, cause);
}
