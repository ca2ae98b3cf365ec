import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { createSealer } from '#server/kernel/backup/seal.ts';

const KEY = '备份密钥 correct horse';

describe('a sealed file', () => {
  const sealer = createSealer(KEY);
  const roundTrip = async (bytes: Buffer): Promise<Buffer> => {
    const sealed = await buffer(sealer.seal('a', Readable.from([bytes])));
    return buffer(createSealer(KEY).open('a', Readable.from([sealed])));
  };

  it.each([0, 1, 65_535, 65_536, 65_537, 131_072, 200_000])('of %i bytes comes back', async (size) => {
    const bytes = randomBytes(size);
    expect((await roundTrip(bytes)).equals(bytes)).toBe(true);
  });

  it('is never the same twice', async () => {
    const seal = (): Promise<Buffer> => buffer(sealer.seal('a', Readable.from([Buffer.from('x')])));
    expect((await seal()).equals(await seal())).toBe(false);
  });
});
