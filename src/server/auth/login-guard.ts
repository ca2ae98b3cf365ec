import { lockName } from '#server/kernel/db/lock-name.ts';
import { v7 as uuid } from 'uuid';
import type { Database, Queryable, Tx } from '#server/kernel/db/database.ts';
import { AppError, type ErrorCode } from '#server/kernel/errors.ts';
import type { Account } from './account.ts';
import type { SessionOrigin } from './session-store.ts';

/** `own`: the password asked for once more inside a session. */
export type LoginMethod = 'staff' | 'mobile' | 'partner' | 'silent' | 'code' | 'oidc' | 'own';

/** One try at a password or what takes its place, as it is logged. */
export interface LoginAttempt {
  readonly method: LoginMethod;
  /** What was typed as the account, in lower case. */
  readonly account: string;
  readonly origin: SessionOrigin;
  readonly at: Date;
}

type LoggedAccount = Pick<Account, 'id' | 'coCode'>;

const ACCOUNT_LIMIT = { failures: 5, minutes: 15 } as const;
const ADDRESS_LIMIT = { failures: 100, minutes: 10 } as const;
/** Asking whether a number is a customer's is open to anybody, so it is rare. */
const UNKNOWN_CUSTOMER_LIMIT = { failures: 5, minutes: 60 } as const;

/**
 * Refuses an attempt while its account from that address, or the whole address, is locked. Refused forms and locked
 * attempts are not logged, so they prolong nothing.
 */
export async function refuseLocked(db: Queryable, attempt: LoginAttempt): Promise<void> {
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
    throw new AppError('LOGIN_LOCKED', {
      retryAfterS: ACCOUNT_LIMIT.minutes * 60,
      ...(attempt.method === 'own'
        ? { message: `密码错误次数过多，请${ACCOUNT_LIMIT.minutes}分钟后再试` }
        : {}),
    });
}

/** Logs a failure and gives the refusal that every failed login answers, or the one of a lock that others reached meanwhile. */
export async function failLogin(
  db: Database,
  attempt: LoginAttempt,
  reason: string,
  refusal: ErrorCode = 'LOGIN_FAILED',
): Promise<AppError> {
  await settle(db, attempt, (tx) => logAttempt(tx, attempt, { ok: false, reason, account: null }));
  return new AppError(refusal);
}

/** An unknown customer is told so a few times an hour; after that `failLikeOthers` does and answers what any other failure does. */
export async function refuseUnknownCustomer(
  db: Database,
  attempt: LoginAttempt,
  failLikeOthers: () => Promise<AppError>,
): Promise<AppError> {
  const isTold = await settle(db, attempt, async (tx) => {
    const rows = await tx.query(
      `select count(*)::int as told from sys_login_log where address = $1 and reason = 'unknown customer' and at > $2`,
      [attempt.origin.address, before(attempt.at, UNKNOWN_CUSTOMER_LIMIT.minutes)],
    );
    if (Number(rows[0]?.['told']) >= UNKNOWN_CUSTOMER_LIMIT.failures) return false;
    await logAttempt(tx, attempt, { ok: false, reason: 'unknown customer', account: null });
    return true;
  });
  return isTold ? new AppError('CUSTOMER_NOT_REGISTERED') : failLikeOthers();
}

/** Logs a success, which forgives the failures before it. @throws LOGIN_LOCKED, ADDRESS_LOCKED when others reached the limit meanwhile */
export function logSuccess(
  db: Database,
  attempt: LoginAttempt,
  account: LoggedAccount | null,
): Promise<void> {
  return settle(db, attempt, (tx) => logAttempt(tx, attempt, { ok: true, reason: null, account }));
}

/** Forgives the failures of what is typed as an account from that address: its phone has proved more than a password does. */
export async function forgiveFailures(tx: Tx, attempt: LoginAttempt, account: LoggedAccount): Promise<void> {
  await logAttempt(tx, attempt, { ok: true, reason: 'new password', account });
}

/**
 * Ends an attempt: those from one address one after the other, each looking at the limits once more. So of fifty tries
 * sent at once no more than the limit learn whether they were right.
 */
function settle<T>(db: Database, attempt: LoginAttempt, end: (tx: Tx) => Promise<T>): Promise<T> {
  return db.transaction(async (tx) => {
    await lockName(tx, `login ${attempt.origin.address}`);
    await refuseLocked(tx, attempt);
    return end(tx);
  });
}

async function logAttempt(
  db: Queryable,
  attempt: LoginAttempt,
  outcome: { readonly ok: boolean; readonly reason: string | null; readonly account: LoggedAccount | null },
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
