import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { v7 as uuid } from 'uuid';
import { AppError, type ErrorCode } from '#server/kernel/errors.ts';
import { refusalBody } from './answer.ts';

/** How long a sender may still send before the connection is cut. */
const LINGER_MS = 2_000;

/**
 * Answers what is no HTTP, has too long headers or comes too slowly. No request exists then and nothing of the
 * application runs; the runtime's own answer would be English and bare.
 */
export function answerClientError(error: Error & { readonly code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const refusal = new AppError(CODES[error.code ?? ''] ?? 'BAD_HTTP', { cause: error });
  const requestId = uuid();
  const body = JSON.stringify(refusalBody(refusal, requestId));
  const head = [
    `HTTP/1.1 ${refusal.status} ${STATUS_CODES[refusal.status] ?? ''}`,
    'content-type: application/json; charset=utf-8',
    `content-length: ${Buffer.byteLength(body)}`,
    'cache-control: no-store',
    "content-security-policy: default-src 'none'",
    'x-content-type-options: nosniff',
    `x-request-id: ${requestId}`,
    'connection: close',
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
  // Cut at once, what is still under way would take the answer with it.
  setTimeout(() => socket.destroy(), LINGER_MS).unref();
}

const CODES: Readonly<Record<string, ErrorCode>> = {
  HPE_HEADER_OVERFLOW: 'HEADERS_TOO_LARGE',
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 'BODY_TOO_LARGE',
  ERR_HTTP_REQUEST_TIMEOUT: 'REQUEST_TIMEOUT',
};
