import { createHash } from 'node:crypto';
import { Transform } from 'node:stream';

export interface Hashing {
  /** What flows through it is hashed and goes on as it is. */
  readonly through: Transform;
  /** Once everything has gone through. */
  readonly result: () => { readonly size: number; /** Hex. */ readonly sha256: string };
}

/** Counts and hashes what flows by. */
export function hashing(): Hashing {
  const hash = createHash('sha256');
  let size = 0;
  const through = new Transform({
    transform: (chunk: Buffer, _encoding, done) => {
      hash.update(chunk);
      size += chunk.length;
      done(null, chunk);
    },
  });
  return { through, result: () => ({ size, sha256: hash.digest('hex') }) };
}

/** SHA-256 of a stream, hex. */
export async function hashOf(content: AsyncIterable<Buffer>): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of content) hash.update(chunk);
  return hash.digest('hex');
}
