import type { Readable } from 'node:stream';
import sharp, { type Sharp } from 'sharp';
import { AppError } from '../errors.ts';
import { MAX_FILE_BYTES } from './file-service.ts';

/** What a picture becomes before it is stored. */
export interface PreparedImage {
  readonly bytes: Buffer;
  /** Without a dot. */
  readonly extension: 'jpg' | 'png' | 'webp';
}

/** More is a decompression bomb; cameras have fewer. */
const MAX_PIXELS = 60_000_000;
const QUALITY = 88;
/** Decoded pictures are large: few at a time, the others wait. */
const MAX_AT_ONCE = 2;
const waiting: (() => void)[] = [];
let running = 0;

/**
 * Decodes a picture and writes it anew, upright and without what cameras and phones add (place, time, device, whatever
 * hides behind the picture). JPEG, PNG and WebP stay what they are; HEIF becomes JPEG where this machine's decoder
 * knows its coding. The same bytes always become the same bytes.
 * @throws IMAGE_UNREADABLE
 */
export async function prepareImage(bytes: Buffer): Promise<PreparedImage> {
  const extension = EXTENSIONS.find(([matches]) => matches(bytes))?.[1];
  if (extension === undefined) throw new AppError('IMAGE_UNREADABLE');
  await takeTurn();
  try {
    const picture = sharp(bytes, { limitInputPixels: MAX_PIXELS, failOn: 'error' }).rotate();
    const encoded = await encode(picture, extension);
    // A photograph as PNG may grow beyond what is stored.
    return encoded.length <= MAX_FILE_BYTES
      ? { bytes: encoded, extension }
      : { bytes: await encode(picture, 'webp'), extension: 'webp' };
  } catch (cause) {
    throw new AppError('IMAGE_UNREADABLE', { cause });
  } finally {
    endTurn();
  }
}

/** Longest side of a small picture, in pixels. */
const THUMBNAIL = 240;

/** A small JPEG of a stored image; null when it cannot be decoded. */
export async function makeThumbnail(content: Readable): Promise<Buffer | null> {
  const chunks: Buffer[] = [];
  for await (const chunk of content) chunks.push(Buffer.from(chunk as Uint8Array));
  await takeTurn();
  try {
    return await sharp(Buffer.concat(chunks), { limitInputPixels: MAX_PIXELS })
      .rotate()
      .resize(THUMBNAIL, THUMBNAIL, { fit: 'inside', withoutEnlargement: true })
      .flatten({ background: '#fff' })
      .jpeg({ quality: 70 })
      .toBuffer();
  } catch {
    return null;
  } finally {
    endTurn();
  }
}

function encode(picture: Sharp, extension: PreparedImage['extension']): Promise<Buffer> {
  if (extension === 'png') return picture.png().toBuffer();
  if (extension === 'webp') return picture.webp({ quality: QUALITY }).toBuffer();
  return picture.jpeg({ quality: QUALITY }).toBuffer();
}

/** By content, so that nothing else ever reaches the decoder: no SVG, PDF or TIFF. */
const EXTENSIONS: readonly (readonly [(bytes: Buffer) => boolean, PreparedImage['extension']])[] = [
  [(bytes) => bytes.toString('hex', 0, 3) === 'ffd8ff', 'jpg'],
  [(bytes) => bytes.toString('hex', 0, 8) === '89504e470d0a1a0a', 'png'],
  [
    (bytes) => bytes.toString('latin1', 0, 4) === 'RIFF' && bytes.toString('latin1', 8, 12) === 'WEBP',
    'webp',
  ],
  [(bytes) => /^ftyp(heic|heix|heim|mif1|msf1|avif)$/.test(bytes.toString('latin1', 4, 12)), 'jpg'],
];

async function takeTurn(): Promise<void> {
  if (running >= MAX_AT_ONCE) await new Promise<void>((resolve) => waiting.push(resolve));
  running += 1;
}

function endTurn(): void {
  running -= 1;
  waiting.shift()?.();
}
