import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createS3Client, type S3Client } from '#server/kernel/object-store/s3-client.ts';

/** More than what the sockets between hold. */
const LARGE = 24 * 1024 * 1024;
const LIMIT_MS = 400;

let server: Server;
let client: S3Client;
let answer: (request: IncomingMessage, response: ServerResponse) => void = () => undefined;

beforeAll(async () => {
  server = createServer((request, response) => answer(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  client = createS3Client({ url, bucket: 'b', region: 'r', accessKey: 'a', secretKey: 's' });
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

it('gives a file whole to who takes it slowly', async () => {
  answer = (_request, response) => {
    response.writeHead(200, { 'content-length': LARGE });
    response.end(Buffer.alloc(LARGE, 1));
  };
  const { body } = await client.send({ method: 'GET', key: 'aa/x', timeoutMs: LIMIT_MS });
  let size = 0;
  for await (const chunk of body ?? []) {
    // Past the limit before the rest of it has left the server.
    if (size === 0) await delay(LIMIT_MS * 3);
    size += chunk.length;
  }
  expect(size).toBe(LARGE);
});

it('ends a file whose bytes stop coming', async () => {
  answer = (_request, response) => {
    response.writeHead(200, { 'content-length': LARGE });
    response.write(Buffer.alloc(1024, 1));
  };
  const { body } = await client.send({ method: 'GET', key: 'aa/x', timeoutMs: LIMIT_MS });
  const reading = (async () => {
    for await (const _chunk of body ?? []);
  })();
  await expect(reading).rejects.toHaveProperty('name', 'TimeoutError');
});

it.each([
  { what: 'nothing', bytes: 0, outcome: 'TimeoutError' },
  { what: 'a large file', bytes: LARGE, outcome: 200 },
])('waits for the answer to $what as long as the bytes may take', async ({ bytes, outcome }) => {
  answer = (request, response) => {
    request.resume();
    request.on('end', () => setTimeout(() => response.end(), LIMIT_MS * 3));
  };
  const sent = client.send({
    method: 'PUT',
    key: 'aa/x',
    body: Buffer.alloc(bytes, 1),
    timeoutMs: LIMIT_MS,
  });
  expect(
    await sent.then(
      ({ status }) => status,
      (error: unknown) => (error instanceof Error ? error.name : error),
    ),
  ).toBe(outcome);
});
