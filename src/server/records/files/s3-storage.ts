import { createHash, createHmac } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import type { S3Config } from '#server/kernel/config.ts';
import { AppError } from '#server/kernel/errors.ts';
import type { FileStorage } from './file-storage.ts';

/** An S3-compatible object store, spoken to with signed requests (Signature Version 4, path style). */
export function createS3Storage(config: S3Config): FileStorage {
  const send = async (method: 'GET' | 'PUT' | 'DELETE', key: string, body?: Buffer): Promise<Response> => {
    const url = new URL(`${config.url}/${config.bucket}/${key}`);
    const headers = sign(config, { method, url, body: body ?? Buffer.alloc(0), at: new Date() });
    try {
      return await fetch(url, {
        method,
        headers,
        signal: AbortSignal.timeout(30_000),
        ...(body === undefined ? {} : { body: new Uint8Array(body) }),
      });
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

interface Request {
  readonly method: string;
  readonly url: URL;
  readonly body: Buffer;
  readonly at: Date;
}

/** The headers of a signed request (AWS General Reference, Signature Version 4). */
export function sign(config: S3Config, request: Request): Record<string, string> {
  const stamp = request.at.toISOString().replace(/[-:]|\.\d{3}/g, '');
  const day = stamp.slice(0, 8);
  const bodyHash = sha256(request.body);
  const headers = { host: request.url.host, 'x-amz-content-sha256': bodyHash, 'x-amz-date': stamp };
  const names = Object.keys(headers).sort().join(';');
  const canonical = [
    request.method,
    request.url.pathname,
    '',
    ...Object.entries(headers).map(([name, value]) => `${name}:${value}`),
    '',
    names,
    bodyHash,
  ].join('\n');
  const scope = `${day}/${config.region}/s3/aws4_request`;
  const text = ['AWS4-HMAC-SHA256', stamp, scope, sha256(Buffer.from(canonical))].join('\n');
  const key = [day, config.region, 's3', 'aws4_request'].reduce<Buffer>(
    (secret, part) => hmac(secret, part),
    Buffer.from(`AWS4${config.secretKey}`),
  );
  const signature = hmac(key, text).toString('hex');
  return {
    'x-amz-content-sha256': bodyHash,
    'x-amz-date': stamp,
    authorization: `AWS4-HMAC-SHA256 Credential=${config.accessKey}/${scope}, SignedHeaders=${names}, Signature=${signature}`,
  };
}

function hmac(key: Buffer, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest();
}

function sha256(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex');
}
