import { Pool, type PoolClient, type QueryConfig, type QueryResult } from 'pg';
import { connectionConfig, type DatabaseOptions, type Queryable, type Row } from './database.ts';
import { isStalePlan, toDatabaseFault } from './database-fault.ts';
import { guardPool } from './pool-gate.ts';
import { send } from './read-query.ts';
import { namedStatement } from './queryable.ts';

/** Whose rows a connection of the reader sees: a company's, of these a partner's; `*` for everybody's. */
export interface Wall {
  readonly company: string;
  readonly partner: string;
}

/** No wall: for the checks of the night and for whoever administers the group. */
export const EVERYBODY = '*';

/** Settings that the policies of `migrations/walls.ts` read. A connection without them sees no company's rows. */
export const WALL_SETTINGS = { company: 'erp.company', partner: 'erp.partner' } as const;

/** What a connection of the reader brings along that reads for the system: every company's rows. */
export const SEES_EVERYBODY = `-c ${WALL_SETTINGS.company}=${EVERYBODY} -c ${WALL_SETTINGS.partner}=${EVERYBODY}`;

/** Connections of the reader behind its row level security. */
export interface WalledDatabase {
  readonly pool: Pool;
  /** Statements that see only what the wall leaves open, whatever they ask for. */
  readonly behind: (wall: Wall) => Pick<Queryable, 'query'>;
  /** A statement that may take long: ended after its time, or as soon as nobody waits for it any more. */
  readonly watched: (
    wall: Wall,
    statement: { readonly text: string; readonly values: readonly unknown[] },
    limits: { readonly timeoutMs: number; readonly signal: AbortSignal | undefined },
  ) => Promise<Row[]>;
  readonly suspend: () => void;
  readonly resume: () => void;
  readonly close: () => Promise<void>;
}

/**
 * Opens the pool of walled connections. A connection keeps the wall that was set last, so that one more statement is sent
 * only when somebody else's turn comes.
 */
export function openWalled(options: DatabaseOptions): WalledDatabase {
  const pool = new Pool({
    ...connectionConfig(options),
    max: options.poolSize ?? 8,
    idleTimeoutMillis: 60_000,
    connectionTimeoutMillis: 10_000,
  });
  pool.on('error', (error) => options.onIdleFault?.(error));
  // A connection lost between two statements: the next statement tells.
  pool.on('connect', (client) => client.on('error', () => undefined));
  const gate = guardPool(pool);
  const standing = new WeakMap<PoolClient, string>();
  const run = async (wall: Wall, config: QueryConfig): Promise<QueryResult> => {
    gate.pass();
    const client = await pool.connect().catch(throwFault);
    let broken = false;
    try {
      const key = `${wall.company} ${wall.partner}`;
      if (standing.get(client) !== key) {
        // Not what stands until both are set: a failure in between must not look like it.
        standing.delete(client);
        await client.query(SET_WALL, [wall.company, wall.partner]);
        standing.set(client, key);
      }
      return await send(client, config).catch((fault: unknown) => {
        if (!isStalePlan(fault)) throw fault;
        const { name: _stale, ...unprepared } = config;
        return send(client, unprepared);
      });
    } catch (error) {
      broken = true;
      return throwFault(error);
    } finally {
      client.release(broken);
    }
  };
  return {
    pool,
    behind: (wall) => ({
      query: async <R extends Row>(text: string, values: readonly unknown[] = [], name?: string) => {
        // The shape of a row is what the statement says: see `database.ts`.
        const { rows } = await run(wall, namedStatement(text, values, name));
        return rows as R[];
      },
    }),
    watched: async (wall, { text, values }, { timeoutMs, signal }) => {
      gate.pass();
      const client = await pool.connect().catch(throwFault);
      standing.delete(client);
      let broken = false;
      let onAbort: (() => void) | undefined;
      try {
        const { rows: found } = await client.query<{ pid: number }>(SET_WATCH, [
          wall.company,
          wall.partner,
          String(timeoutMs),
        ]);
        const pid = found[0]?.pid;
        onAbort = () => void pool.query('select pg_cancel_backend($1)', [pid]).catch(() => undefined);
        if (signal?.aborted === true) onAbort();
        signal?.addEventListener('abort', onAbort, { once: true });
        const { rows } = await send(client, { text, values: [...values] });
        signal?.removeEventListener('abort', onAbort);
        await client.query('reset statement_timeout; reset jit');
        return rows;
      } catch (error) {
        broken = true;
        return throwFault(error);
      } finally {
        if (onAbort !== undefined) signal?.removeEventListener('abort', onAbort);
        client.release(broken);
      }
    },
    suspend: gate.close,
    resume: gate.open,
    close: () => pool.end(),
  };
}

/** Compiling a statement costs more than most reports take. */
const SET_WATCH = `select set_config('${WALL_SETTINGS.company}', $1, false), set_config('${WALL_SETTINGS.partner}', $2, false), set_config('statement_timeout', $3, false), set_config('jit', 'off', false), pg_backend_pid() as pid`;
const SET_WALL = `select set_config('${WALL_SETTINGS.company}', $1, false), set_config('${WALL_SETTINGS.partner}', $2, false)`;

function throwFault(error: unknown): never {
  throw toDatabaseFault(error);
}
