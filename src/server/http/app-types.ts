import type { IncomingMessage, ServerResponse } from 'node:http';
import type { JsonSchemaToTsProvider } from '@fastify/type-provider-json-schema-to-ts';
import type { FastifyBaseLogger, FastifyInstance, FastifyRequest, RawServerDefault } from 'fastify';
import type { CallContract, Permission } from '#contract/call.ts';
import { AppError } from '#server/kernel/errors.ts';
import type { Session } from '#server/auth/session-store.ts';
import type { Caller } from '#server/records/services.ts';
import type { BodyLimits, CallRate } from '#contract/limits.ts';

/** The application with bodies typed by their JSON Schemas (`as const`). */
export type App = FastifyInstance<
  RawServerDefault,
  IncomingMessage,
  ServerResponse,
  FastifyBaseLogger,
  JsonSchemaToTsProvider
>;

declare module 'fastify' {
  interface FastifyContextConfig {
    /** What the route's call may, takes and answers. */
    contract?: CallContract;
    permission?: Permission;
    /** Asking does not keep the session alive: the notice stream. */
    isPassive?: boolean;
    /** Open to who must first choose a password of his own. */
    isOpenBeforeNewPassword?: boolean;
    /** What a body may hold; the limits of a form when nothing is said. */
    limits?: BodyLimits;
    /** How often this call may be made, besides what holds for all of them. */
    rate?: CallRate;
    /** Takes multipart/form-data; everything else takes JSON only. */
    takesFiles?: boolean;
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
