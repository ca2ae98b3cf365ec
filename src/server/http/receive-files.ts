import { createHash } from 'node:crypto';
import type { MultipartFile } from '@fastify/multipart';
import type { FastifyRequest } from 'fastify';
import { AppError } from '#server/kernel/errors.ts';
import { MAX_FILE_BYTES } from '#engine/fields/file-rules.ts';

/** Files of one request. */
const MAX_FILES = 10;
/** Boundaries, headers and small fields around the files of one request. */
const OVERHEAD_BYTES = 1024 * 1024;

/** What the parser of multipart bodies takes; beyond it a request is refused. */
export const MULTIPART_LIMITS = {
  fileSize: MAX_FILE_BYTES,
  files: MAX_FILES,
  fields: 20,
  fieldSize: 10_000,
  fieldNameSize: 100,
  parts: MAX_FILES + 20,
  headerPairs: 20,
} as const;

export interface Upload {
  readonly bytes: Buffer;
  readonly name: string;
  readonly imagesOnly: boolean;
}

/** Refuses a request that says it is larger than all its files may be, before any of it is read. */
export function refuseHuge(code: 'FILE_TOO_LARGE' | 'IMAGE_TOO_LARGE') {
  return async (request: FastifyRequest): Promise<void> => {
    const length = Number(request.headers['content-length'] ?? 0);
    if (length > MAX_FILES * MAX_FILE_BYTES + OVERHEAD_BYTES) throw new AppError(code);
  };
}

/** The first file of a multipart request; what follows it is not read. @throws FILE_MISSING, FILE_TOO_LARGE */
export async function receiveFirst(request: FastifyRequest): Promise<Upload> {
  const uploads: Upload[] = [];
  const keep = async (upload: Upload): Promise<void> => void uploads.push(upload);
  await eachFile(request, { imagesOnly: false, most: 1 }, keep);
  const [first] = uploads;
  if (first === undefined) throw new AppError('FILE_MISSING');
  return first;
}

const KEYED_TOO_LARGE = '带 Idempotency-Key 的上传合计不能超过20M，请分次上传';
const received = new WeakMap<FastifyRequest, readonly Upload[]>();

/**
 * Receives the files of a request before its handler, which takes them from here, and gives a hash of their names and
 * contents: the boundaries between them are others whenever they are sent again. All are held until then, so together
 * they may be as large as one.
 * @throws FILE_MISSING, FILE_TOO_LARGE
 */
export async function hashFiles(request: FastifyRequest): Promise<string> {
  const uploads: Upload[] = [];
  let size = 0;
  await eachFile(request, { imagesOnly: false }, async (upload) => {
    size += upload.bytes.length;
    if (size > MAX_FILE_BYTES) throw new AppError('FILE_TOO_LARGE', { message: KEYED_TOO_LARGE });
    uploads.push(upload);
  });
  received.set(request, uploads);
  const hash = createHash('sha256');
  for (const { name, bytes } of uploads) hash.update(`${name}\n${bytes.length}\n`).update(bytes);
  return hash.digest('hex');
}

/**
 * The files of a multipart request, whole, one after the other, so that only one is held at a time; after `most` of them
 * no more is read.
 * @throws FILE_MISSING, FILE_TOO_LARGE, IMAGE_TOO_LARGE
 */
export async function eachFile(
  request: FastifyRequest,
  { imagesOnly, most = Infinity }: { readonly imagesOnly: boolean; readonly most?: number },
  work: (upload: Upload) => Promise<void>,
): Promise<void> {
  if (!request.isMultipart()) throw new AppError('UNSUPPORTED_MEDIA_TYPE');
  const before = received.get(request);
  if (before !== undefined) {
    for (const upload of before.slice(0, most)) await work({ ...upload, imagesOnly });
    return;
  }
  const parts = request.files()[Symbol.asyncIterator]();
  let count = 0;
  try {
    for (;;) {
      const part = await parts.next().catch(refuseBroken);
      if (part.done === true) break;
      count += 1;
      const bytes = await readWhole(part.value, imagesOnly).catch(refuseBroken);
      await work({ bytes, name: part.value.filename, imagesOnly });
      if (count < most) continue;
      letRunOut(request);
      break;
    }
  } catch (error) {
    letRunOut(request);
    throw error;
  }
  if (count === 0) throw new AppError('FILE_MISSING');
}

/** The answer goes out now; what the sender is still sending is let run out, or it would never read the answer. */
function letRunOut({ raw }: FastifyRequest): void {
  raw.unpipe();
  raw.resume();
}

/** A body that ends too early or is no multipart is the sender's fault, whatever the parser says. */
function refuseBroken(error: unknown): never {
  const isNamed =
    error instanceof AppError || (error instanceof Error && 'code' in error && error.code !== undefined);
  throw isNamed ? error : new AppError('UPLOAD_BROKEN', { cause: error });
}

/** The bytes of a file; a too large one is refused at its first byte too many, whatever is still to come. */
async function readWhole({ file }: MultipartFile, imagesOnly: boolean): Promise<Buffer> {
  const tooLarge = new AppError(imagesOnly ? 'IMAGE_TOO_LARGE' : 'FILE_TOO_LARGE');
  file.once('limit', () => file.destroy(tooLarge));
  const chunks: Buffer[] = [];
  for await (const chunk of file) {
    chunks.push(Buffer.from(chunk));
    if (file.truncated) break;
  }
  if (file.truncated) throw tooLarge;
  return Buffer.concat(chunks);
}
