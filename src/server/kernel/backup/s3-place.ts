import { setTimeout as delay } from 'node:timers/promises';
import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import type { S3Config } from '#server/kernel/outside-config.ts';
import { createS3Client, type S3Call, type S3Client } from '#server/kernel/object-store/s3-client.ts';
import { StartRefusal } from '#server/kernel/start-refusal.ts';
import type { BackupPlace } from './backup-place.ts';
import { inPieces } from './pieces.ts';

/** Of an upload in parts: 10,000 of them make the largest file, 156 GiB. */
const PART_BYTES = 16 * 1024 * 1024;
const PART_TIMEOUT_MS = 300_000;
const ATTEMPTS = 3;
const AGAIN_MS = 1_000;

/** Objects whose keys begin with `prefix`. What is larger than a part goes up in parts, so that memory holds two of them. */
export function createS3Place(config: S3Config, prefix: string): BackupPlace {
  const name = `${config.url}/${config.bucket}/${prefix}`;
  const store = reachStore(createS3Client(config), name);
  const keyOf = (path: string): string => `${prefix}/${path}`;
  return {
    name,
    isEmpty: async () => {
      const query = { 'list-type': '2', 'max-keys': '1', prefix: `${prefix}/` };
      const found = await store({ method: 'GET', key: '', query });
      return !(await found.text()).includes('<Contents>');
    },
    read: async (path) => {
      const found = await store({ method: 'GET', key: keyOf(path) }, [404]);
      if (found.status !== 404 && found.body !== null)
        return Readable.fromWeb(found.body as ReadableStream<Uint8Array>);
      await found.body?.cancel();
      return null;
    },
    write: (path, content) => upload(store, keyOf(path), content),
  };
}

/** Makes a call, again when the service or the way to it fails. @throws StartRefusal for what it refuses */
type Store = (call: S3Call, allowed?: readonly number[]) => Promise<Response>;

function reachStore(client: S3Client, name: string): Store {
  return async (call, allowed = []) => {
    for (let attempt = 1; ; attempt += 1) {
      const outcome = await client.send(call).catch((error: unknown) => ({ error }));
      const isAnswer = outcome instanceof Response;
      if (isAnswer && (outcome.ok || allowed.includes(outcome.status))) return outcome;
      const reason = isAnswer ? `${outcome.status} ${errorCode(await outcome.text())}`.trim() : '无法连接';
      if (attempt === ATTEMPTS || (isAnswer && outcome.status < 500))
        throw new StartRefusal(
          `备份存储 ${name} 不可用（${call.method} ${reason}）：请检查 ERP_BACKUP_URL 与 ERP_S3_ACCESS_KEY、ERP_S3_SECRET_KEY。`,
          isAnswer ? undefined : outcome.error,
        );
      await delay(AGAIN_MS * attempt);
    }
  };
}

async function upload(store: Store, key: string, content: AsyncIterable<Buffer>): Promise<void> {
  let uploadId: string | null = null;
  const parts: string[] = [];
  try {
    for await (const { bytes, isLast } of inPieces(content, PART_BYTES)) {
      if (isLast && uploadId === null) {
        await store({ method: 'PUT', key, body: bytes, timeoutMs: PART_TIMEOUT_MS });
        return;
      }
      uploadId ??= await beginUpload(store, key);
      const query = { partNumber: String(parts.length + 1), uploadId };
      const done = await store({ method: 'PUT', key, query, body: bytes, timeoutMs: PART_TIMEOUT_MS });
      parts.push(done.headers.get('etag') ?? '');
    }
    if (uploadId !== null) await endUpload(store, key, { uploadId, parts });
  } catch (error) {
    // Parts that nobody puts together are paid for all the same.
    if (uploadId !== null)
      await store({ method: 'DELETE', key, query: { uploadId } }, [404]).catch(() => undefined);
    throw error;
  }
}

async function beginUpload(store: Store, key: string): Promise<string> {
  const answer = await (await store({ method: 'POST', key, query: { uploads: '' } })).text();
  const id = /<UploadId>([^<]+)<\/UploadId>/.exec(answer)?.[1];
  if (id === undefined) throw new StartRefusal('备份存储不接受分段上传：请改用目录或其他对象存储。');
  return id;
}

async function endUpload(
  store: Store,
  key: string,
  { uploadId, parts }: { readonly uploadId: string; readonly parts: readonly string[] },
): Promise<void> {
  const list = parts.map(
    (etag, index) => `<Part><PartNumber>${index + 1}</PartNumber><ETag>${etag}</ETag></Part>`,
  );
  const body = Buffer.from(`<CompleteMultipartUpload>${list.join('')}</CompleteMultipartUpload>`);
  const call = { method: 'POST', key, query: { uploadId }, body, timeoutMs: PART_TIMEOUT_MS } as const;
  const answer = await (await store(call)).text();
  // A failure may come with status 200 here.
  if (answer.includes('<Error>')) throw new StartRefusal(`备份存储未能合并 ${key}：${errorCode(answer)}`);
}

/** `AccessDenied`, `NoSuchBucket`: what an S3 service says of a refusal. */
function errorCode(answer: string): string {
  return /<Code>([^<]+)<\/Code>/.exec(answer)?.[1] ?? '';
}
