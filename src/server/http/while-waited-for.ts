import type { FastifyReply } from 'fastify';

/** Aborted when whoever asked has gone: the database stops reckoning. */
export function whileWaitedFor(reply: FastifyReply): AbortSignal {
  const gone = new AbortController();
  reply.raw.on('close', () => {
    if (!reply.raw.writableEnded) gone.abort();
  });
  return gone.signal;
}
