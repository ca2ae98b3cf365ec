import helmet from '@fastify/helmet';
import multipart from '@fastify/multipart';
import fastify, { LogController } from 'fastify';
import { v7 as uuid } from 'uuid';
import type { Config } from '#server/kernel/config.ts';
import { AppError } from '#server/kernel/errors.ts';
import type { App } from './app-types.ts';
import { sendRefusal } from './answer.ts';
import { handleErrors } from './error-handling.ts';
import { guardRoutes } from './route-permission.ts';
import { FORM_BODY } from '#contract/limits.ts';
import { compileLazily } from './request-validation.ts';
import { MULTIPART_LIMITS } from './receive-files.ts';
import { registerRoutes } from './register-routes.ts';
import { listRoutes, type RegisteredRoute } from './route-table.ts';
import { isSafeText, parseSafeJson } from './safe-json.ts';
import { serveIdempotently } from './idempotency.ts';
import { FRAME_SOURCES } from '#engine/fields/richtext-policy.ts';
import type { Readiness } from './health-routes.ts';
import type { StreamHub } from '#server/workflow/notices/stream-hub.ts';
import type { AppServices } from '#server/auth/app-services.ts';

/** How long a request may take to arrive: ten pictures over a weak mobile network. */
const REQUEST_TIMEOUT_MS = 300_000;

/** The longest part of a path, in characters. */
const MAX_PARAMETER = 200;

/** The HTTP application without its routes: parsing, validation, errors, headers, logging. */
export async function buildApp(
  services: AppServices,
  parts: { readonly hub: StreamHub; readonly readiness: Readiness },
): Promise<{ readonly app: App; readonly routes: readonly RegisteredRoute[] }> {
  const { config } = services;
  const app: App = fastify({
    loggerInstance: services.log,
    logController: new LogController({ disableRequestLogging: true }),
    requestIdHeader: false,
    genReqId: () => uuid(),
    bodyLimit: FORM_BODY.bytes,
    requestTimeout: REQUEST_TIMEOUT_MS,
    trustProxy: config.trustProxy.length > 0 ? [...config.trustProxy] : false,
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    routerOptions: { maxParamLength: MAX_PARAMETER },
    rewriteUrl: ({ url = '/' }) => routableAddress(url),
  });
  const routes = listRoutes(app);
  readBodies(app);
  app.setValidatorCompiler(compileLazily);
  handleErrors(app);
  await app.register(helmet, securityHeaders(config));
  await app.register(multipart, {
    limits: MULTIPART_LIMITS,
  });
  logRequests(app, config);
  refuseWhileStarting(app, parts.readiness);
  guardRoutes(app, services);
  refuseUnaskedFiles(app);
  refuseUnsafeAddresses(app);
  serveIdempotently(app, services);
  await registerRoutes(app, services, parts);
  return { app, routes };
}

function readBodies(app: App): void {
  app.addHook('onRoute', (route) => {
    // Uploads have limits of their own, for each file.
    route.bodyLimit ??= (route.config?.limits ?? FORM_BODY).bytes;
  });
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    try {
      const limits = request.routeOptions.config.limits ?? FORM_BODY;
      done(null, parseSafeJson(Buffer.isBuffer(body) ? body : Buffer.from(body), limits));
    } catch (error) {
      done(error instanceof Error ? error : new AppError('BAD_JSON'));
    }
  });
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

/** Who sends a form of files where none are taken is told so, before anything of it is read. */
function refuseUnaskedFiles(app: App): void {
  app.addHook('onRequest', (request, _reply, done) => {
    const isForm = /^multipart\//i.test(request.headers['content-type'] ?? '');
    if (isForm && request.routeOptions.config?.takesFiles !== true && !request.is404)
      done(new AppError('UNSUPPORTED_MEDIA_TYPE'));
    else done();
  });
}

/** NUL and half characters reach no statement, in addresses and queries neither. */
function refuseUnsafeAddresses(app: App): void {
  app.addHook('preValidation', (request, reply, done) => {
    const isSafe = [...textsOf(request.params), ...textsOf(request.query)].every(isSafeText);
    if (isSafe) done();
    else sendRefusal(reply, new AppError('BAD_REQUEST', { message: '地址中含有无效字符' }));
  });
}

/**
 * The address, or one that leads nowhere: what has a broken escape or too long a part would be answered by the
 * framework itself, in English and without our headers.
 */
function routableAddress(url: string): string {
  const path = pathOf(url);
  const isRoutable = isDecodable(path) && path.split('/').every((part) => part.length <= MAX_PARAMETER);
  if (isRoutable) return url;
  return path.startsWith('/erp/') ? '/erp/api/-' : '/-';
}

function isDecodable(path: string): boolean {
  try {
    return decodeURI(path) !== '';
  } catch {
    return false;
  }
}

function textsOf(value: unknown): readonly string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap((item) => (Array.isArray(item) ? item.map(String) : [String(item)]));
}

function securityHeaders(config: Config): Parameters<typeof helmet>[1] {
  return {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'self'"],
        scriptSrc: ["'self'"],
        // antd's cssinjs and rich text carry inline styles.
        styleSrc: ["'self'", "'unsafe-inline'"],
        imgSrc: ["'self'", 'data:', 'blob:'],
        mediaSrc: ["'self'", 'blob:', 'https:'],
        fontSrc: ["'self'", 'data:'],
        connectSrc: ["'self'"],
        workerSrc: ["'self'", 'blob:'],
        frameSrc: ["'self'", 'blob:', ...FRAME_SOURCES],
        frameAncestors: ["'self'"],
        objectSrc: ["'none'"],
        baseUri: ["'self'"],
        formAction: ["'self'"],
      },
    },
    // Only meaningful behind TLS; a demo on loopback has none.
    hsts: config.isDemo ? false : { maxAge: 31_536_000, includeSubDomains: false },
    crossOriginEmbedderPolicy: false,
    referrerPolicy: { policy: 'same-origin' },
  };
}

/** Addresses are logged without their query: it may carry keywords, ids and tokens. */
function pathOf(url: string): string {
  const end = url.indexOf('?');
  return end === -1 ? url : url.slice(0, end);
}
