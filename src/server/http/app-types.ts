import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { CallContract } from '#contract/call.ts';
import { AppError } from '#server/kernel/errors.ts';
import type { Session } from '#server/auth/session-store.ts';
import type { Caller } from '#server/records/services.ts';

export type App = FastifyInstance;

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Who may make the call, what it takes and what it answers; no route is without. */
    contract?: CallContract;
  }
  interface FastifyRequest {
    /** Set by the authentication hook on every route that is not public; null for visitors. */
    caller: Caller | null;
    /** The session behind it, pending or full. */
    session: Session | null;
  }
}

/** The caller of a route that is not public. */
export function callerOf(request: Pick<FastifyRequest, 'caller'>): Caller {
  if (request.caller === null) throw new AppError('NOT_SIGNED_IN');
  return request.caller;
}

/** The session of a route that is open before a role is chosen. */
export function sessionOf(request: Pick<FastifyRequest, 'session'>): Session {
  if (request.session === null) throw new AppError('NOT_SIGNED_IN');
  return request.session;
}
