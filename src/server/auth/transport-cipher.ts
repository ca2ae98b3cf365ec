import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';

const IV_BYTES = 16;
/** Base64 of the longest password (30 characters of four bytes) and its IV; anything longer is no envelope. */
const MAX_ENVELOPE = 1_024;

/**
 * Opens Base64(IV, AES-CBC PKCS7 ciphertext), as the browser sends passwords and ids (spec section 7). Null for whatever
 * is not exactly that: callers answer every fault alike.
 */
export function openEnvelope(envelope: string, key: string): string | null {
  if (envelope.length > MAX_ENVELOPE || !/^[A-Za-z0-9+/]+={0,2}$/.test(envelope)) return null;
  const bytes = Buffer.from(envelope, 'base64');
  if (bytes.length < IV_BYTES * 2 || bytes.length % IV_BYTES !== 0) return null;
  try {
    const decipher = createDecipheriv(
      algorithmFor(key),
      Buffer.from(key, 'utf8'),
      bytes.subarray(0, IV_BYTES),
    );
    const plain = Buffer.concat([decipher.update(bytes.subarray(IV_BYTES)), decipher.final()]);
    return new TextDecoder('utf-8', { fatal: true }).decode(plain);
  } catch {
    // Wrong padding, wrong key, no UTF-8: all the same to the caller.
    return null;
  }
}

/** Makes such an envelope: for tests and for the demo's own calls. */
export function sealEnvelope(text: string, key: string): string {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv(algorithmFor(key), Buffer.from(key, 'utf8'), iv);
  return Buffer.concat([iv, cipher.update(text, 'utf8'), cipher.final()]).toString('base64');
}

/** What a build tells of its key, so that a server with another one refuses to start: a hash, never the key. */
export function keyFingerprint(key: string): string {
  return createHash('sha256').update(`erp transport key ${key}`).digest('hex').slice(0, 16);
}

function algorithmFor(key: string): string {
  return `aes-${Buffer.byteLength(key, 'utf8') * 8}-cbc`;
}
