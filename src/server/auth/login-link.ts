import { createHash, randomBytes } from 'node:crypto';
import type { Queryable } from '#server/kernel/db/database.ts';
import { rowText } from '#server/kernel/db/row-text.ts';

/** How long a login link works. */
export const LOGIN_LINK_MINUTES = 5;

const PURPOSE = 'login_code';

/** Makes a single-use link for a partner account and gives the query of the login page; only the hash of its code is stored. */
export async function issueLoginLink(
  db: Queryable,
  account: { readonly id: string; readonly mobile: string; readonly at: Date },
): Promise<string> {
  const code = randomBytes(24).toString('base64url');
  const expires = new Date(account.at.getTime() + LOGIN_LINK_MINUTES * 60_000);
  await db.query(
    'insert into sys_ticket (token_hash, purpose, subject, expires_at) values ($1, $2, $3, $4)',
    [
      hashOf(code),
      PURPOSE,
      JSON.stringify({ account_id: account.id, mobile: account.mobile }),
      expires.toISOString(),
    ],
  );
  const id = Buffer.from(account.mobile).toString('base64url');
  return `id=${id}&code=${code}`;
}

/** The account that a code opens; null for a used, old or foreign one. Redeeming uses it up. */
export async function redeemLoginLink(
  db: Queryable,
  given: { readonly code: string; readonly mobile: string; readonly at: Date },
): Promise<string | null> {
  const [row] = await db.query(
    `update sys_ticket set used_at = $3 where token_hash = $1 and purpose = '${PURPOSE}' and subject->>'mobile' = $2
       and used_at is null and expires_at > $3 returning subject->>'account_id' as account_id`,
    [hashOf(given.code), given.mobile, given.at.toISOString()],
    'redeem_login_link',
  );
  return row === undefined ? null : rowText(row, 'account_id');
}

function hashOf(code: string): Buffer {
  return createHash('sha256').update(code).digest();
}
