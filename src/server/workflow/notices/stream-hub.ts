import type { ServerResponse } from 'node:http';
import type { FastifyBaseLogger } from 'fastify';
import type { Database } from '#server/kernel/db/database.ts';
import type { DefinitionStore } from '#server/records/definitions/definition-store.ts';
import type { MessageBus } from '#server/kernel/db/message-bus.ts';
import type { Notice } from '#contract/notices.ts';
import { type NoticeService, NOTICE_WRITTEN } from '#server/kernel/notices/notice-service.ts';
import { rowText } from '#server/kernel/db/row-text.ts';

/** One open stream of a browser. */
export interface NoticeStream {
  readonly personId: string;
  readonly sessionId: string;
  readonly response: ServerResponse;
}

export interface StreamHub {
  /** Takes a stream in; false when the session has as many as it may have. */
  readonly open: (stream: NoticeStream) => boolean;
  /** Writes what the stream missed; what arrives while that is read waits behind it, and nothing is written twice. */
  readonly replay: (stream: NoticeStream, missed: AsyncIterable<readonly Notice[]>) => Promise<void>;
  /** Ends the streams of a session, in whichever process they are. */
  readonly close: (sessionId: string) => Promise<void>;
  readonly size: () => number;
  /** Notices written to streams so far. */
  readonly sent: () => number;
  readonly stop: () => void;
}

/** Streams a session may have open at once. */
export const MAX_STREAMS = 5;
/** Topic whose ids are sessions that want their streams closed. */
const STREAM_CLOSE = 'stream-close';
const HEARTBEAT_MS = 15_000;
/** How often streams of sessions that ended by themselves are looked for. */
const SWEEP_MS = 60_000;
const IDLE_MS = 30 * 60_000;
const ABSOLUTE_MS = 12 * 3_600_000;
/** How long a browser may take over the rest of a stream that was ended. */
const LINGER_MS = 5_000;

/** Writes notices, changed definitions and ended sessions to the streams of this process. */
export function createStreamHub(surroundings: {
  readonly db: Database;
  readonly bus: MessageBus;
  readonly notices: NoticeService;
  readonly definitions: Pick<DefinitionStore, 'onChange'>;
  readonly log: FastifyBaseLogger;
  readonly clock: () => Date;
}): StreamHub {
  const { db, bus, notices, definitions, log, clock } = surroundings;
  const bySession = new Map<string, Set<NoticeStream>>();
  const byPerson = new Map<string, Set<NoticeStream>>();
  const held = new Map<NoticeStream, Map<string, Notice>>();
  // A replay may read a notice before the bus tells of it: what was read is remembered with the stream.
  const replayed = new WeakMap<NoticeStream, ReadonlySet<string>>();

  const warn = (error: unknown): void => log.warn({ err: error }, 'streams cannot be told');

  let sent = 0;
  const remove = (stream: NoticeStream): void => {
    take(bySession, stream.sessionId, stream);
    take(byPerson, stream.personId, stream);
  };
  // Nobody writes to it any more, though a browser that reads nothing keeps its connection open.
  const end = (stream: NoticeStream): void => {
    remove(stream);
    endResponse(stream.response);
  };
  const deliver = async (ids: readonly string[]): Promise<void> => {
    if (byPerson.size === 0) return;
    const loaded = new Map((await notices.load(ids)).map((one) => [one.notice.id, one]));
    for (const id of ids) {
      const found = loaded.get(id);
      if (found === undefined) continue;
      const { personId, notice } = found;
      const frame = noticeFrame(notice);
      for (const stream of byPerson.get(personId) ?? []) {
        if (replayed.get(stream)?.has(notice.id) === true) continue;
        const waiting = held.get(stream);
        if (waiting === undefined) {
          writeTo(stream.response, frame);
          sent += 1;
        } else waiting.set(notice.id, notice);
      }
    }
  };
  // In the order in which they were committed: what comes while one is read is read next, all of it at once.
  let next: string[] = [];
  let isDelivering = false;
  const deliverInOrder = async (ids: readonly string[]): Promise<void> => {
    next.push(...ids);
    if (isDelivering) return;
    isDelivering = true;
    while (next.length > 0) {
      const now = next;
      next = [];
      // What cannot be read keeps nothing from what came after it.
      await deliver(now).catch(warn);
    }
    isDelivering = false;
  };
  const toAll = (frame: string): void => {
    for (const streams of bySession.values()) for (const stream of streams) writeTo(stream.response, frame);
  };
  const closeSession = (sessionId: string): void => {
    for (const stream of bySession.get(sessionId) ?? []) end(stream);
  };
  const endSessions = async (ids: readonly string[]): Promise<void> => {
    const open = ids.filter((id) => bySession.has(id));
    if (open.length === 0) return;
    const alive = await aliveSessions(db, open, clock());
    for (const id of open) {
      const frame = eventFrame('session', { active: alive.has(id) });
      for (const stream of bySession.get(id) ?? []) {
        writeTo(stream.response, frame);
        if (!alive.has(id)) end(stream);
      }
    }
  };
  const sweep = async (): Promise<void> => {
    const alive = await aliveSessions(db, [...bySession.keys()], clock());
    await endSessions([...bySession.keys()].filter((id) => !alive.has(id)));
  };
  const guarded = (work: Promise<void>): void => {
    work.catch(warn);
  };

  bus.listen(NOTICE_WRITTEN, ({ ids }) => guarded(deliverInOrder(ids)));
  bus.listen(STREAM_CLOSE, ({ ids }) => ids.forEach(closeSession));
  bus.listen('session', ({ ids }) => guarded(endSessions(ids)));
  definitions.onChange((changed) => toAll(eventFrame('definitions', { resources: changed })));
  const heartbeat = setInterval(() => toAll(': heartbeat\n\n'), HEARTBEAT_MS);
  const sweeper = setInterval(() => guarded(sweep()), SWEEP_MS);
  heartbeat.unref();
  sweeper.unref();

  return {
    open: (stream) => {
      if ((bySession.get(stream.sessionId)?.size ?? 0) >= MAX_STREAMS) return false;
      put(bySession, stream.sessionId, stream);
      put(byPerson, stream.personId, stream);
      // A connection that breaks says so here, and 'close' comes behind it.
      stream.response.on('error', () => undefined).on('close', () => remove(stream));
      return true;
    },
    replay: async (stream, missed) => {
      const waiting = new Map<string, Notice>();
      const written = new Set<string>();
      held.set(stream, waiting);
      replayed.set(stream, written);
      try {
        for await (const page of missed) {
          if (stream.response.destroyed || stream.response.writableEnded) return;
          for (const notice of page) written.add(notice.id);
          sent += page.length;
          await writeFrames(stream.response, page.map(noticeFrame).join(''));
        }
        const late = [...waiting.values()].filter(({ id }) => !written.has(id));
        for (const notice of late) writeTo(stream.response, noticeFrame(notice));
        sent += late.length;
      } catch (error) {
        // The browser connects again and asks from the same event on.
        log.warn({ err: error }, 'missed notices cannot be read');
        end(stream);
      } finally {
        held.delete(stream);
      }
    },
    close: (sessionId) => bus.publish(db, STREAM_CLOSE, [sessionId]),
    size: () => [...bySession.values()].reduce((sum, streams) => sum + streams.size, 0),
    sent: () => sent,
    stop: () => {
      clearInterval(heartbeat);
      clearInterval(sweeper);
      for (const id of bySession.keys()) closeSession(id);
    },
  };
}

/** Writes unless the stream was ended: a write behind the end is a fault that ends the process. */
function writeTo(response: ServerResponse, frames: string): boolean {
  return response.writableEnded || response.write(frames);
}

/** Ends a stream; one whose browser does not take the rest in time is cut. */
function endResponse(response: ServerResponse): void {
  if (response.writableEnded) return;
  response.end();
  const cut = setTimeout(() => response.destroy(), LINGER_MS);
  cut.unref();
  response.on('close', () => clearTimeout(cut));
}

/** A browser that reads slowly gets the next page when it has taken this one, or its connection has ended. */
async function writeFrames(response: ServerResponse, frames: string): Promise<void> {
  if (writeTo(response, frames)) return;
  await new Promise<void>((resolve) => {
    const done = (): void => {
      response.off('drain', done).off('close', done);
      resolve();
    };
    response.on('drain', done).on('close', done);
  });
}

function noticeFrame(notice: Notice): string {
  const { id, title, content, event, level, resource, record_id, link } = notice;
  return `id: ${id}\n${eventFrame('notice', { id, title, content, event, level, resource, record_id, link })}`;
}

function eventFrame(name: string, data: unknown): string {
  return `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;
}

async function aliveSessions(db: Database, ids: readonly string[], now: Date): Promise<ReadonlySet<string>> {
  if (ids.length === 0) return new Set();
  const rows = await db.query(
    `select encode(token_hash, 'hex') as id from sys_session where token_hash = any($1) and revoked_at is null
     and last_seen_at > $2 and created_at > $3`,
    [
      ids.map((id) => Buffer.from(id, 'hex')),
      new Date(now.getTime() - IDLE_MS).toISOString(),
      new Date(now.getTime() - ABSOLUTE_MS).toISOString(),
    ],
    'sessions_alive',
  );
  return new Set(rows.map((row) => rowText(row, 'id')));
}

function put(map: Map<string, Set<NoticeStream>>, key: string, stream: NoticeStream): void {
  const known = map.get(key) ?? new Set();
  map.set(key, known.add(stream));
}

function take(map: Map<string, Set<NoticeStream>>, key: string, stream: NoticeStream): void {
  const known = map.get(key);
  known?.delete(stream);
  if (known?.size === 0) map.delete(key);
}
