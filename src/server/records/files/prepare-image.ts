import type { Readable } from 'node:stream';
import sharp, { type Sharp } from 'sharp';
import { AppError } from '#server/kernel/errors.ts';
import { MAX_FILE_BYTES } from '#engine/fields/file-rules.ts';

/** What a picture becomes before it is stored. */
export interface PreparedImage {
  readonly bytes: Buffer;
  /** Without a dot. */
  readonly extension: 'jpg' | 'png' | 'webp';
}

/** More is decoded small or not at all: a picture of this size takes half a gigabyte while it is turned. */
const MAX_PIXELS = 60_000_000;
/** Cameras of phones reach 200 million. */
const MAX_JPEG_PIXELS = 250_000_000;
/** Longest side of what was decoded small, in pixels. */
const REDUCED = 7_000;
const QUALITY = 88;
/** Decoded pictures are large: few at a time, the others wait. */
const MAX_AT_ONCE = 2;
const waiting: (() => void)[] = [];
let running = 0;

/**
 * Decodes a picture and writes it anew, upright and without what cameras and phones add (place, time, device, whatever
 * hides behind the picture). JPEG, PNG and WebP stay what they are; HEIF becomes JPEG where this machine's decoder
 * knows its coding. The same bytes always become the same bytes.
 * @throws IMAGE_UNREADABLE, IMAGE_HEIC, IMAGE_TOO_MANY_PIXELS
 */
export async function prepareImage(bytes: Buffer): Promise<PreparedImage> {
  const extension = EXTENSIONS.find(([matches]) => matches(bytes))?.[1];
  if (extension === undefined) throw new AppError('IMAGE_UNREADABLE');
  await takeTurn();
  try {
    const picture = await openPicture(bytes);
    const encoded = await encode(picture, extension);
    // A photograph as PNG may grow beyond what is stored.
    return encoded.length <= MAX_FILE_BYTES
      ? { bytes: encoded, extension }
      : { bytes: await encode(picture, 'webp'), extension: 'webp' };
  } catch (cause) {
    if (cause instanceof AppError) throw cause;
    throw new AppError(isHeic(bytes) ? 'IMAGE_HEIC' : 'IMAGE_UNREADABLE', { cause });
  } finally {
    endTurn();
  }
}

/** A plain JPEG of more pixels is reduced while it is decoded, which takes less memory than a small one as it is. */
async function openPicture(bytes: Buffer): Promise<Sharp> {
  const { width, height, format, isProgressive } = await sharp(bytes, { limitInputPixels: false }).metadata();
  const pixels = width * height;
  const most = format === 'jpeg' && !isProgressive ? MAX_JPEG_PIXELS : MAX_PIXELS;
  if (pixels > most)
    throw new AppError('IMAGE_TOO_MANY_PIXELS', {
      params: { pixels: Math.ceil(pixels / 10_000), max: most / 10_000 },
    });
  const picture = sharp(bytes, { limitInputPixels: most, failOn: 'error' }).rotate();
  return pixels <= MAX_PIXELS ? picture : picture.resize(REDUCED, REDUCED, { fit: 'inside' });
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
  [(bytes) => isHeic(bytes) || bytes.toString('latin1', 4, 12) === 'ftypavif', 'jpg'],
];

function isHeic(bytes: Buffer): boolean {
  return /^ftyp(heic|heix|heim|heis|hevc|mif1|msf1)$/.test(bytes.toString('latin1', 4, 12));
}

async function takeTurn(): Promise<void> {
  if (running >= MAX_AT_ONCE) await new Promise<void>((resolve) => waiting.push(resolve));
  running += 1;
}

function endTurn(): void {
  running -= 1;
  waiting.shift()?.();
}
