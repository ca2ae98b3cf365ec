import type { Pool, PoolClient } from 'pg';
import { DatabaseFault } from './database-fault.ts';

/** Stands before a pool: closed while the database does not answer. */
export interface PoolGate {
  /** @throws DatabaseFault while the gate is closed */
  readonly pass: () => void;
  readonly close: () => void;
  readonly open: () => void;
}

/**
 * A statement on a frozen server would wait for ever, since nothing ends its connection. Closing the gate ends the
 * connections that are in use, which fails their statements, and drops the idle ones: after it every connection is new.
 */
export function guardPool(pool: Pool): PoolGate {
  const busy = new Set<PoolClient>();
  let isOpen = true;
  pool.on('acquire', (client) => busy.add(client));
  pool.on('release', (_error, client) => busy.delete(client));
  return {
    pass: () => {
      if (!isOpen) throw new DatabaseFault(new Error('Connection terminated: the database does not answer'));
    },
    close: () => {
      isOpen = false;
      for (const client of busy) client.end().catch(() => undefined);
      for (let idle = pool.idleCount; idle > 0; idle -= 1)
        pool.connect().then(
          (client) => client.release(true),
          () => undefined,
        );
    },
    open: () => {
      isOpen = true;
    },
  };
}
