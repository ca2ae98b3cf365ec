import { diffRecords, type RecordChange } from '#engine/record/diff-records.ts';
import { AppError } from '#server/kernel/errors.ts';
import { letOthers } from '#server/kernel/let-others.ts';
import { type Call, openSystemCall } from '#server/records/call/open-call.ts';
import { bind, type Tx } from '#server/records/call/statement.ts';
import { isStored, tableOf } from '#server/records/call/table-source.ts';
import { isDerivable } from '#server/records/derive/derived-state.ts';
import { completeAgain } from '#server/records/prepare/complete-record.ts';
import { linesOf, type OpenRecord } from '#server/records/read/attach-references.ts';
import { recordLabel } from '#server/records/read/label-expression.ts';
import { readStoredMany } from '#server/records/read/read-stored.ts';
import type { Caller, Services } from '#server/records/services.ts';
import { persistChanges } from '#server/records/write/persist-record.ts';

/** A record that is computed otherwise by now. */
interface RecomputedRecord {
  readonly id: string;
  readonly label: string;
  readonly changes: readonly RecordChange[];
}

/** What a stretch of the records of a resource came to; the next one begins after `next`, null at the end. */
export interface RecomputedStretch {
  readonly looked: number;
  readonly changed: number;
  /** The first that changed. */
  readonly first: readonly RecomputedRecord[];
  /** Records that a rule keeps as they are, with what it says. */
  readonly refused: readonly { readonly id: string; readonly label: string; readonly message: string }[];
  readonly next: string | null;
}

/** Where a stretch begins, and whether what would change is written. */
interface RecomputeRequest {
  readonly after: string | null;
  readonly isApplied: boolean;
  /** Only these (`total`, `items.amount`); absent: all that is computed. */
  readonly fields?: readonly string[];
}

/**
 * Computes formulas and finds of the caller's company anew as a write of each record would, what is frozen excepted: a
 * stretch at a time, so that it can be cut off anywhere and go on. Applied, each stretch is one audited transaction; a
 * record that a rule refuses is told and stops no other.
 */
export async function recomputeRecords(
  services: Services,
  caller: Caller,
  { key, ...request }: RecomputeRequest & { readonly key: string },
): Promise<RecomputedStretch> {
  const call = openSystemCall(services, caller, key);
  if (!isDerivable(call.resource)) throw new AppError('READ_ONLY_RESOURCE');
  if (call.resource.scope === 'global' && !caller.subject.super_permission) throw new AppError('FORBIDDEN');
  const { fields } = request;
  for (const name of fields ?? []) requireComputed(call, name);
  const ids = await nextIds(call, request.after);
  const asked = { ids, fields };
  const stretch = request.isApplied ? await apply(call, asked) : await look(call, asked);
  await letOthers();
  return { ...stretch, looked: ids.length, next: ids.length < STRETCH ? null : (ids.at(-1) ?? null) };
}

interface Asked {
  readonly ids: readonly string[];
  readonly fields: readonly string[] | undefined;
}

/** @throws UNKNOWN_FIELD for what is not computed */
function requireComputed({ resource }: Call, name: string): void {
  const [head = '', column] = name.split('.');
  const holder = Object.hasOwn(resource.fields, head) ? resource.fields[head] : undefined;
  const cells = holder?.fields ?? {};
  const field = column === undefined ? holder : Object.hasOwn(cells, column) ? cells[column] : undefined;
  if (field?.formula === undefined && field?.find === undefined)
    throw new AppError('UNKNOWN_FIELD', { params: { field: name.slice(0, 60) } });
}

const STRETCH = 200;
const SHOWN = 20;

type Stretch = Pick<RecomputedStretch, 'changed' | 'first' | 'refused'>;

async function nextIds(call: Call, after: string | null): Promise<readonly string[]> {
  const { resource, services, caller } = call;
  const values: unknown[] = [];
  const conditions = isStored(resource) ? ['not t.is_deleted'] : [];
  if (resource.scope === 'company') conditions.push(`t.co_code = ${bind(values, caller.subject.co_code)}`);
  if (after !== null) conditions.push(`t.id > ${bind(values, after)}::uuid`);
  const rows = await services.db.query(
    `select t.id from ${tableOf(resource)} t where ${conditions.join(' and ') || 'true'} order by t.id limit ${STRETCH}`,
    values,
  );
  return rows.map(({ id }) => String(id));
}

interface Recomputed {
  readonly before: OpenRecord;
  readonly after: OpenRecord;
  readonly changes: readonly RecordChange[];
}

async function recompute(
  db: Tx,
  call: Call,
  { ids, fields }: Asked,
  isLocking: boolean,
): Promise<readonly Recomputed[]> {
  const records = await readStoredMany(db, call, ids, { isLocking });
  const computed = await completeAgain(db, call, records);
  return records.flatMap((before, index): readonly Recomputed[] => {
    const whole = computed[index] ?? before;
    const after = fields === undefined ? whole : withOnly(before, whole, fields);
    const changes = diffRecords(call.resource, before, after);
    return changes.length === 0 ? [] : [{ before, after, changes }];
  });
}

/** The record with only some of its fields, or columns of its lines, as they are computed. */
function withOnly(before: OpenRecord, computed: OpenRecord, fields: readonly string[]): OpenRecord {
  const after: OpenRecord = { ...before };
  for (const name of fields) {
    const [head = '', column] = name.split('.');
    if (column === undefined) after[head] = computed[head];
    else {
      const lines = linesOf(computed[head]);
      after[head] = linesOf(after[head]).map((line, place) => ({
        ...line,
        [column]: lines[place]?.[column],
      }));
    }
  }
  return after;
}

async function look(call: Call, asked: Asked): Promise<Stretch> {
  const found = await call.services.db.transaction((tx) => recompute(tx, call, asked, false));
  return told(call, found);
}

async function apply(call: Call, { ids, fields }: Asked): Promise<Stretch> {
  const { db } = call.services;
  const write = (some: readonly string[]): Promise<readonly Recomputed[]> =>
    db.transaction(async (tx) => {
      const found = await recompute(tx, call, { ids: some, fields }, true);
      await persistChanges(tx, call, { changes: found, reason: { action: 'recompute' } });
      return found;
    });
  try {
    return told(call, await write(ids));
  } catch (error) {
    if (!isRefusal(error)) throw error;
  }
  const found: Recomputed[] = [];
  const refused: { id: string; label: string; message: string }[] = [];
  for (const id of ids)
    try {
      found.push(...(await write([id])));
    } catch (error) {
      if (!isRefusal(error)) throw error;
      refused.push({ id, label: await labelOf(call, id), message: error.message });
    }
  return { ...told(call, found), refused };
}

function told({ resource }: Call, found: readonly Recomputed[]): Stretch {
  const first = found.slice(0, SHOWN).map(({ before, changes }) => ({
    id: String(before['id']),
    label: recordLabel(resource, before),
    changes,
  }));
  return { changed: found.length, first, refused: [] };
}

/** A rule, a limit or a unique index says no. */
function isRefusal(error: unknown): error is AppError {
  return error instanceof AppError && error.status < 500;
}

async function labelOf(call: Call, id: string): Promise<string> {
  const [record] = await readStoredMany(call.services.db, call, [id]);
  return record === undefined ? '' : recordLabel(call.resource, record);
}
