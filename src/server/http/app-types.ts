import type { IncomingMessage, ServerResponse } from 'node:http';
import type { JsonSchemaToTsProvider } from '@fastify/type-provider-json-schema-to-ts';
import type { FastifyBaseLogger, FastifyInstance, FastifyRequest, RawServerDefault } from 'fastify';
import { AppError } from '#server/kernel/errors.ts';
import type { Session } from '#server/auth/session-store.ts';
import type { Caller } from '#server/records/services.ts';

/** The application with bodies typed by their JSON Schemas (`as const`). */
export type App = FastifyInstance<
  RawServerDefault,
  IncomingMessage,
  ServerResponse,
  FastifyBaseLogger,
  JsonSchemaToTsProvider
>;

/**
 * Who may call a route. The server does not start when a route says nothing.
 * - `public`: anybody.
 * - `visitor`: anybody, and a full session is known to the route where there is one.
 * - `pending`: a session before its role is chosen, or a full one.
 * - `session`: a full session; the route shows only what belongs to the caller.
 * - `resource`: a full session; the operation checks the caller's rights on the resource named in the path.
 * - `staff`, `admin`: a full session of an employee, of an administrator (role AD).
 */
export type RoutePermission = 'public' | 'visitor' | 'pending' | 'session' | 'resource' | 'staff' | 'admin';

declare module 'fastify' {
  interface FastifyContextConfig {
    permission?: RoutePermission;
    /** Asking does not keep the session alive: the notice stream. */
    isPassive?: boolean;
    /** Open to who must first choose a password of his own. */
    isOpenBeforeNewPassword?: boolean;
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
