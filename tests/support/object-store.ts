import { createHash, createHmac } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

const [ACCESS, SECRET, REGION] = ['test-access', 'test-secret', 'cn-east-1'];

/** An object store on loopback that speaks enough of S3 and checks every signature. */
export interface ObjectStore {
  readonly url: string;
  /** What the environment says to reach it. */
  readonly env: Readonly<Record<string, string>>;
  /** By `bucket/key`. */
  readonly objects: Map<string, Buffer>;
  /** Uploads in parts that were neither put together nor given up. */
  readonly uploads: ReadonlyMap<string, readonly Buffer[]>;
  /** Largest body that came in one call. */
  readonly largestBody: () => number;
  /** Refuses what this says of (method, path and query), with status 403. */
  refuse: (call: string) => boolean;
  readonly stop: () => Promise<void>;
}

/** Starts one with nothing in it. */
export async function startObjectStore(): Promise<ObjectStore> {
  const objects = new Map<string, Buffer>();
  const uploads = new Map<string, Buffer[]>();
  let largest = 0;
  const server = createServer((request, response) => {
    void (async () => {
      const body = await buffer(request);
      largest = Math.max(largest, body.length);
      const { status, text, etag } = answer(request, body);
      if (etag !== undefined) response.setHeader('etag', etag);
      response.writeHead(status).end(text);
    })();
  });
  const answer = (request: IncomingMessage, body: Buffer): Answer => {
    const url = new URL(request.url ?? '/', `http://${request.headers.host ?? ''}`);
    if (!isSigned(request, url, body))
      return { status: 403, text: '<Error><Code>SignatureDoesNotMatch</Code></Error>' };
    if (store.refuse(`${request.method} ${request.url}`))
      return { status: 403, text: '<Error><Code>AccessDenied</Code></Error>' };
    return serve({ objects, uploads }, { method: request.method ?? '', url, body });
  };
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const store: ObjectStore = {
    url,
    env: { ERP_S3_REGION: REGION, ERP_S3_ACCESS_KEY: ACCESS, ERP_S3_SECRET_KEY: SECRET },
    objects,
    uploads,
    largestBody: () => largest,
    refuse: () => false,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return store;
}

interface Answer {
  readonly status: number;
  readonly text?: string | Buffer;
  readonly etag?: string;
}

function serve(
  { objects, uploads }: { readonly objects: Map<string, Buffer>; readonly uploads: Map<string, Buffer[]> },
  { method, url, body }: { readonly method: string; readonly url: URL; readonly body: Buffer },
): Answer {
  const key = decodeURIComponent(url.pathname.slice(1));
  const query = url.searchParams;
  const id = query.get('uploadId');
  const parts = id === null ? undefined : uploads.get(id);
  if (method === 'GET' && query.get('list-type') === '2') {
    const start = `${key}${query.get('prefix') ?? ''}`;
    const found = [...objects.keys()].filter((name) => name.startsWith(start));
    return {
      status: 200,
      text: `<R>${found.map((name) => `<Contents><Key>${name}</Key></Contents>`).join('')}</R>`,
    };
  }
  if (method === 'POST' && query.has('uploads')) {
    uploads.set(key, []);
    return { status: 200, text: `<R><UploadId>${key}</UploadId></R>` };
  }
  if (id !== null) {
    if (parts === undefined) return { status: 404, text: '<Error><Code>NoSuchUpload</Code></Error>' };
    if (method === 'PUT') {
      parts[Number(query.get('partNumber')) - 1] = body;
      return { status: 200, etag: `"${createHash('md5').update(body).digest('hex')}"` };
    }
    if (method === 'POST') {
      const named = [...body.toString().matchAll(/<ETag>"(\w+)"<\/ETag>/g)].map((match) => match[1]);
      const held = parts.map((part) => createHash('md5').update(part).digest('hex'));
      if (named.join() !== held.join())
        return { status: 400, text: '<Error><Code>InvalidPart</Code></Error>' };
      objects.set(key, Buffer.concat(parts));
    }
    uploads.delete(id);
    return { status: 200, text: '' };
  }
  if (method === 'PUT') objects.set(key, body);
  if (method === 'DELETE') objects.delete(key);
  const found = objects.get(key);
  return found === undefined && method === 'GET'
    ? { status: 404, text: '<Error><Code>NoSuchKey</Code></Error>' }
    : { status: 200, text: method === 'GET' ? (found ?? '') : '' };
}

/** Signature Version 4, from what arrived on the wire. */
function isSigned(request: IncomingMessage, url: URL, body: Buffer): boolean {
  const { headers, method } = request;
  const given =
    /Credential=([^/]+)\/(\d{8})\/([^/]+)\/s3\/aws4_request, SignedHeaders=([^,]+), Signature=(\w+)/.exec(
      headers.authorization ?? '',
    );
  if (given === null) return false;
  const [, access = '', day = '', region = '', names = '', signature = ''] = given;
  const hash = createHash('sha256').update(body).digest('hex');
  if (access !== ACCESS || region !== REGION || headers['x-amz-content-sha256'] !== hash) return false;
  const escaped = (text: string): string =>
    encodeURIComponent(text).replace(
      /[!'()*]/g,
      (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`,
    );
  const query = [...url.searchParams].map(([name, value]) => `${escaped(name)}=${escaped(value)}`).sort();
  const lines = names.split(';').map((name) => `${name}:${String(headers[name])}\n`);
  const canonical = [method, url.pathname, query.join('&'), lines.join(''), names, hash].join('\n');
  const scope = `${day}/${REGION}/s3/aws4_request`;
  const text = [
    'AWS4-HMAC-SHA256',
    headers['x-amz-date'],
    scope,
    createHash('sha256').update(canonical).digest('hex'),
  ];
  let key = Buffer.from(`AWS4${SECRET}`);
  for (const part of [day, REGION, 's3', 'aws4_request'])
    key = createHmac('sha256', key).update(part).digest();
  return createHmac('sha256', key).update(text.join('\n')).digest('hex') === signature;
}
