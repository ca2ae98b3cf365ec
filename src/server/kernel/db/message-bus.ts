import { randomInt } from 'node:crypto';
import pg from 'pg';
import type { FastifyBaseLogger } from 'fastify';
import { connectionConfig, type Queryable } from './database.ts';
import type { RoleLogin } from './database-roles.ts';

/** What the app's processes tell each other: names and ids only, never contents. */
export interface BusMessage {
  /** `definitions`, `overrides`, `session`, `notice`, or a name of another module. */
  readonly topic: string;
  readonly ids: readonly string[];
  /** The process that sent it. */
  readonly from: string;
}

export type BusListener = (message: BusMessage) => void;

export interface MessageBus {
  /** This process. */
  readonly id: string;
  /** This process as `isProcessAlive` asks for it. */
  readonly processNo: number;
  /** Tells every process, this one included, once `on` (the pool or a transaction) commits. */
  readonly publish: (on: Queryable, topic: string, ids?: readonly string[]) => Promise<void>;
  /** Hears every message of a topic; the answer stops it. */
  readonly listen: (topic: string, listener: BusListener) => () => void;
  /** Called after the connection was lost and made again: messages may have been missed. */
  readonly onReconnect: (listener: () => void) => void;
  /** Connects anew: the server was away, and a connection that it no longer knows would hear nothing. */
  readonly renew: () => void;
  readonly close: () => Promise<void>;
}

const CHANNEL = 'erp_bus';
const RETRY_MS = 500;
const CONNECT_MS = 5_000;
// PostgreSQL takes payloads below 8,000 bytes: a session's id has 64 signs, 67 with its quotes and comma.
const IDS_PER_MESSAGE = 100;

/** A lock that every process holds on its number while it lives; its connection takes it along when it dies. */
const LIFE = 7_316_004;

/** SQL that is true while the process of a number lives: its bus connection holds the lock. */
export function isProcessAlive(processNo: string): string {
  return `exists (select 1 from pg_locks l join pg_database d on d.oid = l.database
    where l.locktype = 'advisory' and l.classid = ${LIFE} and l.objid = ${processNo}::oid and l.granted
      and d.datname = current_database())`;
}

/** Opens a connection of its own for LISTEN; it is made again whenever it breaks. */
export async function openMessageBus(options: {
  readonly login: RoleLogin;
  readonly id: string;
  readonly log: Pick<FastifyBaseLogger, 'warn'>;
}): Promise<MessageBus> {
  const listeners = new Map<string, Set<BusListener>>();
  const reconnects: (() => void)[] = [];
  let client: pg.Client | null = null;
  const processNo = randomInt(1, 2 ** 31 - 1);
  let isClosed = false;
  let retry: NodeJS.Timeout | null = null;

  const connect = async (): Promise<void> => {
    const next = new pg.Client({
      ...connectionConfig({ ...options.login, applicationName: 'trade-erp bus' }),
      statement_timeout: 0,
      connectionTimeoutMillis: CONNECT_MS,
    });
    next.on('notification', ({ payload }) => dispatch(listeners, payload ?? '', options.log));
    next.on('error', () => lost(next));
    next.on('end', () => lost(next));
    await next.connect();
    await next.query(`listen ${CHANNEL}`);
    await next.query('select pg_try_advisory_lock($1, $2)', [LIFE, processNo]);
    client = next;
  };
  const lost = (which: pg.Client): void => {
    if (isClosed || client !== which) return;
    client = null;
    scheduleRetry();
  };
  const scheduleRetry = (): void => {
    retry = setTimeout(() => {
      connect().then(
        () => {
          for (const listener of reconnects) listener();
        },
        (error: unknown) => {
          options.log.warn({ err: error }, 'message bus cannot connect');
          if (!isClosed) scheduleRetry();
        },
      );
    }, RETRY_MS);
    retry.unref();
  };

  await connect();
  return {
    id: options.id,
    processNo,
    publish: async (on, topic, ids = []) => {
      for (let start = 0; start === 0 || start < ids.length; start += IDS_PER_MESSAGE)
        await announce(on, { topic, ids: ids.slice(start, start + IDS_PER_MESSAGE), from: options.id });
    },
    listen: (topic, listener) => {
      const known = listeners.get(topic) ?? new Set();
      listeners.set(topic, known.add(listener));
      return () => known.delete(listener);
    },
    onReconnect: (listener) => reconnects.push(listener),
    renew: () => {
      const old = client;
      if (old === null) return;
      lost(old);
      old.end().catch(() => undefined);
    },
    close: async () => {
      isClosed = true;
      if (retry !== null) clearTimeout(retry);
      await client?.end();
    },
  };
}

/** Tells every running process, once `on` commits: for commands, which have no bus of their own. */
export async function announce(on: Queryable, message: BusMessage): Promise<void> {
  await on.query('select pg_notify($1, $2)', [CHANNEL, JSON.stringify(message)], 'bus_notify');
}

function dispatch(
  listeners: ReadonlyMap<string, ReadonlySet<BusListener>>,
  payload: string,
  log: Pick<FastifyBaseLogger, 'warn'>,
): void {
  const message = readMessage(payload);
  if (message === null) return;
  for (const listener of listeners.get(message.topic) ?? []) {
    try {
      listener(message);
    } catch (error) {
      log.warn({ err: error, topic: message.topic }, 'bus listener failed');
    }
  }
}

function readMessage(payload: string): BusMessage | null {
  try {
    const value: unknown = JSON.parse(payload);
    if (typeof value !== 'object' || value === null) return null;
    const { topic, ids, from } = value as Partial<Record<keyof BusMessage, unknown>>;
    if (typeof topic !== 'string' || !Array.isArray(ids)) return null;
    return { topic, ids: ids.map(String), from: String(from) };
  } catch {
    // Another program notifies on our channel: not ours to answer.
    return null;
  }
}
