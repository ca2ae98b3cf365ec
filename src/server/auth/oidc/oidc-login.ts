import { createHash, randomBytes } from 'node:crypto';
import { companyToday } from '#engine/values/dates.ts';
import type { Person } from '#contract/sign-in.ts';
import type { AppServices } from '#server/auth/app-services.ts';
import { failLogin, refuseLocked } from '#server/auth/login-guard.ts';
import type { SessionOrigin } from '#server/auth/session-store.ts';
import { attemptOf, signInIdentified } from '#server/auth/sign-in.ts';
import type { Queryable } from '#server/kernel/db/database.ts';
import { rowText } from '#server/kernel/db/row-text.ts';
import { AppError } from '#server/kernel/errors.ts';
import { identifyPerson } from './identified-person.ts';
import type { IdentityProvider } from './identity-provider.ts';
import type { OidcCookie } from './oidc-cookie.ts';

/** Long enough for the login page to come up. */
const TICKET_MS = 120_000;
const PURPOSE = 'oidc_login';

/** Begins a login at the provider; `back` is the address of this site to go on with. */
export async function beginOidcLogin(
  provider: IdentityProvider,
  { redirectUri, back }: { readonly redirectUri: string; readonly back: string | undefined },
): Promise<{ readonly url: string; readonly cookie: OidcCookie }> {
  const { url, proofs } = await provider.begin(redirectUri);
  return { url, cookie: { kind: 'asked', proofs, back: ownAddress(back) } };
}

/**
 * Who came back from the provider, as a ticket that the login page redeems once.
 * @throws OIDC_UNAVAILABLE, OIDC_REFUSED, OIDC_NO_ACCOUNT, OIDC_AMBIGUOUS, OIDC_ACCOUNT_CLOSED, OIDC_BOUND, LOGIN_LOCKED,
 *   ADDRESS_LOCKED
 */
export async function concludeOidcLogin(
  services: AppServices,
  provider: IdentityProvider,
  given: {
    readonly cameBackTo: URL;
    readonly asked: Extract<OidcCookie, { kind: 'asked' }>;
    readonly origin: SessionOrigin;
  },
): Promise<OidcCookie> {
  const { db, clock } = services;
  const identity = await provider.identify(given.cameBackTo, given.asked.proofs);
  // Failures of an identity count for itself: they lock no account that has a password.
  const attempt = attemptOf(services, 'oidc', `oidc:${identity.subject}`.slice(0, 100), given.origin);
  await refuseLocked(db, attempt);
  const found = await db.transaction((tx) => identifyPerson(tx, identity, companyToday(clock())));
  if ('refusal' in found) throw await failLogin(db, attempt, found.refusal.toLowerCase(), found.refusal);
  const ticket = await issueTicket(db, found.personId, clock());
  return { kind: 'identified', ticket, idToken: identity.idToken ?? null };
}

/** The login page asks for what came of it. @throws OIDC_EXPIRED, what refused the login, and what any login may */
export async function finishOidcLogin(
  services: AppServices,
  cookie: OidcCookie | null,
  origin: SessionOrigin,
): Promise<Person> {
  if (cookie?.kind === 'refused') throw new AppError(cookie.error);
  if (cookie?.kind !== 'identified') throw new AppError('OIDC_EXPIRED');
  const personId = await redeemTicket(services.db, cookie.ticket, services.clock());
  if (personId === null) throw new AppError('OIDC_EXPIRED');
  return signInIdentified(services, personId, origin);
}

/** An address below this site, or null: what a link may have put there leads nowhere else. */
export function ownAddress(back: string | undefined): string | null {
  return back !== undefined && back.length <= 500 && /^\/(?![/\\])[^\s\\]*$/.test(back) ? back : null;
}

async function issueTicket(db: Queryable, personId: string, at: Date): Promise<string> {
  const ticket = randomBytes(32).toString('base64url');
  const expires = new Date(at.getTime() + TICKET_MS).toISOString();
  await db.execute(
    'insert into sys_ticket (token_hash, purpose, subject, expires_at) values ($1, $2, $3, $4)',
    [hashOf(ticket), PURPOSE, JSON.stringify({ person_id: personId }), expires],
  );
  return ticket;
}

async function redeemTicket(db: Queryable, ticket: string, at: Date): Promise<string | null> {
  const [row] = await db.query(
    `update sys_ticket set used_at = $2 where token_hash = $1 and purpose = '${PURPOSE}' and used_at is null
       and expires_at > $2 returning subject->>'person_id' as person_id`,
    [hashOf(ticket), at.toISOString()],
    'redeem_oidc_ticket',
  );
  return row === undefined ? null : rowText(row, 'person_id');
}

function hashOf(ticket: string): Buffer {
  return createHash('sha256').update(ticket).digest();
}
