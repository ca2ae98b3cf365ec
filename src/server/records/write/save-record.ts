import { diffRecords } from '#engine/record/diff-records.ts';
import { findUnique } from '#server/kernel/migrations/plan-indexes.ts';
import { DatabaseFault } from '#server/kernel/db/database-fault.ts';
import { AppError } from '#server/kernel/errors.ts';
import type { CreatedRecord } from '#server/records/rules/rule-registry.ts';
import type { OpenRecord } from '#server/records/read/attach-references.ts';
import { uniqueProblem } from '#server/records/prepare/check-uniques.ts';
import { bindFiles } from './bind-files.ts';
import { keepAnswer, SAVED } from './keep-answer.ts';
import type { Call } from '#server/records/call/open-call.ts';
import { seesRow } from '#server/records/call/sees-row.ts';
import { OVERRIDING } from '#server/records/call/overrides.ts';
import { hasSaveEffects, runSaveRules } from './save-rules.ts';
import { persistChange, persistNew } from './persist-record.ts';
import { prepareChange, prepareNew, type PreparedRecord } from '#server/records/prepare/prepare-record.ts';
import { hasSources, ofLines, type SourcedBody, splitSources } from '#server/records/pick/read-sources.ts';
import { keepMade } from '#server/records/pick/save-made.ts';
import { takeSources } from '#server/records/pick/take-sources.ts';
import type { FieldProblem } from '#engine/schema/resource.ts';
import { presentRecord } from '#server/records/read/present-record.ts';
import { handOn, preparingReader } from '#server/records/read/remembered-rows.ts';
import { isRecordId, readStored } from '#server/records/read/read-stored.ts';
import { addWithSecond, changeWithSecond } from '#server/records/second/save-with-second.ts';
import { standingRecord } from '#server/records/follow/write-session.ts';
import { refuseProblems } from '#server/records/rules/run-rules.ts';
import { refuseUsedLines } from './used-lines.ts';
import type { Reader, Tx } from '#server/records/call/statement.ts';

/** Creates a record and gives it as its details page shows it. */
export async function createRecord(call: Call, body: unknown): Promise<OpenRecord> {
  const sourced = splitSources(call, body);
  const isSourced = hasSources(sourced);
  const prepared = preparingReader(call.services.db);
  const record = isSourced ? null : await readyNew(call, body, prepared);
  const created: CreatedRecord[] = [];
  const hasEffects = isSourced || hasSaveEffects(call, 'create');
  return writeAndShow(
    call,
    async (tx) => {
      created.length = 0;
      handOn(prepared, tx);
      return record === null
        ? addSourced(tx, call, { sourced, created })
        : addWithSecond(tx, call, { record, created });
    },
    (db, saved) => presentSaved(db, call, { id: String(saved['id']), saved, created, hasEffects }),
    SAVED,
  );
}

/** Saves a new record of a body, in the transaction: what it comes from is locked and derived anew. */
export async function addNew(
  tx: Tx,
  call: Call,
  { body, created }: { readonly body: unknown; readonly created: CreatedRecord[] },
): Promise<OpenRecord> {
  const sourced = splitSources(call, body);
  if (hasSources(sourced)) return addSourced(tx, call, { sourced, created });
  return addRecord(tx, call, { record: await readyNew(call, body), created });
}

async function addSourced(
  tx: Tx,
  call: Call,
  { sourced, created }: { readonly sourced: SourcedBody; readonly created: CreatedRecord[] },
): Promise<OpenRecord> {
  requireWritable(call);
  const made = await takeSources(tx, call, sourced, true);
  const prepared = await prepareNew(tx, call, sourced.body, made);
  refuseUnready(prepared, made.problems);
  const saved = await addRecord(tx, call, { record: prepared.record, created });
  await keepMade(tx, call, { form: made.form, saved, created });
  return saved;
}

/** A new record of a body, computed and checked. @throws VALIDATION, FORBIDDEN */
export async function readyNew(
  call: Call,
  body: unknown,
  db: Reader = call.services.db,
): Promise<OpenRecord> {
  requireWritable(call);
  const prepared = await prepareNew(db, call, body);
  refuseUnready(prepared, []);
  return prepared.record;
}

function refuseUnready(prepared: PreparedRecord, problems: readonly FieldProblem[]): void {
  refuseProblems([...problems, ...prepared.problems]);
  if (prepared.isOutside) throw new AppError('FORBIDDEN', { message: '不能新增不在本人数据范围内的记录' });
}

/** Saves a checked new record with all that follows, in the transaction. */
export async function addRecord(
  tx: Tx,
  call: Call,
  added: { readonly record: OpenRecord; readonly created: CreatedRecord[] },
): Promise<OpenRecord> {
  const { created } = added;
  const record = await persistNew(tx, call, { record: added.record, reason: { action: 'create' } });
  await bindFiles(tx, call, { record, previous: null });
  await runSaveRules(tx, call, { record, previous: null, action: 'create', created });
  return record;
}

/** Applies a PATCH (`version` and the changed fields) to a record. */
export async function updateRecord(call: Call, id: string, body: unknown): Promise<OpenRecord> {
  requireWritable(call);
  const { version, fields } = splitVersion(body);
  const created: CreatedRecord[] = [];
  const work = async (tx: Tx): Promise<OpenRecord> => {
    created.length = 0;
    return changeWithSecond(tx, call, { id, version, fields, created });
  };
  const hasEffects = hasSaveEffects(call, 'update');
  return writeAndShow(
    call,
    work,
    (db, saved) => presentSaved(db, call, { id, saved, created, hasEffects }),
    SAVED,
  );
}

/** A PATCH in hand. */
export interface RecordPatch {
  readonly id: string;
  readonly version: number | null;
  readonly fields: OpenRecord;
  readonly created: CreatedRecord[];
  readonly opinion?: string;
}

/** Saves changed fields of a record with all that follows, in the transaction. */
export async function changeRecord(tx: Tx, call: Call, change: RecordPatch): Promise<OpenRecord> {
  const { id, version, fields, created } = change;
  const current = await readForWrite(tx, call, { id, version, operation: 'update' });
  const sourced = splitSources(call, fields);
  const made = hasSources(sourced) ? await takeSources(tx, call, ofLines(sourced), true) : undefined;
  const prepared = await prepareChange(tx, call, {
    current,
    body: sourced.body,
    ...(made === undefined ? {} : { made }),
  });
  refuseProblems([...(made?.problems ?? []), ...prepared.problems]);
  await refuseUsedLines(tx, call, { before: current, after: prepared.record });
  // Nobody is told of a save that changes nothing, and whoever else has the record open keeps his version.
  if (made === undefined && diffRecords(call.resource, current, prepared.record).length === 0) {
    await runSaveRules(tx, call, { record: prepared.record, previous: current, action: 'update', created });
    return current;
  }
  const record = await persistChange(tx, call, {
    before: current,
    after: prepared.record,
    reason: { action: 'update', opinion: change.opinion ?? null },
  });
  await bindFiles(tx, call, { record, previous: current });
  if (made !== undefined) await keepMade(tx, call, { form: null, saved: record, created });
  await runSaveRules(tx, call, { record, previous: current, action: 'update', created });
  return record;
}

/** Reads a record under a lock for writing; refuses what is not open, and a version that is not the current one. */
export async function readForWrite(
  tx: Tx,
  call: Call,
  wanted: { readonly id: string; readonly version: number | null; readonly operation: string },
): Promise<OpenRecord> {
  const { id, version, operation } = wanted;
  const current = isRecordId(id) ? await readStored(tx, call, id, { isLocking: true, operation }) : null;
  if (current === null) {
    const seen = isRecordId(id) ? await readStored(tx, call, id) : null;
    throw new AppError(seen === null ? 'NOT_FOUND' : 'FORBIDDEN');
  }
  if (version !== null && current['version'] !== version)
    throw new AppError('STALE_VERSION', { current: await presentRecord(tx, call, current) });
  return current;
}

/** Ledgers, logs and views have no write API. */
export function requireWritable(call: Call): void {
  const { kind, lifecycle } = call.resource;
  const isRecordKeeping = (kind === 'ledger' || kind === 'log') && lifecycle === undefined;
  if (kind === 'view' || isRecordKeeping) throw new AppError('READ_ONLY_RESOURCE');
}

/**
 * Runs a write, translating what the database's unique indexes refuse. What `conclude` does comes after all that followed
 * by itself, before the commit.
 */
export async function inTransaction<T>(
  call: Call,
  work: (tx: Tx) => Promise<T>,
  conclude: (tx: Tx, made: T) => Promise<T> = (_tx, made) => Promise.resolve(made),
): Promise<T> {
  try {
    return await call.services.db.concluded(work, conclude);
  } catch (error) {
    throw asRefusal(call, error);
  }
}

/**
 * Runs a write and gives what its caller is shown of it. That answer is made before the commit, and kept under the
 * caller's idempotency key: there is never a record without its answer, and no answer fails over what was written.
 */
export async function writeAndShow<T, R>(
  call: Call,
  work: (tx: Tx) => Promise<T>,
  show: (tx: Tx, made: T) => Promise<R>,
  message?: string,
): Promise<R> {
  const concluded = call.services.db.concluded(work, async (tx, made) => {
    const shown = await show(tx, made);
    await keepAnswer(tx, call.caller, shown, message);
    return shown;
  });
  const shown = await concluded.catch((error: unknown) => {
    throw asRefusal(call, error);
  });
  await afterWrite(call);
  return shown;
}

/** After a committed write: rows that override files are loaded again, here and in the other processes. */
export async function afterWrite(call: Call): Promise<void> {
  if (!OVERRIDING.has(call.resource.resource)) return;
  await call.services.definitions.refreshOverrides();
}

/** The record as the caller may see it after a write; only its id when the role may not read it. */
export async function presentSaved(
  db: Tx,
  call: Call,
  written: {
    readonly id: string;
    readonly saved: OpenRecord | null;
    readonly created: readonly CreatedRecord[];
    readonly hasEffects: boolean;
  },
): Promise<OpenRecord> {
  const { id, saved, created, hasEffects } = written;
  if (call.isUnshown === true) return { ...saved, id, _created: created };
  const stored =
    saved !== null && !hasEffects && call.access.operations.has('read')
      ? saved
      : (standingFor(db, call, id) ?? (await readStored(db, call, id)));
  const extra = created.length === 0 ? {} : { _created: created };
  if (stored === null) return { id, ...extra };
  return { ...(await presentRecord(db, call, stored)), ...extra };
}

/** What the write itself has read last, where it is sure that the caller may see it. */
function standingFor(tx: Tx, call: Call, id: string): OpenRecord | null {
  const record = standingRecord(tx, call, id);
  return record !== null && seesRow(call, record) === true ? record : null;
}

/** Takes the version out of a PATCH body. */
export function splitVersion(body: unknown): { readonly version: number; readonly fields: OpenRecord } {
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    throw new AppError('BAD_REQUEST', { message: '请求内容应为对象' });
  const { version, ...fields }: OpenRecord = { ...body };
  if (typeof version !== 'number' || !Number.isSafeInteger(version)) throw versionMissing();
  return { version, fields };
}

/** The refusal of a write that does not say which version it was made on. */
export function versionMissing(): AppError {
  return new AppError('VERSION_REQUIRED', {
    problems: [{ path: 'version', code: 'required', message: '缺少版本号（整数）' }],
  });
}

/** What the database refused, as a refusal in the words of the resource; anything else as it is. */
export function asRefusal(call: Call, error: unknown): unknown {
  if (!(error instanceof DatabaseFault)) return error;
  if (error.kind === 'unique' && error.constraint !== null) {
    const found = findUnique(call.resource, error.constraint);
    const problem =
      found === null || found.lines !== undefined
        ? { path: found?.lines ?? '', code: 'unique', message: found?.unique.message ?? '内容与已有记录重复' }
        : uniqueProblem(call.resource, found.unique);
    return new AppError('DUPLICATE', { message: problem.message, problems: [problem], cause: error });
  }
  if (error.kind === 'out_of_range' || error.kind === 'invalid_value')
    return new AppError('VALIDATION', { message: '数值超出允许范围', cause: error });
  return error;
}
