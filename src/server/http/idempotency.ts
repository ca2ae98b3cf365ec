import { createHash, randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '#server/kernel/errors.ts';
import type { AppServices } from '#server/auth/app-services.ts';
import { DatabaseFault } from '#server/kernel/db/database-fault.ts';
import { isProcessAlive } from '#server/kernel/db/message-bus.ts';
import type { Permission } from '#contract/call.ts';
import type { BatchResult } from '#contract/records.ts';
import type { IdempotencyClaim } from '#server/records/services.ts';
import { refusalBody } from './answer.ts';
import type { App } from './app-types.ts';
import { hashFiles } from './receive-files.ts';

const KEY = /^[\x21-\x7e]{1,200}$/;
/** Every method that writes: a lost answer of any of them is asked for again. */
const KEYED_METHODS: ReadonlySet<string> = new Set(['POST', 'PATCH', 'PUT', 'DELETE']);
/** How long a duplicate waits for the first one's answer. */
const WAIT_MS = 10_000;
const POLL_MS = 50;
/** A request that began this long ago is given up even while its process lives; from then on it writes no more. */
const ABANDONED_MS = 120_000;
/** How often, and how many times, an end that the database did not hear is told again. */
const SETTLE_MS = 1_000;
const SETTLE_TRIES = 120;

declare module 'fastify' {
  interface FastifyRequest {
    /** Set while this request holds an idempotency key. */
    idempotency: IdempotencyClaim | null;
  }
}

interface KeyRow {
  readonly body_hash: string;
  readonly status: number | null;
  readonly answer: unknown;
  readonly is_lost: boolean;
}

/**
 * Gives the same answer to the same write: key and answer are a row, so that it holds over processes and restarts. The
 * write keeps the answer in its own transaction, so who asks again after a crash gets it at once; the key of a process
 * that died before its commit is free at once.
 */
export function serveIdempotently(app: App, services: AppServices): void {
  app.decorateRequest('idempotency', null);
  const claimOrReplay = async (
    request: FastifyRequest,
    reply: FastifyReply,
    { key, person }: { readonly key: unknown; readonly person: string },
  ): Promise<boolean> => {
    if (typeof key !== 'string' || !KEY.test(key))
      throw new AppError('BAD_REQUEST', { message: 'Idempotency-Key 应为 1 到 200 个可见字符' });
    const kept = await claimKey(services, request, { key, person });
    if (kept === null) return false;
    await reply
      .code(kept.status ?? 200)
      .header('idempotency-replayed', 'true')
      .send(kept.answer);
    return true;
  };
  // Most calls have no key: they wait for nothing.
  app.addHook('preHandler', (request, reply, done) => {
    const key = request.headers['idempotency-key'];
    const person = key !== undefined && KEYED_METHODS.has(request.method) ? ownerOf(request) : null;
    if (person === null) done();
    else
      claimOrReplay(request, reply, { key, person }).then((isReplayed) => {
        if (!isReplayed) done();
      }, done);
  });
  app.addHook('onSend', (request, reply, payload, done) => {
    if (request.idempotency === null) done(null, payload);
    else keepEnd(services, request, { reply, payload }).then(() => done(null, payload), done);
  });
}

/**
 * Whose key it is: the caller's, else whoever knows what only this sender knows, so that a stranger with the same key
 * neither gets the answer nor is kept from his own. Null where keys are passed by: what only reads, and what is answered
 * with a session or a message rather than with a record.
 */
function ownerOf({ routeOptions, caller, body }: FastifyRequest): string | null {
  const { contract } = routeOptions.config;
  if (contract === undefined || contract.isReading === true) return null;
  if (!WITHOUT_SESSION.has(contract.permission)) return caller?.subject.id ?? null;
  const { keyedBy } = contract;
  if (keyedBy === undefined) return null;
  if (caller !== null) return caller.subject.id;
  const given = new Map(Object.entries(body ?? {}));
  const known = keyedBy.map((name): unknown => given.get(name));
  if (!known.every((value) => typeof value === 'string' && value !== '')) return null;
  return `sender ${createHash('sha256').update(JSON.stringify(known)).digest('hex')}`;
}

const WITHOUT_SESSION: ReadonlySet<Permission> = new Set(['public', 'visitor', 'pending']);

/** Takes the key for this request (null), or gives the answer that an earlier one got. */
async function claimKey(
  services: AppServices,
  request: FastifyRequest,
  { key, person }: { readonly key: string; readonly person: string },
): Promise<KeyRow | null> {
  const bodyHash = await hashRequest(request);
  const claim = randomUUID();
  const deadline = Date.now() + WAIT_MS;
  for (;;) {
    const [taken] = await services.db.query<Taken>(
      CLAIM,
      [key, person, bodyHash, claim, services.bus.processNo],
      'idempotency_claim',
    );
    if (taken !== undefined) {
      request.idempotency = { key, person, claim, done: taken.parts ?? [] };
      if (request.caller !== null) request.caller = { ...request.caller, idempotency: request.idempotency };
      return null;
    }
    const [row] = await services.db.query<KeyRow & Record<string, unknown>>(
      FIND,
      [key, person],
      'idempotency_find',
    );
    if (row !== undefined && row.body_hash !== bodyHash) throw new AppError('IDEMPOTENCY_MISMATCH');
    if (row !== undefined && row.status !== null) return row;
    if (row?.is_lost === true) throw new AppError('IDEMPOTENCY_WRITTEN');
    if (Date.now() > deadline) throw new AppError('IDEMPOTENCY_IN_PROGRESS', { retryAfterS: 5 });
    await delay(POLL_MS);
  }
}

interface Taken extends Record<string, unknown> {
  /** What an earlier try of a batch had written. */
  readonly parts: readonly BatchResult[] | null;
}

const GIVEN_UP = `(sys_idempotency.at < now() - make_interval(secs => ${ABANDONED_MS / 1000})
  or not ${isProcessAlive('sys_idempotency.owner')})`;
const CLAIM = `insert into sys_idempotency (key, person_id, body_hash, claim, owner, at) values ($1, $2, $3, $4, $5, now())
  on conflict (person_id, key) do update set at = now(), claim = excluded.claim, owner = excluded.owner
    where sys_idempotency.status is null and sys_idempotency.body_hash = excluded.body_hash
      and (sys_idempotency.written_at is null or sys_idempotency.parts is not null) and ${GIVEN_UP}
  returning parts`;
const FIND = `select body_hash, status, answer, written_at is not null and parts is null and ${GIVEN_UP} as is_lost
  from sys_idempotency where key = $1 and person_id = $2`;

/** Keeps how the request ended; a database that is away hears it later, so that the key is not held for nothing. */
async function keepEnd(
  services: AppServices,
  request: FastifyRequest,
  answered: { readonly reply: FastifyReply; readonly payload: unknown },
): Promise<void> {
  const held = request.idempotency;
  request.idempotency = null;
  if (held === null) return;
  const end = { held, status: answered.reply.statusCode, payload: answered.payload, requestId: request.id };
  try {
    await settle(services, end);
  } catch (error) {
    if (!(error instanceof DatabaseFault) || error.kind !== 'unavailable') throw error;
    void settleLater(services, end);
  }
}

interface End {
  readonly held: IdempotencyClaim;
  readonly status: number;
  readonly payload: unknown;
  readonly requestId: string;
}

/** Keeps a final answer. One that another try may better is forgotten with its key, unless something was written. */
async function settle({ db }: AppServices, { held, status, payload, requestId }: End): Promise<void> {
  const mine = [held.key, held.person, held.claim];
  const isFinal = status < 500 && ![401, 408, 409, 429].includes(status);
  if (isFinal && typeof payload === 'string') {
    await db.execute(status < 300 ? KEEP : KEEP_REFUSAL, [...mine, status, payload]);
    return;
  }
  const isStream = isFinal;
  const forgotten = await db.execute(isStream ? FORGET : FORGET_UNWRITTEN, mine);
  if (forgotten > 0) return;
  const lost = new AppError('IDEMPOTENCY_WRITTEN');
  await db.execute(KEEP_REFUSAL, [...mine, lost.status, JSON.stringify(refusalBody(lost, requestId))]);
}

async function settleLater(services: AppServices, end: End): Promise<void> {
  for (let tries = 0; tries < SETTLE_TRIES; tries += 1) {
    await delay(SETTLE_MS, undefined, { ref: false });
    const isHeard = await settle(services, end).then(
      () => true,
      () => false,
    );
    if (isHeard) return;
  }
}

const MINE = 'where key = $1 and person_id = $2 and claim = $3';
const KEEP = `update sys_idempotency set status = $4, answer = $5::jsonb ${MINE}`;
// What a committed write has answered stands, whatever went wrong behind it; a batch that was cut short is taken up again.
const KEEP_REFUSAL = `${KEEP} and status is null and parts is null`;
const FORGET = `delete from sys_idempotency ${MINE}`;
// Without a part what was written so far is known to the work itself, which goes on with the next try.
const FORGET_UNWRITTEN = `${FORGET} and (written_at is null or parts = '[]')`;

async function hashRequest(request: FastifyRequest): Promise<string> {
  const body = request.isMultipart()
    ? await hashFiles(request)
    : request.body === undefined
      ? ''
      : JSON.stringify(request.body);
  // The answer is what one role saw: who has gone over to another does not get it.
  const { role_code: role = '', sales_id: target = null } = request.caller?.subject ?? {};
  // Visitors are answered by the company of the address.
  const site = request.caller === null ? request.hostname : '';
  const asked = `${request.method} ${site}${request.url}\n${role} ${target ?? ''}\n${body}`;
  return createHash('sha256').update(asked).digest('hex');
}
