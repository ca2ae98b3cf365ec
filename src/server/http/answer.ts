import type { FastifyReply } from 'fastify';
import { AppError } from '#server/kernel/errors.ts';

/** The envelope of every success. */
export interface Answer<T> {
  readonly code: 200;
  readonly msg: string;
  readonly data: T;
}

/** Wraps what a route found or did; `msg` is shown to users where they asked for a change. */
export function answer<T>(data: T, msg = '操作成功'): Answer<T> {
  return { code: 200, msg, data };
}

/** The body of a refusal. `error` is the catalogue's code, for programs. */
export function refusalBody(error: AppError, requestId: string): Record<string, unknown> {
  return {
    code: error.status,
    msg: error.message,
    data: null,
    requestId,
    error: error.code,
    problems: error.problems,
    ...(error.current === undefined ? {} : { current: error.current }),
  };
}

/** Sends a refusal with its real status. */
export function sendRefusal(reply: FastifyReply, error: AppError): FastifyReply {
  if (error.retryAfterS !== undefined) void reply.header('retry-after', String(error.retryAfterS));
  return reply
    .code(error.status)
    .type('application/json; charset=utf-8')
    .send(refusalBody(error, reply.request.id));
}
