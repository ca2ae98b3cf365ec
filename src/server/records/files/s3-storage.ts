import { readFile } from 'node:fs/promises';
import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import type { S3Config } from '#server/kernel/outside-config.ts';
import { AppError } from '#server/kernel/errors.ts';
import { createS3Client, type S3Call } from '#server/kernel/object-store/s3-client.ts';
import type { FileStorage } from './file-storage.ts';

/** Files in an S3-compatible object store. */
export function createS3Storage(config: S3Config): FileStorage {
  const client = createS3Client(config);
  const send = async (method: S3Call['method'], key: string, body?: Buffer): Promise<Response> => {
    try {
      return await client.send({ method, key, ...(body === undefined ? {} : { body }) });
    } catch (cause) {
      throw new AppError('FILE_UNAVAILABLE', { cause });
    }
  };
  const write: FileStorage['write'] = async (key, bytes) => {
    const response = await send('PUT', key, bytes);
    if (!response.ok) throw new AppError('FILE_UNAVAILABLE', { cause: response.status });
  };
  return {
    write,
    // The signature needs the hash of the whole content.
    keep: async (key, path, type) => write(key, await readFile(path), type),
    read: async (key) => {
      const response = await send('GET', key);
      if (response.status === 404) return null;
      if (!response.ok || response.body === null)
        throw new AppError('FILE_UNAVAILABLE', { cause: response.status });
      return Readable.fromWeb(response.body as ReadableStream<Uint8Array>);
    },
    remove: async (key) => {
      const response = await send('DELETE', key);
      if (!response.ok && response.status !== 404)
        throw new AppError('FILE_UNAVAILABLE', { cause: response.status });
    },
    // An object is there whole or not at all.
    removeDrafts: async () => undefined,
  };
}
