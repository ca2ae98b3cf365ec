import { createHash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { formatFault } from '#engine/schema/source-file.ts';
import { clientResource } from '#engine/schema/client-resource.ts';
import type { Resource } from '#engine/schema/resource.ts';
import { routePages, titleOf } from '#server/auth/menu.ts';
import { readVersions } from '#server/records/definitions/kept-definitions.ts';
import { loadDictionaries, usedDictionaries } from '#server/records/definitions/dictionary-values.ts';
import { AppError } from '#server/kernel/errors.ts';
import { accessTo, openAnyCall } from '#server/records/call/open-call.ts';
import { currentCatalog } from '#server/records/call/overrides.ts';
import { permissionMatrix } from '#server/records/read/permission-matrix.ts';
import type { AppServices } from '#server/auth/app-services.ts';
import type { Caller } from '#server/records/services.ts';
import { answer } from './answer.ts';
import { type App, callerOf } from './app-types.ts';
import { siteOf } from './site.ts';

/** One definition file by its path; without it all of them. */
const FILE = {
  type: 'object',
  properties: { path: { type: 'string', minLength: 1, maxLength: 300 } },
  additionalProperties: false,
} as const;

/** What the browser learns of definitions, routes and the company it serves. */
export function registerMetaRoutes(app: App, services: AppServices): void {
  app.get('/meta/site', { config: { permission: 'public' } }, async (request) =>
    answer(await siteOf(services, request.hostname)),
  );
  app.get('/meta/routes', { config: { permission: 'public' } }, (request, reply) =>
    sendTagged(request, reply, routesOf(services)),
  );
  app.get('/meta/resources', { config: { permission: 'session' } }, (request, reply) =>
    sendTagged(request, reply, resourcesOf(services, callerOf(request))),
  );
  app.get<{ Params: { readonly resource: string } }>(
    '/meta/resources/:resource',
    { config: { permission: 'resource' } },
    async (request, reply) =>
      sendTagged(request, reply, await resourceOf(services, callerOf(request), request.params.resource)),
  );
  app.get('/meta/permission-matrix', { config: { permission: 'admin' } }, async (request, reply) =>
    sendTagged(request, reply, await permissionMatrix(services)),
  );
  app.get('/meta/faults', { config: { permission: 'admin' } }, async () =>
    answer(services.definitions.faults().map((fault) => ({ ...fault, text: formatFault(fault) }))),
  );
  app.get<{ Querystring: { readonly path?: string } }>(
    '/meta/definitions',
    { config: { permission: 'admin' }, schema: { querystring: FILE } },
    async (request) => answer(await readVersions(services.db, request.query.path ?? null)),
  );
}

/** Every route with what the router needs to know of it; nothing of what it shows. */
function routesOf(services: AppServices): readonly object[] {
  const { resources } = services.definitions.catalog();
  const routes = routePages(resources, services.definitions.setup().pages);
  return [...routes].map(([path, found]) => {
    const { kind, guard, audience, component, report } = found.page;
    return {
      path,
      title: titleOf(found),
      kind,
      ...(guard === undefined ? {} : { guard }),
      ...(audience === undefined ? {} : { audience }),
      ...(component === undefined ? {} : { component }),
      ...(report === undefined ? {} : { report }),
      ...(found.resource === null ? {} : { resource: found.resource.resource }),
    };
  });
}

function resourcesOf(services: AppServices, caller: Caller): readonly object[] {
  const catalog = currentCatalog(services);
  return Object.values(catalog.resources).flatMap((resource) => {
    const { operations } = accessTo(services, caller.subject, resource);
    if (operations.size === 0) return [];
    const { resource: key, title, kind, hash, pages } = resource;
    return [{ resource: key, title, kind, hash, label: resource.label, operations: [...operations], pages }];
  });
}

async function resourceOf(services: AppServices, caller: Caller, key: string): Promise<object> {
  const { resource, access, catalog } = openAnyCall(services, caller, key);
  if (access.operations.size === 0) throw new AppError('FORBIDDEN');
  const client: Resource = clientResource(resource, access);
  const dictionaries = await loadDictionaries(services, catalog, usedDictionaries(client));
  return { ...client, operations: [...access.operations], dictionaries };
}

/** Answers 304 when the browser has the same already. */
export function sendTagged(request: FastifyRequest, reply: FastifyReply, data: unknown): FastifyReply {
  const body = JSON.stringify(answer(data));
  const etag = `"${createHash('sha1').update(body).digest('base64url')}"`;
  void reply
    .header('etag', etag)
    .header('cache-control', 'private, no-cache')
    .header('vary', 'authorization');
  const known = request.headers['if-none-match']?.split(',').map((tag) => tag.trim().replace(/^W\//, ''));
  if (known?.includes(etag) === true) return reply.code(304).send();
  return reply.type('application/json; charset=utf-8').send(body);
}
