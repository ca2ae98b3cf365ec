import { createHash, createHmac } from 'node:crypto';
import type { S3Config } from '#server/kernel/outside-config.ts';

/** An S3-compatible object store, spoken to with signed requests (Signature Version 4, path style). */
export interface S3Client {
  /** Makes one call; whatever the service answers is the answer. @throws what `fetch` throws */
  readonly send: (call: S3Call) => Promise<Response>;
}

export interface S3Call {
  readonly method: 'GET' | 'PUT' | 'POST' | 'DELETE';
  /** Empty: the bucket itself. */
  readonly key: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: Buffer;
  /** How long nothing may come: until the answer begins, and between its bytes. Default half a minute. */
  readonly timeoutMs?: number;
}

const TIMEOUT_MS = 30_000;
/** What a body goes up with at least; nothing tells how far it is. */
const SLOWEST_BYTES_PER_MS = 64;

/** Speaks to the bucket of a configuration. */
export function createS3Client(config: S3Config): S3Client {
  return {
    send: async ({ method, key, query = {}, body, timeoutMs = TIMEOUT_MS }) => {
      const path = key.split('/').map(encode).join('/');
      const url = new URL(`${config.url}/${config.bucket}/${path}${queryText(query)}`);
      const headers = sign(config, { method, url, body: body ?? Buffer.alloc(0), at: new Date() });
      const silence = new AbortController();
      const sendingMs = Math.ceil((body?.length ?? 0) / SLOWEST_BYTES_PER_MS);
      const response = await within(timeoutMs + sendingMs, silence, () =>
        fetch(url, {
          method,
          headers,
          signal: silence.signal,
          ...(body === undefined ? {} : { body: new Uint8Array(body) }),
        }),
      );
      if (response.body === null) return response;
      const { status, statusText, headers: told } = response;
      return new Response(endingSilence(response.body, timeoutMs, silence), {
        status,
        statusText,
        headers: told,
      });
    },
  };
}

/** The bytes as they come and are wanted: a slow reader is no silence. */
function endingSilence(
  body: NonNullable<Response['body']>,
  timeoutMs: number,
  silence: AbortController,
): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  return new ReadableStream<Uint8Array>(
    {
      pull: async (controller) => {
        const { done, value } = await within(timeoutMs, silence, () => reader.read());
        if (done) controller.close();
        else controller.enqueue(value);
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  );
}

async function within<T>(timeoutMs: number, silence: AbortController, work: () => Promise<T>): Promise<T> {
  const timer = setTimeout(() => silence.abort(new DOMException('nothing came', 'TimeoutError')), timeoutMs);
  try {
    return await work();
  } finally {
    clearTimeout(timer);
  }
}

interface Request {
  readonly method: string;
  readonly url: URL;
  readonly body: Buffer;
  readonly at: Date;
}

/** The headers of a signed request (AWS General Reference, Signature Version 4). */
function sign(config: S3Config, request: Request): Record<string, string> {
  const stamp = request.at.toISOString().replace(/[-:]|\.\d{3}/g, '');
  const day = stamp.slice(0, 8);
  const bodyHash = sha256(request.body);
  const headers = { host: request.url.host, 'x-amz-content-sha256': bodyHash, 'x-amz-date': stamp };
  const names = Object.keys(headers).sort().join(';');
  const canonical = [
    request.method,
    request.url.pathname,
    request.url.search.slice(1),
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

/** In the order in which it is signed. */
function queryText(query: Readonly<Record<string, string>>): string {
  const pairs = Object.entries(query).map(([name, value]) => `${encode(name)}=${encode(value)}`);
  return pairs.length === 0 ? '' : `?${pairs.sort().join('&')}`;
}

/** Signatures are made over names in which all but letters, digits and `-._~` is escaped. */
function encode(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

function hmac(key: Buffer, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest();
}

function sha256(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex');
}
