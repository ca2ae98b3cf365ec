import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import { ERRORS, type ErrorCode } from '#server/kernel/errors.ts';
import type { OidcProofs } from './identity-provider.ts';

/** What the browser keeps between its way to the provider and the login page. */
export type OidcCookie =
  /** Under way. */
  | { readonly kind: 'asked'; readonly proofs: OidcProofs; readonly back: string | null }
  /** Back, as the person of a ticket. */
  | { readonly kind: 'identified'; readonly ticket: string; readonly idToken: string | null }
  /** Logged in: what the provider is shown when its session is to end with the one here. */
  | { readonly kind: 'session'; readonly personId: string; readonly idToken: string | null }
  /** Back, and refused. */
  | { readonly kind: 'refused'; readonly error: ErrorCode };

/** As long as somebody takes to log in at the provider. */
export const OIDC_COOKIE_S = 600;
/** As long as a session lasts at most. */
export const OIDC_SESSION_S = 12 * 3_600;

const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const MAX_LENGTH = 4_096;

/** Seals the cookie for any process of this server: nobody makes one or reads it. `nowMs`: from then on it lives as long as its kind. */
export function sealOidcCookie(cookie: OidcCookie, secret: string, nowMs: number): string {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv('aes-256-gcm', keyOf(secret), nonce);
  const plain = JSON.stringify({ ...cookie, until: nowMs + lifeOf(cookie) * 1000 });
  return Buffer.concat([nonce, cipher.update(plain, 'utf8'), cipher.final(), cipher.getAuthTag()]).toString(
    'base64url',
  );
}

export function lifeOf({ kind }: OidcCookie): number {
  return kind === 'session' ? OIDC_SESSION_S : OIDC_COOKIE_S;
}

/** Null for whatever this server has not sealed, or too long ago. */
export function openOidcCookie(sealed: string, secret: string, nowMs: number): OidcCookie | null {
  const bytes = Buffer.from(sealed.slice(0, MAX_LENGTH), 'base64url');
  if (bytes.length <= NONCE_BYTES + TAG_BYTES) return null;
  const decipher = createDecipheriv('aes-256-gcm', keyOf(secret), bytes.subarray(0, NONCE_BYTES), {
    authTagLength: TAG_BYTES,
  });
  decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
  try {
    const plain = Buffer.concat([decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES)), decipher.final()]);
    // Made by `sealOidcCookie`, or it would not have opened.
    const { until, ...cookie } = JSON.parse(plain.toString('utf8')) as OidcCookie & {
      readonly until: number;
    };
    const isKnown = cookie.kind !== 'refused' || cookie.error in ERRORS;
    return nowMs < until && isKnown ? cookie : null;
  } catch {
    // Another secret, or no cookie of ours.
    return null;
  }
}

function keyOf(secret: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, '', 'erp oidc cookie', 32));
}
