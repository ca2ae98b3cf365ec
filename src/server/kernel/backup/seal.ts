import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  hkdf,
  randomBytes,
  scrypt,
  timingSafeEqual,
} from 'node:crypto';
import { promisify } from 'node:util';
import { inPieces, type Piece } from './pieces.ts';

/** What stands in front of a sealed file: mark, salt of the key, salt of the file, what tells a wrong key. */
const MARK = Buffer.from('ERPBAK1\n');
const SALT_BYTES = 16;
const CHECK_BYTES = 16;
const HEADER_BYTES = MARK.length + SALT_BYTES + SALT_BYTES + CHECK_BYTES;
const CHUNK_BYTES = 65_536;
const TAG_BYTES = 16;
/** 32 MiB of memory a guess. */
const COST = { N: 2 ** 15, r: 8, p: 1, maxmem: 64 * 1024 * 1024 } as const;

/** Why a sealed file cannot be opened. */
export type SealFault = 'key' | 'damaged';

export class SealError extends Error {
  readonly fault: SealFault;
  constructor(fault: SealFault, cause?: unknown) {
    super(fault, { cause });
    this.name = 'SealError';
    this.fault = fault;
  }
}

/** Seals and opens the files of a backup with its key. */
export interface Sealer {
  /** `path` is sealed in: one file cannot stand for another. */
  readonly seal: (path: string, source: AsyncIterable<Buffer>) => AsyncGenerator<Buffer>;
  /** Gives only bytes that are proved, in order and complete. @throws SealError */
  readonly open: (path: string, source: AsyncIterable<Buffer>) => AsyncGenerator<Buffer>;
}

/**
 * AES-256-GCM in chunks of 64 KiB. The passphrase becomes a key by scrypt, once a backup; each file has a key of its own
 * by HKDF. The nonce of a chunk is its number and whether it is the last: chunks that are missing, added or moved show.
 */
export function createSealer(passphrase: string): Sealer {
  const salt = randomBytes(SALT_BYTES);
  const keys = new Map<string, Promise<Buffer>>();
  const keyOf = (of: Buffer): Promise<Buffer> => {
    const name = of.toString('hex');
    const key = keys.get(name) ?? deriveKey(passphrase, of);
    keys.set(name, key);
    return key;
  };
  return {
    seal: async function* (path, source) {
      const key = await keyOf(salt);
      const fileSalt = randomBytes(SALT_BYTES);
      const header = Buffer.concat([MARK, salt, fileSalt, checkOf(key)]);
      const fileKey = await fileKeyOf(key, fileSalt, path);
      yield header;
      let number = 0n;
      for await (const piece of inPieces(source, CHUNK_BYTES)) {
        const cipher = createCipheriv('aes-256-gcm', fileKey, nonceOf(number, piece.isLast));
        cipher.setAAD(header);
        yield Buffer.concat([cipher.update(piece.bytes), cipher.final(), cipher.getAuthTag()]);
        number += 1n;
      }
    },
    open: async function* (path, source) {
      const { header, rest } = await takeHeader(source);
      const key = await keyOf(header.subarray(MARK.length, MARK.length + SALT_BYTES));
      const fileSalt = header.subarray(MARK.length + SALT_BYTES, HEADER_BYTES - CHECK_BYTES);
      if (!timingSafeEqual(header.subarray(-CHECK_BYTES), checkOf(key))) throw new SealError('key');
      const fileKey = await fileKeyOf(key, fileSalt, path);
      let number = 0n;
      for await (const piece of inPieces(rest, CHUNK_BYTES + TAG_BYTES)) {
        yield openPiece(piece, { fileKey, header, number });
        number += 1n;
      }
    },
  };
}

async function takeHeader(
  source: AsyncIterable<Buffer>,
): Promise<{ readonly header: Buffer; readonly rest: AsyncIterable<Buffer> }> {
  const chunks = source[Symbol.asyncIterator]();
  let begun = Buffer.alloc(0);
  while (begun.length < HEADER_BYTES) {
    const next = await chunks.next();
    if (next.done === true) throw new SealError('damaged');
    begun = Buffer.concat([begun, next.value]);
  }
  const header = begun.subarray(0, HEADER_BYTES);
  if (!header.subarray(0, MARK.length).equals(MARK)) throw new SealError('damaged');
  const rest = async function* (): AsyncGenerator<Buffer> {
    yield begun.subarray(HEADER_BYTES);
    for (let next = await chunks.next(); next.done !== true; next = await chunks.next()) yield next.value;
  };
  return { header, rest: rest() };
}

function openPiece(
  { bytes, isLast }: Piece,
  { fileKey, header, number }: { readonly fileKey: Buffer; readonly header: Buffer; readonly number: bigint },
): Buffer {
  if (bytes.length < TAG_BYTES) throw new SealError('damaged');
  const decipher = createDecipheriv('aes-256-gcm', fileKey, nonceOf(number, isLast), {
    authTagLength: TAG_BYTES,
  });
  decipher.setAAD(header);
  decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
  try {
    return Buffer.concat([decipher.update(bytes.subarray(0, -TAG_BYTES)), decipher.final()]);
  } catch (cause) {
    throw new SealError('damaged', cause);
  }
}

function deriveKey(passphrase: string, salt: Buffer): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    scrypt(passphrase.normalize('NFC'), salt, 32, COST, (error, key) =>
      error === null ? resolve(key) : reject(error),
    );
  });
}

async function fileKeyOf(key: Buffer, fileSalt: Buffer, path: string): Promise<Buffer> {
  return Buffer.from(await promisify(hkdf)('sha256', key, fileSalt, `erp backup file ${path}`, 32));
}

/** Tells a wrong key from a damaged file; it shows nothing of the key that guessing would not. */
function checkOf(key: Buffer): Buffer {
  return createHmac('sha256', key).update('erp backup key').digest().subarray(0, CHECK_BYTES);
}

function nonceOf(number: bigint, isLast: boolean): Buffer {
  const nonce = Buffer.alloc(12);
  nonce.writeBigUInt64BE(number, 3);
  nonce[11] = isLast ? 1 : 0;
  return nonce;
}
