import { setTimeout as delay } from 'node:timers/promises';
import { Client } from 'pg';
import { connectionConfig } from './database.ts';
import type { RoleLogin } from './database-roles.ts';

/** Whether the database answers, and since when that is so. */
export interface PulseState {
  readonly isAlive: boolean;
  readonly since: Date;
}

/** A look at the database that never waits longer than it says. */
export interface Pulse {
  /** What the last look found. */
  readonly state: () => PulseState;
  /** Looks now: false when there is no answer within so many milliseconds. */
  readonly answersWithin: (ms: number) => Promise<boolean>;
  readonly stop: () => Promise<void>;
}

export interface PulseOptions {
  readonly login: RoleLogin;
  /** Called when the database stops answering, and when it answers again. */
  readonly onChange: (state: PulseState) => void;
}

const LOOK_MS = 1_000;
const CONNECT_MS = 2_000;
/** A database that is only busy answers within this; one that does not is taken for frozen or gone. */
const PATIENCE_MS = 8_000;
/** An answer that arrived while this process itself was held up counts. */
const GRACE_MS = 500;

/**
 * Asks the database every second on a connection of its own. A frozen server keeps its sockets open and says nothing,
 * so that only a clock of our own tells; a statement that takes long is no sign of it.
 */
export function watchPulse(options: PulseOptions): Pulse {
  const ending = new AbortController();
  let state: PulseState = { isAlive: true, since: new Date() };
  let client: Client | null = null;
  let asking: Promise<boolean> | null = null;

  const connect = async (): Promise<Client> => {
    const next = new Client({
      ...connectionConfig({ ...options.login, applicationName: 'trade-erp pulse' }),
      connectionTimeoutMillis: CONNECT_MS,
    });
    // A broken connection shows in the next look.
    next.on('error', () => undefined);
    await next.connect();
    return next;
  };
  const drop = (): void => {
    const old = client;
    client = null;
    old?.end().catch(() => undefined);
  };
  const lookOnce = async (): Promise<boolean> => {
    try {
      client ??= await connect();
      await client.query('select 1');
      return true;
    } catch {
      drop();
      return false;
    }
  };
  /** One look at a time. A connection that was cut says nothing about the server: a second one is tried. */
  const look = (): Promise<boolean> => {
    asking ??= lookOnce()
      .then((isAlive) => isAlive || lookOnce())
      .finally(() => {
        asking = null;
      });
    return asking;
  };
  const set = (isAlive: boolean): void => {
    if (state.isAlive === isAlive || ending.signal.aborted) return;
    state = { isAlive, since: new Date() };
    // The connection that got no answer would wait for ever when the server was replaced.
    if (!isAlive) drop();
    options.onChange(state);
  };
  const answersWithin = async (ms: number): Promise<boolean> => {
    const waiting = new AbortController();
    const late = delay(ms, null, { ref: false, signal: waiting.signal })
      .then(() => delay(GRACE_MS, false, { ref: false, signal: waiting.signal }))
      .catch(() => false);
    const isAlive = await Promise.race([look(), late]);
    waiting.abort();
    return isAlive;
  };
  const watch = async (): Promise<void> => {
    while (!ending.signal.aborted) {
      set(await answersWithin(PATIENCE_MS));
      await delay(LOOK_MS, null, { ref: false, signal: ending.signal }).catch(() => null);
    }
  };

  const watching = watch();
  return {
    state: () => state,
    answersWithin: async (ms) => {
      const isAlive = await answersWithin(Math.max(0, ms - GRACE_MS));
      // Who is told that it answers may send statements at once; that it does not, the watch finds with more patience.
      if (isAlive) set(true);
      return isAlive;
    },
    stop: async () => {
      ending.abort();
      drop();
      await watching;
    },
  };
}
