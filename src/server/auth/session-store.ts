import { hash, randomBytes } from 'node:crypto';
import type { SessionEntry } from '#contract/self.ts';
import type { Subject } from '#engine/schema/resource.ts';
import type { Database, Queryable, Row } from '#server/kernel/db/database.ts';
import type { MessageBus } from '#server/kernel/db/message-bus.ts';
import type { DefinitionStore } from '#server/records/definitions/definition-store.ts';
import { buildSubject } from './subject.ts';
import { rowText, rowTextOrNull } from '#server/kernel/db/row-text.ts';

/** A person (or partner account) that a pending session may become. */
export interface Candidate {
  readonly kind: 'staff' | 'partner';
  readonly id: string;
  readonly coCode: string;
}

export interface Session {
  /** Hex of the token's hash. */
  readonly id: string;
  readonly stage: 'pending' | 'full';
  /** Whom setPosition may choose from; in a full session the one it belongs to, and customers it may go on as. */
  readonly candidates: readonly Candidate[];
  /** Null before a role is chosen. */
  readonly subject: Subject | null;
  /** The password was made for the person and sent: another must be chosen before anything else. */
  readonly isPasswordDue: boolean;
  readonly createdAt: string;
}

/** What is chosen at setPosition. */
export interface Position {
  readonly candidate: Candidate;
  readonly roleCode: string;
  readonly roleCodes: readonly string[];
  readonly salesId: string | null;
}

export interface SessionOrigin {
  readonly address: string;
  readonly userAgent: string;
}

export interface SessionStore {
  /** The session of an Authorization header, null when there is none in force. Finding it keeps it alive unless `isPassive`. */
  readonly find: (
    authorization: string,
    options?: { readonly isPassive?: boolean },
  ) => Promise<Session | null>;
  /** Opens a session before (`position` null) or after its role is chosen; the answer is the token. */
  readonly open: (
    on: Queryable,
    opening: {
      readonly candidates: readonly Candidate[];
      readonly position: Position | null;
      readonly origin: SessionOrigin;
      /** A role switch does not start the twelve hours anew. */
      readonly createdAt?: string;
    },
  ) => Promise<string>;
  /** Ends sessions; tells how many of them were still in force. */
  readonly revoke: (on: Queryable, ids: readonly string[]) => Promise<number>;
  /** Ends the sessions of people or partner accounts, but for one when it is their own. */
  readonly revokePeople: (on: Queryable, personIds: readonly string[], exceptId?: string) => Promise<void>;
  /** Forgets what is cached of people whose rights changed. */
  readonly refreshPeople: (on: Queryable, personIds: readonly string[]) => Promise<void>;
  readonly list: (personId: string, currentId: string) => Promise<readonly SessionEntry[]>;
  /** Ends one session of the person, named by the id of its listing; false when there is none. */
  readonly end: (personId: string, listingId: string) => Promise<boolean>;
}

const IDLE_MS = 30 * 60_000;
const ABSOLUTE_MS = 12 * 3_600_000;
const CACHE_MS = 5_000;
/** How often a session's last use is written. */
const TOUCH_MS = 30_000;
const MAX_CACHED = 20_000;
const TOKEN = /^[A-Za-z0-9_-]{43}$/;

interface Cached {
  readonly session: Session | null;
  readonly loadedMs: number;
  readonly expiresMs: number;
}

interface Surroundings {
  readonly db: Database;
  readonly definitions: DefinitionStore;
  readonly bus: MessageBus;
  readonly clock: () => Date;
}

/** Sessions as rows, cached for five seconds; processes tell each other what ended. */
export function createSessionStore(surroundings: Surroundings): SessionStore {
  const { db, bus, clock } = surroundings;
  const cache = new Map<string, Cached>();
  const touched = new Map<string, number>();
  let forgets = 0;
  const forget = (ids: readonly string[]): void => {
    forgets += 1;
    for (const id of ids) cache.delete(id);
  };
  bus.listen('session', ({ ids }) => forget(ids));
  bus.onReconnect(() => {
    forgets += 1;
    cache.clear();
  });

  const load = async (id: string): Promise<Cached> => {
    const now = clock();
    const before = forgets;
    const rows = await db.query(FIND, [Buffer.from(id, 'hex')], 'session_find');
    const cached = await readSession(surroundings, id, rows[0], now);
    if (cache.size >= MAX_CACHED) cache.clear();
    // What was read while a session ended may be from before its end: good for this call, not for five seconds.
    if (forgets === before) cache.set(id, cached);
    return cached;
  };

  const touch = async (id: string, nowMs: number): Promise<void> => {
    if (nowMs - (touched.get(id) ?? 0) < TOUCH_MS) return;
    if (touched.size >= MAX_CACHED) touched.clear();
    touched.set(id, nowMs);
    await db.execute(
      'update sys_session set last_seen_at = $2 where token_hash = $1 and revoked_at is null and last_seen_at < $2',
      [Buffer.from(id, 'hex'), new Date(nowMs).toISOString()],
      'session_touch',
    );
  };

  return {
    find: async (authorization, options = {}) => {
      const token = authorization.replace(/^Bearer\s+/i, '').trim();
      if (!TOKEN.test(token)) return null;
      const id = hashToken(token);
      const nowMs = clock().getTime();
      const known = cache.get(id);
      const isFresh = known !== undefined && Math.abs(nowMs - known.loadedMs) < CACHE_MS;
      const entry = isFresh ? known : await load(id);
      if (entry.session === null || nowMs >= entry.expiresMs) return null;
      if (options.isPassive !== true) await touch(id, nowMs);
      return entry.session;
    },
    open: async (on, { candidates, position, origin, createdAt }) => {
      const token = randomBytes(32).toString('base64url');
      const now = clock().toISOString();
      const owner = position?.candidate ?? (candidates.length === 1 ? candidates[0] : undefined);
      await on.query(INSERT, [
        Buffer.from(hashToken(token), 'hex'),
        owner?.kind === 'staff' ? owner.id : null,
        owner?.kind === 'partner' ? owner.id : null,
        position === null ? 'pending' : 'full',
        owner?.coCode ?? null,
        position?.roleCode ?? null,
        position?.salesId ?? null,
        JSON.stringify({ candidates, roleCodes: position?.roleCodes ?? [] }),
        createdAt ?? now,
        now,
        origin.address,
        origin.userAgent.slice(0, 300),
      ]);
      return token;
    },
    revoke: async (on, ids) => {
      const ended = await on.execute(
        'update sys_session set revoked_at = $2 where token_hash = any($1) and revoked_at is null',
        [ids.map((id) => Buffer.from(id, 'hex')), clock().toISOString()],
      );
      forget(ids);
      await bus.publish(on, 'session', ids);
      return ended;
    },
    revokePeople: async (on, personIds, exceptId) => {
      const rows = await on.query(
        `update sys_session set revoked_at = $2 where revoked_at is null
         and (person_id = any($1) or partner_account_id = any($1)) and encode(token_hash, 'hex') <> $3
         returning encode(token_hash, 'hex') as id`,
        [personIds, clock().toISOString(), exceptId ?? ''],
      );
      const others = await on.query(WITHOUT, [personIds]);
      const ids = [...rows, ...others].map((row) => rowText(row, 'id'));
      forget(ids);
      if (ids.length > 0) await bus.publish(on, 'session', ids);
    },
    refreshPeople: async (on, personIds) => {
      const rows = await on.query(
        `select encode(token_hash, 'hex') as id from sys_session where revoked_at is null
         and (person_id = any($1) or partner_account_id = any($1))`,
        [personIds],
      );
      const ids = rows.map((row) => rowText(row, 'id'));
      forget(ids);
      if (ids.length > 0) await bus.publish(on, 'session', ids);
    },
    list: async (personId, currentId) => {
      const since = new Date(clock().getTime() - IDLE_MS).toISOString();
      const rows = await db.query(
        `select id, encode(token_hash, 'hex') = $3 as is_current, created_at, last_seen_at, address, user_agent
         from sys_session where revoked_at is null and stage = 'full'
           and (person_id = $1 or partner_account_id = $1) and last_seen_at > $2
         order by last_seen_at desc limit 50`,
        [personId, since, currentId],
      );
      return rows.map((row) => ({
        id: rowText(row, 'id'),
        is_current: row['is_current'] === true,
        created_at: rowText(row, 'created_at'),
        last_seen_at: rowText(row, 'last_seen_at'),
        address: rowText(row, 'address'),
        user_agent: rowText(row, 'user_agent'),
      }));
    },
    end: async (personId, listingId) => {
      const rows = await db.query(
        `update sys_session set revoked_at = $3 where id = $2 and revoked_at is null
         and (person_id = $1 or partner_account_id = $1) returning encode(token_hash, 'hex') as hash`,
        [personId, listingId, clock().toISOString()],
      );
      const ids = rows.map((row) => rowText(row, 'hash'));
      forget(ids);
      if (ids.length > 0) await bus.publish(db, 'session', ids);
      return ids.length > 0;
    },
  };
}

/** Tokens are stored and spoken of by their hash only. */
export function hashToken(token: string): string {
  return hash('sha256', token);
}

const FIND = `select person_id, partner_account_id, stage, co_code, role_code, sales_id, subject, created_at, last_seen_at,
    exists (select 1 from sys_password_due d where d.person_id = sys_session.person_id) as is_password_due
  from sys_session where token_hash = $1 and revoked_at is null`;

/** Sessions of others that might have gone on as one of them do so no more. */
const WITHOUT = `update sys_session set subject = jsonb_set(subject, '{candidates}', (
    select coalesce(jsonb_agg(c), '[]') from jsonb_array_elements(subject -> 'candidates') c where (c ->> 'id')::uuid <> all($1)))
  where revoked_at is null and not coalesce(coalesce(person_id, partner_account_id) = any($1), false)
    and exists (select from jsonb_array_elements(subject -> 'candidates') c where (c ->> 'id')::uuid = any($1))
  returning encode(token_hash, 'hex') as id`;

const INSERT = `insert into sys_session (token_hash, person_id, partner_account_id, stage, co_code, role_code, sales_id,
  subject, created_at, last_seen_at, address, user_agent) values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)`;

async function readSession(
  services: Surroundings,
  id: string,
  row: Row | undefined,
  now: Date,
): Promise<Cached> {
  const loadedMs = now.getTime();
  if (row === undefined) return { session: null, loadedMs, expiresMs: 0 };
  const expiresMs = Math.min(
    Date.parse(rowText(row, 'created_at')) + ABSOLUTE_MS,
    Date.parse(rowText(row, 'last_seen_at')) + IDLE_MS,
  );
  if (loadedMs >= expiresMs) return { session: null, loadedMs, expiresMs };
  const { candidates, roleCodes } = readExtras(row['subject']);
  const stage = row['stage'] === 'full' ? 'full' : 'pending';
  const subject = stage === 'full' ? await subjectOf(services, row, { roleCodes, now }) : null;
  if (stage === 'full' && subject === null) return { session: null, loadedMs, expiresMs };
  const session = {
    id,
    stage,
    candidates,
    subject,
    isPasswordDue: row['is_password_due'] === true,
    createdAt: rowText(row, 'created_at'),
  } as const;
  return { session, loadedMs, expiresMs };
}

function subjectOf(
  services: Surroundings,
  row: Row,
  extras: { readonly roleCodes: readonly string[]; readonly now: Date },
): Promise<Subject | null> {
  const accountId = row['partner_account_id'];
  return buildSubject(services, {
    candidate: {
      kind: typeof accountId === 'string' ? 'partner' : 'staff',
      id: String(accountId ?? row['person_id']),
      coCode: rowText(row, 'co_code'),
    },
    roleCode: rowText(row, 'role_code'),
    roleCodes: extras.roleCodes,
    salesId: rowTextOrNull(row, 'sales_id'),
    now: extras.now,
  });
}

function readExtras(value: unknown): { candidates: readonly Candidate[]; roleCodes: readonly string[] } {
  const extras = (typeof value === 'object' && value !== null ? value : {}) as {
    candidates?: readonly Candidate[];
    roleCodes?: readonly string[];
  };
  return { candidates: extras.candidates ?? [], roleCodes: extras.roleCodes ?? [] };
}
