import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { toAppError } from '#server/kernel/to-app-error.ts';
import type { AppError } from '#server/kernel/errors.ts';
import type { NoteRefusal } from './note-refusals.ts';
import type { App } from './app-types.ts';
import { sendRefusal } from './answer.ts';

/** Turns whatever a route throws into a refusal of the catalogue; what nobody foresaw is logged and answers 500. */
export function handleErrors(app: App, onRefusal: NoteRefusal): void {
  app.setErrorHandler((error: FastifyError, request, reply) => {
    const refusal = toAppError(error);
    onRefusal(request, refusal);
    return refuse(request, reply, { error, refusal });
  });
}

function refuse(
  request: FastifyRequest,
  reply: FastifyReply,
  { error, refusal }: { readonly error: unknown; readonly refusal: AppError },
): FastifyReply {
  // That the database is away is told once, by the pulse; a stack for each request would bury it.
  if (refusal.code === 'UNAVAILABLE') request.log.warn({ reason: String(error) }, 'request refused');
  // Who gave up waiting had the statement stopped: nothing failed.
  else if (refusal.code === 'TIMEOUT' && reply.raw.destroyed)
    request.log.info({ reason: String(error) }, 'request given up');
  else if (refusal.status >= 500) request.log.error({ err: error }, 'request failed');
  letRunOut(request, reply);
  return sendRefusal(reply, refusal);
}

/**
 * What the sender is still sending is read and thrown away: were the connection closed on it, as the framework would, the
 * answer would be lost with it and people would see a broken network. The server's request timeout ends who never stops.
 */
function letRunOut(request: FastifyRequest, reply: FastifyReply): void {
  if (request.raw.complete) return;
  reply.removeHeader('connection');
  request.raw.resume();
}
