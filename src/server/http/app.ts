import { randomUUID } from 'node:crypto';
import fastify, { LogController } from 'fastify';
import type { Config } from '#server/kernel/config.ts';
import { AppError } from '#server/kernel/errors.ts';
import type { App } from './app-types.ts';
import { MAX_PARAMETER, pathOf, refuseUnsafeAddresses, routableAddress } from './addresses.ts';
import { answerClientError } from './client-errors.ts';
import { handleErrors } from './error-handling.ts';
import { measure } from './metrics.ts';
import { followDefinitions, tellDefinitions } from './fresh-definitions.ts';
import { noteRefusals } from './note-refusals.ts';
import { guardRoutes } from './route-permission.ts';
import { FORM_BODY } from '#contract/limits.ts';
import { compileLazily } from './request-validation.ts';
import { limitAddresses, limitPeople } from './rate-limits.ts';
import { readBodies, refuseUnaskedFiles } from './read-bodies.ts';
import { registerRoutes } from './register-routes.ts';
import { listRoutes, type RegisteredRoute } from './route-table.ts';
import { sendSecurityHeaders } from './security-headers.ts';
import { serveIdempotently } from './idempotency.ts';
import type { Readiness } from './health-routes.ts';
import type { StreamHub } from '#server/workflow/notices/stream-hub.ts';
import type { AppServices } from '#server/auth/app-services.ts';

/** How long a request may take to arrive: ten pictures over a weak mobile network. */
const REQUEST_TIMEOUT_MS = 300_000;

/** The HTTP application without its routes: parsing, validation, errors, headers, logging. */
export async function buildApp(
  services: AppServices,
  parts: {
    readonly hub: StreamHub;
    readonly readiness: Readiness;
    /** False only where the server itself is measured. */
    readonly isRateLimited?: boolean;
  },
): Promise<{ readonly app: App; readonly routes: readonly RegisteredRoute[] }> {
  const { config } = services;
  const app: App = fastify({
    loggerInstance: services.log,
    logController: new LogController({ disableRequestLogging: true }),
    requestIdHeader: false,
    genReqId: () => randomUUID(),
    bodyLimit: FORM_BODY.bytes,
    requestTimeout: REQUEST_TIMEOUT_MS,
    trustProxy: config.trustProxy.length > 0 ? [...config.trustProxy] : false,
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    routerOptions: { maxParamLength: MAX_PARAMETER },
    clientErrorHandler: answerClientError,
    rewriteUrl: ({ url = '/' }) => routableAddress(url),
  });
  const routes = listRoutes(app);
  app.setValidatorCompiler(compileLazily);
  handleErrors(app, noteRefusals(services));
  sendSecurityHeaders(app, config);
  await readBodies(app);
  logRequests(app, config);
  const metrics = measure(app, services, parts);
  refuseWhileStarting(app, parts.readiness);
  if (parts.isRateLimited !== false) await limitAddresses(app);
  guardRoutes(app, services);
  if (parts.isRateLimited !== false) limitPeople(app);
  refuseUnaskedFiles(app);
  refuseUnsafeAddresses(app);
  serveIdempotently(app, services);
  tellDefinitions(app, services);
  followDefinitions(app, services);
  await registerRoutes(app, services, { ...parts, routes, metrics });
  return { app, routes };
}

function logRequests(app: App, config: Config): void {
  // In demo mode the terminal is the operator's: requests are only told when somebody asks for them.
  const level = config.isDemo ? 'debug' : 'info';
  app.addHook('onRequest', (request, reply, done) => {
    void reply.header('x-request-id', request.id);
    done();
  });
  app.addHook('onResponse', (request, reply, done) => {
    request.log[level](
      {
        method: request.method,
        path: pathOf(request.url),
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime),
        person: request.caller?.subject.personid,
      },
      'request',
    );
    done();
  });
}

/** Before migrations and import are done only probes and pages answer. */
function refuseWhileStarting(app: App, readiness: Readiness): void {
  app.addHook('onRequest', (request, _reply, done) => {
    if (readiness.isReady || !request.url.startsWith('/erp/')) done();
    else done(new AppError('UNAVAILABLE', { message: `系统正在启动：${readiness.step}`, retryAfterS: 5 }));
  });
}
