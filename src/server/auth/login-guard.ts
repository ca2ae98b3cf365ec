import { v7 as uuid } from 'uuid';
import type { Database } from '../db/database.ts';
import { AppError } from '../errors.ts';
import type { Account } from './account.ts';
import type { SessionOrigin } from './session-store.ts';

export type LoginMethod = 'staff' | 'mobile' | 'partner' | 'silent' | 'code';

/** One try at signing in, as it is logged. */
export interface LoginAttempt {
  readonly method: LoginMethod;
  /** What was typed as the account, in lower case. */
  readonly account: string;
  readonly origin: SessionOrigin;
  readonly at: Date;
}

const ACCOUNT_LIMIT = { failures: 5, minutes: 15 } as const;
const ADDRESS_LIMIT = { failures: 100, minutes: 10 } as const;
/** Asking whether a number is a customer's is open to anybody, so it is rare. */
const UNKNOWN_CUSTOMER_LIMIT = { failures: 5, minutes: 60 } as const;

/**
 * Refuses an attempt while its account from that address, or the whole address, is locked. Refused forms and locked
 * attempts are not logged, so they prolong nothing.
 */
export async function refuseLocked(db: Database, attempt: LoginAttempt): Promise<void> {
  const { account, origin, at } = attempt;
  const rows = await db.query(
    `select
       (select count(*) from sys_login_log where personid = $1 and address = $2 and not ok and at > $3
          and at > coalesce((select max(at) from sys_login_log where personid = $1 and address = $2 and ok), '-infinity'))::int as account,
       (select count(*) from sys_login_log where address = $2 and not ok and at > $4)::int as address`,
    [account, origin.address, before(at, ACCOUNT_LIMIT.minutes), before(at, ADDRESS_LIMIT.minutes)],
    'login_failures',
  );
  if (Number(rows[0]?.['address']) >= ADDRESS_LIMIT.failures)
    throw new AppError('ADDRESS_LOCKED', { retryAfterS: ADDRESS_LIMIT.minutes * 60 });
  if (Number(rows[0]?.['account']) >= ACCOUNT_LIMIT.failures)
    throw new AppError('LOGIN_LOCKED', { retryAfterS: ACCOUNT_LIMIT.minutes * 60 });
}

/** Logs a failure and gives the refusal that every failed login answers. */
export async function failLogin(db: Database, attempt: LoginAttempt, reason: string): Promise<AppError> {
  await logAttempt(db, attempt, { ok: false, reason, account: null });
  return new AppError('LOGIN_FAILED');
}

/** An unknown customer is told so, a few times an hour; after that like any other failure. */
export async function refuseUnknownCustomer(db: Database, attempt: LoginAttempt): Promise<AppError> {
  const rows = await db.query(
    `select count(*)::int as told from sys_login_log where address = $1 and reason = 'unknown customer' and at > $2`,
    [attempt.origin.address, before(attempt.at, UNKNOWN_CUSTOMER_LIMIT.minutes)],
  );
  if (Number(rows[0]?.['told']) >= UNKNOWN_CUSTOMER_LIMIT.failures)
    return new AppError('RATE_LIMITED', { retryAfterS: UNKNOWN_CUSTOMER_LIMIT.minutes * 60 });
  await logAttempt(db, attempt, { ok: false, reason: 'unknown customer', account: null });
  return new AppError('CUSTOMER_NOT_REGISTERED');
}

/** Logs a success; it forgives the failures before it. */
export function logSuccess(db: Database, attempt: LoginAttempt, account: Account | null): Promise<void> {
  return logAttempt(db, attempt, { ok: true, reason: null, account });
}

async function logAttempt(
  db: Database,
  attempt: LoginAttempt,
  outcome: { readonly ok: boolean; readonly reason: string | null; readonly account: Account | null },
): Promise<void> {
  await db.execute(
    `insert into sys_login_log (id, at, personid, person_id, co_code, method, ok, reason, address, user_agent)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
    [
      uuid(),
      attempt.at.toISOString(),
      attempt.account,
      outcome.account?.id ?? null,
      outcome.account?.coCode ?? null,
      attempt.method,
      outcome.ok,
      outcome.reason,
      attempt.origin.address,
      attempt.origin.userAgent.slice(0, 300),
    ],
    'login_log',
  );
}

function before(at: Date, minutes: number): string {
  return new Date(at.getTime() - minutes * 60_000).toISOString();
}
