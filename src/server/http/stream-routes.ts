import type { FastifyReply } from 'fastify';
import { openEnvelope } from '#server/auth/transport-cipher.ts';
import { AppError } from '#server/kernel/errors.ts';
import type { StreamHub } from '#server/workflow/notices/stream-hub.ts';
import type { AppServices } from '#server/auth/app-services.ts';
import type { Caller } from '#server/records/services.ts';
import { answer } from './answer.ts';
import { type App, callerOf } from './app-types.ts';
import { serve } from './serve.ts';

const EVENT_ID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** The live notice stream of staff (spec section 7): identity from the session, the encrypted personid must be the same. */
export function registerStreamRoutes(app: App, services: AppServices, hub: StreamHub): void {
  serve(app, 'GET /sse/connect', async (request, reply) => {
    const caller = callerOf(request);
    requireSamePerson(services, caller, request.query.personid ?? '');
    await openStream(services, hub, { caller, lastId: request.headers['last-event-id'], reply });
    return reply;
  });
  serve(app, 'POST /sse/close', async (request) => {
    const caller = callerOf(request);
    requireSamePerson(services, caller, request.body.personid ?? '');
    await hub.close(caller.sessionId);
    return answer(null);
  });
}

function requireSamePerson(services: AppServices, { subject }: Caller, envelope: string): void {
  // In an address a plus may arrive as a blank.
  const personid = openEnvelope(envelope.replaceAll(' ', '+'), services.config.aesKey);
  if (personid?.toLowerCase() !== subject.personid.toLowerCase()) throw new AppError('FORBIDDEN');
}

async function openStream(
  services: AppServices,
  hub: StreamHub,
  {
    caller,
    lastId,
    reply,
  }: { readonly caller: Caller; readonly lastId: unknown; readonly reply: FastifyReply },
): Promise<void> {
  const personId = caller.subject.id;
  const stream = { personId, sessionId: caller.sessionId, response: reply.raw };
  if (!hub.open(stream)) throw new AppError('STREAM_LIMIT');
  reply.hijack();
  for (const [name, value] of Object.entries(reply.getHeaders()))
    if (value !== undefined) reply.raw.setHeader(name, value);
  reply.raw.writeHead(200, {
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store',
    'x-accel-buffering': 'no',
  });
  reply.raw.write('retry: 3000\n\n');
  if (typeof lastId === 'string' && EVENT_ID.test(lastId))
    await hub.replay(stream, services.notices.since(personId, lastId));
}
