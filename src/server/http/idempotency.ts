import { createHash } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '../errors.ts';
import type { Services } from '../services.ts';
import type { App } from './app-types.ts';

const KEY = /^[\x21-\x7e]{1,200}$/;
/** How long a duplicate waits for the first one's answer. */
const WAIT_MS = 10_000;
const POLL_MS = 50;
/** A request that began this long ago and has no answer died with its process. */
const ABANDONED_MS = 120_000;

declare module 'fastify' {
  interface FastifyRequest {
    /** Set while this request holds an idempotency key. */
    idempotencyKey: string | null;
  }
}

interface KeyRow {
  readonly body_hash: string;
  readonly status: number | null;
  readonly answer: unknown;
  readonly at: string;
}

/** Gives the same answer to the same POST: key and answer are a row, so that it holds over processes and restarts. */
export function serveIdempotently(app: App, services: Services): void {
  app.decorateRequest('idempotencyKey', null);
  app.addHook('preHandler', async (request, reply) => {
    const key = request.headers['idempotency-key'];
    const { permission } = request.routeOptions.config;
    if (request.method !== 'POST' || key === undefined || permission === 'public' || permission === 'pending')
      return;
    if (typeof key !== 'string' || !KEY.test(key))
      throw new AppError('BAD_REQUEST', { message: 'Idempotency-Key 应为 1 到 200 个可见字符' });
    const kept = await claimKey(services, request, key);
    if (kept === null) return;
    await reply
      .code(kept.status ?? 200)
      .header('idempotency-replayed', 'true')
      .send(kept.answer);
  });
  app.addHook('onSend', async (request, reply, payload) => {
    if (request.idempotencyKey !== null) await keepAnswer(services, request, reply, payload);
    return payload;
  });
}

/** Takes the key for this request (null), or gives the answer that an earlier one got. */
async function claimKey(services: Services, request: FastifyRequest, key: string): Promise<KeyRow | null> {
  const person = request.caller?.subject.id ?? '';
  const bodyHash = hashRequest(request);
  const deadline = Date.now() + WAIT_MS;
  for (;;) {
    const taken = await services.db.execute(
      `insert into sys_idempotency (key, person_id, body_hash, at) values ($1, $2, $3, now())
       on conflict (person_id, key) do update set at = now()
         where sys_idempotency.status is null and sys_idempotency.body_hash = excluded.body_hash
           and sys_idempotency.at < now() - make_interval(secs => ${ABANDONED_MS / 1000})`,
      [key, person, bodyHash],
      'idempotency_claim',
    );
    if (taken > 0) {
      request.idempotencyKey = key;
      return null;
    }
    const [row] = await services.db.query<KeyRow & Record<string, unknown>>(
      'select body_hash, status, answer, at from sys_idempotency where key = $1 and person_id = $2',
      [key, person],
      'idempotency_find',
    );
    if (row !== undefined && row.body_hash !== bodyHash) throw new AppError('IDEMPOTENCY_MISMATCH');
    if (row !== undefined && row.status !== null) return row;
    if (Date.now() > deadline) throw new AppError('IDEMPOTENCY_IN_PROGRESS', { retryAfterS: 5 });
    await delay(POLL_MS);
  }
}

async function keepAnswer(
  services: Services,
  request: FastifyRequest,
  reply: FastifyReply,
  payload: unknown,
): Promise<void> {
  const key = request.idempotencyKey;
  const person = request.caller?.subject.id ?? '';
  request.idempotencyKey = null;
  const isFinal = reply.statusCode < 500 && ![401, 408, 409, 429].includes(reply.statusCode);
  // Streams, and answers that another try may better, are not kept.
  if (!isFinal || typeof payload !== 'string')
    await services.db.execute('delete from sys_idempotency where key = $1 and person_id = $2', [key, person]);
  else
    await services.db.execute(
      'update sys_idempotency set status = $3, answer = $4::jsonb where key = $1 and person_id = $2',
      [key, person, reply.statusCode, payload],
    );
}

function hashRequest(request: FastifyRequest): string {
  const body = request.body === undefined ? '' : JSON.stringify(request.body);
  return createHash('sha256').update(`${request.method} ${request.url}\n${body}`).digest('hex');
}
