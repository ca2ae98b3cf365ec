import type { Queryable } from '#server/kernel/db/database.ts';
import { rowText, rowTextOrNull } from '#server/kernel/db/row-text.ts';
import type { ErrorCode } from '#server/kernel/errors.ts';
import type { OidcIdentity } from './identity-provider.ts';

/** The employee behind an identity, or why there is none. */
export type Identified = { readonly personId: string } | { readonly refusal: ErrorCode };

/** An employee that an identity may mean. */
export interface Likely {
  readonly personId: string;
  /** Employed and not disabled. */
  readonly isOpen: boolean;
  /** Its login name is the identity's user name. */
  readonly hasName: boolean;
  /** Its e-mail address is the identity's verified one. */
  readonly hasEmail: boolean;
  /** Its e-mail address is another one. */
  readonly hasOtherEmail: boolean;
}

/**
 * Whom an identity means: the employee it has been bound to, or at its first login the only one with its user name or
 * verified e-mail address, to whom it is bound from then on. Nobody is ever created.
 */
export async function identifyPerson(
  db: Queryable,
  identity: OidcIdentity,
  today: string,
): Promise<Identified> {
  const bound = await boundPerson(db, identity);
  if (bound !== null) return { personId: bound };
  const found = chooseLikely(await findLikely(db, identity, today));
  return 'refusal' in found ? found : bind(db, identity, found.personId);
}

/**
 * The one of several that is meant. A name and an address that point to different people mean nobody: users can change
 * either at some providers.
 */
export function chooseLikely(likely: readonly Likely[]): Identified {
  const named = likely.find(({ hasName }) => hasName);
  const addressed = likely.filter(({ hasEmail }) => hasEmail);
  if (named !== undefined) {
    if (named.hasOtherEmail || (addressed.length > 0 && !named.hasEmail))
      return { refusal: 'OIDC_AMBIGUOUS' };
    return named.isOpen ? { personId: named.personId } : { refusal: 'OIDC_ACCOUNT_CLOSED' };
  }
  const open = addressed.filter(({ isOpen }) => isOpen);
  if (open.length > 1) return { refusal: 'OIDC_AMBIGUOUS' };
  const [only] = open;
  if (only !== undefined) return { personId: only.personId };
  return { refusal: addressed.length > 0 ? 'OIDC_ACCOUNT_CLOSED' : 'OIDC_NO_ACCOUNT' };
}

async function boundPerson(db: Queryable, { issuer, subject }: OidcIdentity): Promise<string | null> {
  const [row] = await db.query(
    'select person_id from sys_oidc_binding where issuer = $1 and subject = $2',
    [issuer, subject],
    'oidc_bound',
  );
  return row === undefined ? null : rowText(row, 'person_id');
}

async function findLikely(
  db: Queryable,
  { username, email }: OidcIdentity,
  today: string,
): Promise<readonly Likely[]> {
  const rows = await db.query(
    `select p.id, nullif(trim(p.email), '') as email, lower(p.personid) = lower($1) as has_name,
       lower(trim(p.email)) = lower($2) as has_email,
       p.status = 'active' and (p.leave_date is null or p.leave_date > $3::date) as is_open
     from person p
     where not p.is_deleted and (lower(p.personid) = lower($1) or lower(trim(p.email)) = lower($2)) limit 50`,
    [username, email, today],
    'oidc_likely',
  );
  return rows.map((row) => ({
    personId: rowText(row, 'id'),
    isOpen: row['is_open'] === true,
    hasName: row['has_name'] === true,
    hasEmail: row['has_email'] === true,
    hasOtherEmail: email !== null && rowTextOrNull(row, 'email') !== null && row['has_email'] !== true,
  }));
}

/** Once for each of the two: who takes over a user name at the provider does not take over the account. */
async function bind(db: Queryable, { issuer, subject }: OidcIdentity, personId: string): Promise<Identified> {
  await db.execute(
    'insert into sys_oidc_binding (issuer, subject, person_id) values ($1, $2, $3) on conflict do nothing',
    [issuer, subject, personId],
  );
  const bound = await boundPerson(db, { issuer, subject, username: null, email: null });
  return bound === personId ? { personId } : { refusal: 'OIDC_BOUND' };
}
