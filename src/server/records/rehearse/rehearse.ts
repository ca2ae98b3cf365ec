import { createGate } from '#server/kernel/gate.ts';
import { AppError, type ErrorCode } from '#server/kernel/errors.ts';
import { DatabaseFault } from '#server/kernel/db/database-fault.ts';
import type { Call } from '#server/records/call/open-call.ts';
import { markRehearsal } from '#server/records/call/rehearsal.ts';
import { uuidv7 } from '#server/records/call/record-id.ts';
import type { Tx } from '#server/records/call/statement.ts';
import { settleNow } from '#server/records/follow/write-session.ts';
import { asRefusal } from '#server/records/write/save-record.ts';

/** A write that is tried and undone. */
export interface Rehearsal<Done, Told> {
  /** Does the write. */
  readonly act: (tx: Tx) => Promise<Done>;
  /** Tells what it did, before it is undone; `refusal` is why it did nothing. */
  readonly tell: (tx: Tx, end: RehearsalEnd<Done>) => Promise<Told>;
}

export type RehearsalEnd<Done> =
  { readonly done: Done; readonly refusal: null } | { readonly done: null; readonly refusal: AppError };

/** Whoever writes goes first: a rehearsal waits this long for a lock, and is over after this long. */
const LOCK_WAIT_MS = 400;
const STATEMENT_MS = 3_000;
const WHOLE_MS = 5_000;

const enter = createGate({
  atOnce: 3,
  perPerson: 3,
  waiting: 30,
  message: '同时推演的操作过多，请稍候再看',
});

/**
 * Runs a write in a transaction, settles it as the commit would, tells what it did and undoes it. Nothing is left: no
 * row, no number, no notice, no message. It gives way to writers: it waits for no lock longer than a moment, and no
 * lock of it lasts longer than a few seconds.
 * @throws AppError when it cannot be said: no right, no such record, another version, somebody else is at it
 */
export async function rehearse<Done, Told>(call: Call, steps: Rehearsal<Done, Told>): Promise<Told> {
  return enter(call.caller.subject.id, async () => {
    try {
      return await undone(call, steps);
    } catch (error) {
      throw inTheWay(error);
    }
  });
}

/** The call as a rehearsal makes it: under no idempotency key. */
export function rehearsing(call: Call): Call {
  const { idempotency: _key, ...caller } = call.caller;
  return { ...call, caller: { ...caller, requestId: `rehearsal ${uuidv7(call.services.clock())}` } };
}

/** Runs writes in a transaction that is undone and gives what they came to; unlike `rehearse` it waits for locks as a writer does. */
export async function tryOut<Told>(
  call: Call,
  work: (tx: Tx) => Promise<Told>,
  options: { readonly attempts?: number } = {},
): Promise<Told> {
  const undoing = async (tx: Tx): Promise<never> => {
    markRehearsal(tx);
    throw new Undone(await work(tx));
  };
  try {
    return await call.services.db.transaction(undoing, options);
  } catch (error) {
    if (error instanceof Undone) return (error as Undone<Told>).told;
    throw error;
  }
}

function undone<Done, Told>(call: Call, { act, tell }: Rehearsal<Done, Told>): Promise<Told> {
  const work = async (whole: Tx): Promise<Told> => {
    const tx = untilLate(whole);
    await tx.query(
      `select set_config('lock_timeout', '${LOCK_WAIT_MS}', true), set_config('statement_timeout', '${STATEMENT_MS}', true)`,
    );
    return tell(tx, await tried(tx, call, act));
  };
  return tryOut(call, work, { attempts: 2 });
}

/** What it did, or why it was refused; then only the rows as they were are seen again. */
async function tried<Done>(tx: Tx, call: Call, act: (tx: Tx) => Promise<Done>): Promise<RehearsalEnd<Done>> {
  try {
    const done = await tx.savepoint(async () => {
      const made = await act(tx);
      await settleNow(tx);
      return made;
    });
    return { done, refusal: null };
  } catch (error) {
    const refusal = asRefusal(call, error);
    if (refusal instanceof AppError && isToldOf(refusal)) return { done: null, refusal };
    throw error;
  }
}

/** Refusals that the write itself meets; the others are those of the question. */
function isToldOf({ code, status }: AppError): boolean {
  return (status === 400 || status === 409) && !OF_THE_QUESTION.has(code);
}

const OF_THE_QUESTION: ReadonlySet<ErrorCode> = new Set([
  'BAD_REQUEST',
  'STALE_VERSION',
  'VERSION_REQUIRED',
  'CONFLICT',
  'DEFINITIONS_CHANGED',
  'TASK_DONE',
]);

/** Carries what was told out of the transaction, and undoes it. */
class Undone<Told> extends Error {
  constructor(readonly told: Told) {
    super('rehearsed');
  }
}

/** The transaction refuses to go on when its time is over. */
function untilLate(tx: Tx): Tx {
  const endMs = performance.now() + WHOLE_MS;
  const inTime = (): void => {
    if (performance.now() > endMs) throw tooLong();
  };
  return {
    ...tx,
    query: async (text, values, name) => {
      inTime();
      return tx.query(text, values, name);
    },
    execute: async (text, values, name) => {
      inTime();
      return tx.execute(text, values, name);
    },
  };
}

function tooLong(): AppError {
  return new AppError('TIMEOUT', { message: '单据较大，无法预先推演，可直接操作' });
}

function inTheWay(error: unknown): unknown {
  if (!(error instanceof DatabaseFault)) return error;
  if (error.kind === 'statement_timeout') return tooLong();
  if (error.kind !== 'lock_timeout' && error.kind !== 'conflict') return error;
  return new AppError('CONFLICT', {
    message: '相关单据正在由他人处理，暂时看不到结果，请稍候再看',
    cause: error,
  });
}
