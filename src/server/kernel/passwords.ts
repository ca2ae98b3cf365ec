import { randomInt } from 'node:crypto';
import { hash, verify } from '@node-rs/argon2';

/** The argon2id hash that is stored. */
export function hashPassword(password: string): Promise<string> {
  return hash(password, OPTIONS);
}

const LETTERS = 'abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789';

/** A first password of ten letters and digits, none of which is taken for another. */
export function randomPassword(): string {
  return Array.from({ length: 10 }, () => LETTERS.charAt(randomInt(LETTERS.length))).join('');
}

/**
 * Whether a password fits a stored hash. Without a hash the same work is done and the answer is no, so that an unknown
 * user cannot be told from a wrong password by the clock.
 */
export async function verifyPassword(storedHash: string | null, password: string): Promise<boolean> {
  const against = storedHash ?? (await standInHash());
  const isRight = await verify(against, password).catch(() => false);
  return isRight && storedHash !== null;
}

// OWASP's second choice: 19 MiB, two passes; about 30 ms.
const OPTIONS = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;

let standIn: Promise<string> | null = null;

function standInHash(): Promise<string> {
  standIn ??= hashPassword('nobody has this password');
  return standIn;
}
