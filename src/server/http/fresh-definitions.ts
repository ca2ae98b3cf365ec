import type { FastifyReply, FastifyRequest } from 'fastify';
import { DEFINITIONS_HEADER } from '#contract/headers.ts';
import { DatabaseFault } from '#server/kernel/db/database-fault.ts';
import { AppError } from '#server/kernel/errors.ts';
import type { AppServices } from '#server/auth/app-services.ts';
import type { App } from './app-types.ts';

/**
 * Every answer carries the tag of the definitions that it was made by: a page that got another one before reads its
 * definitions again, also where no stream tells it.
 */
export function tellDefinitions(app: App, { definitions }: AppServices): void {
  app.addHook('onRequest', (request, reply, done) => {
    if (request.url.startsWith('/erp/')) void reply.header(DEFINITIONS_HEADER, definitions.tag());
    done();
  });
}

/**
 * A request that meets a rename half way was undone by the database: it is answered again under the definitions that serve
 * by then, so that nobody sees more of it than a moment's wait.
 */
export function followDefinitions(app: App, { definitions }: AppServices): void {
  app.addHook('onRoute', (route) => {
    const { handler } = route;
    route.handler = async function followed(request: FastifyRequest, reply: FastifyReply) {
      const began = definitions.catalog();
      try {
        return await handler.call(this, request, reply);
      } catch (error) {
        const kind = outdatedKind(error);
        if (kind === null || reply.sent || request.isMultipart?.()) throw error;
        if (await definitions.catchUp(began)) return handler.call(this, request, reply);
        // A name that is not there though the definitions are the newest is a slip of the program.
        if (kind === 'unknown_name' && !(await definitions.isBehind())) throw error;
        throw new AppError('DEFINITIONS_CHANGED', { cause: error, retryAfterS: 2 });
      }
    };
  });
}

function outdatedKind(error: unknown): 'unknown_name' | 'outdated' | null {
  const fault = error instanceof AppError ? error.cause : error;
  if (!(fault instanceof DatabaseFault)) return null;
  return fault.kind === 'unknown_name' || fault.kind === 'outdated' ? fault.kind : null;
}
