import { setTimeout as delay } from 'node:timers/promises';
import type { ClientBase, Pool } from 'pg';
import { openChangeLog } from './change-log.ts';
import { DatabaseFault, isStalePlan, toDatabaseFault } from './database-fault.ts';
import { type Run, queryable, runOn, runOpening } from './queryable.ts';
import type { Tx, TransactionOptions } from './database.ts';

const DEFAULT_ATTEMPTS = 5;
const FIRST_BACKOFF_MS = 5;

type Later = () => Promise<void>;

/** What a transaction does, and what is made of it before the commit. */
interface Steps<T, R> {
  readonly work: (tx: Tx) => Promise<T>;
  readonly conclude: (tx: Tx, made: T) => Promise<R>;
  /** The definitions under which it began; null where that does not matter. */
  readonly epoch: number | null;
}

/** For work whose answer is what it made. */
export async function asMade<T>(_tx: Tx, made: T): Promise<T> {
  return made;
}

interface Committed<T> {
  readonly result: T;
  readonly later: readonly Later[];
}

/** What had to wait for the commit. Its failure reaches the caller, though nothing is undone or tried again. */
export async function finish<T>({ result, later }: Committed<T>): Promise<T> {
  for (const work of later) await work();
  return result;
}

/** Runs the work in a transaction, and again when another transaction was in its way. */
export async function runRetried<T, R>(
  pool: Pool,
  steps: Steps<T, R>,
  options: TransactionOptions,
): Promise<Committed<R>> {
  const attempts = options.attempts ?? DEFAULT_ATTEMPTS;
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await runTransaction(pool, steps, options);
    } catch (error) {
      const isWorthRetrying = error instanceof DatabaseFault && error.isRetriable;
      if (!isWorthRetrying || attempt >= attempts) throw error;
      await delay(FIRST_BACKOFF_MS * 2 ** attempt * (0.5 + Math.random()));
    }
  }
}

async function runTransaction<T, R>(
  pool: Pool,
  steps: Steps<T, R>,
  options: TransactionOptions,
): Promise<Committed<R>> {
  const client = await pool.connect().catch((error: unknown) => {
    throw toDatabaseFault(error);
  });
  let broken: Error | undefined;
  try {
    return await runTransactionOn(client, steps, options, (reason) => {
      broken = reason;
    });
  } finally {
    client.release(broken);
  }
}

/** It begins with its first statement. `onBroken` hears when the connection should not be used again. */
export async function runTransactionOn<T, R>(
  client: ClientBase,
  { work, conclude, epoch }: Steps<T, R>,
  options: TransactionOptions,
  onBroken: (reason: Error) => void = () => undefined,
): Promise<Committed<R>> {
  let isBegun = false;
  const run = oneAtATime((config) => {
    const answer = isBegun ? runOn(client, config) : runOpening(client, beginStatement(options), config);
    isBegun = true;
    return answer.catch((fault: unknown) => {
      if (fault instanceof DatabaseFault && isStalePlan(fault.cause)) onBroken(fault);
      throw fault;
    });
  });
  const later: Later[] = [];
  try {
    const last: Later[] = [];
    const tx = transactionOn(run, { later, last });
    const made = await work(tx);
    for (let next = last.shift(); next !== undefined; next = last.shift()) await next();
    const result = await conclude(tx, made);
    if (isBegun) await commit(run, options.readOnly === true ? null : epoch);
    return { result, later };
  } catch (error) {
    if (isBegun) await client.query('rollback').catch(onBroken);
    throw error;
  }
}

/** Asks in the same breath whether the definitions are still those that the transaction began with. */
async function commit(run: Run, epoch: number | null): Promise<void> {
  const text = epoch === null ? 'commit' : `select erp_assert_epoch(${epoch}); commit`;
  const ended: unknown = await run({ text }).catch((fault: unknown) => {
    throw fault instanceof DatabaseFault && fault.sqlState === ABORTED_STATE ? ignoredFailure() : fault;
  });
  const last: unknown = Array.isArray(ended) ? ended.at(-1) : ended;
  const isCommitted =
    typeof last === 'object' && last !== null && 'command' in last && last.command === 'COMMIT';
  if (!isCommitted) throw ignoredFailure();
}

const ABORTED_STATE = '25P02';

/** A refusal that the work swallowed has undone everything already: that must not look like success. */
function ignoredFailure(): DatabaseFault {
  return new DatabaseFault(new Error('transaction was aborted by a statement whose failure was ignored'));
}

/** A connection takes one statement at a time, also when a transaction's work asks several things at once. */
function oneAtATime(run: Run): Run {
  let last: Promise<unknown> = Promise.resolve();
  return (config) => {
    const mine = last.then(() => run(config));
    last = mine.catch(() => undefined);
    return mine;
  };
}

function transactionOn(
  connection: Run,
  { later, last }: { readonly later: Later[]; readonly last: Later[] },
): Tx {
  let depth = 0;
  const changes = openChangeLog();
  const run: Run = (config) => {
    changes.note(config.text);
    return connection(config);
  };
  return {
    ...queryable(run),
    afterCommit: (work) => {
      later.push(work);
    },
    beforeCommit: (work) => {
      last.push(work);
    },
    changes,
    memory: new Map(),
    savepoint: async (work) => {
      const kept = later.length;
      depth += 1;
      const name = `s${depth}`;
      await run({ text: `savepoint ${name}` });
      try {
        const result = await work();
        await run({ text: `release savepoint ${name}` });
        return result;
      } catch (error) {
        later.length = kept;
        await run({ text: `rollback to savepoint ${name}` });
        await run({ text: `release savepoint ${name}` });
        throw error;
      } finally {
        depth -= 1;
      }
    },
  };
}

function beginStatement({ isolation, readOnly }: TransactionOptions): string {
  const level = isolation === undefined ? '' : ` isolation level ${isolation}`;
  return `begin${level}${readOnly === true ? ' read only' : ''}`;
}
