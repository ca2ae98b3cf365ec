import { randomUUID } from 'node:crypto';
import { isProcessAlive } from '#server/kernel/db/message-bus.ts';
import { AppError } from '#server/kernel/errors.ts';
import type { Call } from '#server/records/call/open-call.ts';
import type { Tx } from '#server/records/call/statement.ts';
import { isRecordId } from '#server/records/read/read-stored.ts';
import { type GatheredEvent, gatheredFrom, gatheredText } from '#server/workflow/events/gathered-events.ts';
import { contentText, countKinds, type KeptImport, type KeptRow, readImport } from './import-store.ts';

/** What the stretches that are committed have written. */
export interface ImportProgress {
  readonly created: number;
  readonly updated: number;
  readonly refused: ReadonlyMap<number, KeptRow['errors']>;
  /** What they would tell, which is told at the end. */
  readonly told: readonly GatheredEvent[];
}

/** An import that this call alone writes. */
export interface ClaimedImport {
  readonly id: string;
  readonly claim: string;
  readonly fileName: string;
  /** Rows that earlier tries have dealt with, by their numbers. */
  readonly done: ReadonlySet<number>;
  readonly progress: ImportProgress;
}

/** Within which a checked file is to be written; one that was begun is finished whenever that is. */
const KEPT_HOURS = 24;
/** A stretch takes seconds: who has noted none for so long is gone. */
const CLAIM_SECONDS = 120;

/** SQL that is true of an import that nobody writes. */
export const IS_FREE = `(claim is null or claimed_at < now() - make_interval(secs => ${CLAIM_SECONDS})
  or not ${isProcessAlive('sys_import.owner')})`;

/**
 * Takes the person's own import to write what of it is not written yet: one call at a time, and none when all is.
 *
 * @throws NOT_FOUND, IMPORT_DONE, CONFLICT while another call writes it
 */
export async function claimImport(call: Call, id: string): Promise<ClaimedImport> {
  const { db, bus } = call.services;
  const { subject } = call.caller;
  const claim = randomUUID();
  const [row] = isRecordId(id)
    ? await db.query<ProgressRow>(CLAIM, [
        id,
        claim,
        bus.processNo,
        JSON.stringify(subject),
        subject.id,
        call.resource.resource,
        subject.co_code,
      ])
    : [];
  if (row !== undefined)
    return { id, claim, fileName: row.file_name, done: new Set(row.done), progress: progressOf(row) };
  await readImport(db, call, id);
  const [now] = await db.query(`select status, ${IS_FREE} as is_free from sys_import where id = $1`, [id]);
  if (now?.['status'] !== 'checked') throw new AppError('IMPORT_DONE');
  if (now['is_free'] === true) throw new AppError('IMPORT_DONE', { message: '导入已过期，请重新上传文件' });
  throw new AppError('CONFLICT', { message: '该导入正在写入，请稍候' });
}

const CLAIM = `
  update sys_import set claim = $2, owner = $3, claimed_at = now(), subject = coalesce(subject, $4::jsonb)
  where id = $1 and person_id = $5 and resource = $6 and co_code = $7 and status = 'checked' and ${IS_FREE}
    and (done <> '{}' or created_at > now() - make_interval(hours => ${KEPT_HOURS}))
  returning file_name, done, created, updated, refused, told::text as told`;

interface ProgressRow extends Record<string, unknown> {
  readonly file_name: string;
  readonly done: readonly number[];
  readonly created: number;
  readonly updated: number;
  readonly refused: readonly (readonly [number, KeptRow['errors']])[];
  readonly told: string;
}

function progressOf({ created, updated, refused, told }: ProgressRow): ImportProgress {
  return { created, updated, refused: new Map(refused), told: gatheredFrom(told) };
}

/** Notes a stretch in its own transaction: both are committed or neither. @throws CONFLICT when another call took over */
export async function noteStretch(
  tx: Tx,
  { id, claim }: ClaimedImport,
  stretch: {
    readonly rows: readonly number[];
    /** Those of its rows that were refused. */
    readonly refused: ImportProgress['refused'];
    /** With the stretch. */
    readonly progress: ImportProgress;
  },
): Promise<void> {
  const { created, updated, told } = stretch.progress;
  const noted = await tx.execute(
    `update sys_import set done = done || $3::int[], created = $4, updated = $5, told = $6::jsonb, claimed_at = now(),
       refused = case when $7::jsonb = '[]' then refused else refused || $7::jsonb end
     where id = $1 and claim = $2 and status = 'checked'`,
    [id, claim, stretch.rows, created, updated, gatheredText(told), JSON.stringify([...stretch.refused])],
  );
  requireClaim(noted);
}

/** Ends an import that is written, with what its commit found, for the file of bad rows. */
export async function endImport(tx: Tx, { id, claim }: ClaimedImport, content: KeptImport): Promise<void> {
  const ended = await tx.execute(
    `update sys_import set status = 'committed', committed_at = now(), rows = $3::jsonb, counts = $4::jsonb,
       claim = null, told = '[]'
     where id = $1 and claim = $2 and status = 'checked'`,
    [id, claim, await contentText(content), JSON.stringify(countKinds(content.rows))],
  );
  requireClaim(ended);
}

/** Lets the next try have an import that was not finished. */
export async function releaseImport({ services }: Call, { id, claim }: ClaimedImport): Promise<void> {
  await services.db.execute('update sys_import set claim = null where id = $1 and claim = $2', [id, claim]);
}

function requireClaim(rows: number): void {
  if (rows === 0) throw new AppError('CONFLICT', { message: '该导入已由另一次请求接着写入，请稍候' });
}
