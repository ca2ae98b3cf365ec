import { createHash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ResourceEntry, RouteEntry } from '#contract/meta.ts';
import type { DefinitionAnswer, OfferedBeginning, ShownBeside } from '#contract/shape.ts';
import { partnerPath } from '#engine/access/row-scope.ts';
import { fieldAt } from '#engine/filter/scope.ts';
import { postsWhenMade } from '#engine/lifecycle/delete-refusal.ts';
import { chainLinks } from '#engine/schema/chain-links.ts';
import { fixedValues } from '#engine/schema/offered-makes.ts';
import { formatFault } from '#engine/schema/source-file.ts';
import { clientResource } from '#engine/schema/client-resource.ts';
import { recordPages } from '#engine/schema/record-pages.ts';
import type { Resource } from '#engine/schema/resource.ts';
import { partnersCatalog, withoutOwner } from '#engine/schema/partners-words.ts';
import { routePages, titleOf } from '#server/auth/menu.ts';
import { readVersions } from '#server/records/definitions/kept-definitions.ts';
import { loadDictionaries, usedDictionaries } from '#server/records/definitions/dictionary-values.ts';
import { AppError } from '#server/kernel/errors.ts';
import { accessTo, type Call, openAnyCall } from '#server/records/call/open-call.ts';
import { currentCatalog } from '#server/records/call/overrides.ts';
import { openMakes } from '#server/records/pick/source-record.ts';
import { permissionMatrix } from '#server/records/read/permission-matrix.ts';
import { resourceHelp } from '#server/records/read/resource-help.ts';
import type { AppServices } from '#server/auth/app-services.ts';
import type { Caller } from '#server/records/services.ts';
import { type Answer, answer } from './answer.ts';
import { type App, callerOf } from './app-types.ts';
import { resourceCall } from './resource-call.ts';
import { serve } from './serve.ts';
import { siteOf } from './site.ts';

/** What the browser learns of definitions, routes and the company it serves. */
export function registerMetaRoutes(app: App, services: AppServices): void {
  serve(app, 'GET /meta/site', async (request) => answer(await siteOf(services, request.hostname)));
  serve(app, 'GET /meta/routes', async (request, reply) =>
    sendTagged(request, reply, answer(routesOf(services))),
  );
  serve(app, 'GET /meta/resources', async (request, reply) =>
    sendTagged(request, reply, answer(resourcesOf(services, callerOf(request)))),
  );
  serve(app, 'GET /meta/resources/:resource', async (request, reply) =>
    sendTagged(request, reply, answer(await resourceOf(resourceCall(services, request)))),
  );
  serve(app, 'GET /meta/resources/:resource/help', async (request) =>
    answer(resourceHelp(resourceCall(services, request))),
  );
  serve(app, 'GET /meta/permission-matrix', async (request, reply) =>
    sendTagged(request, reply, answer(await permissionMatrix(services))),
  );
  serve(app, 'GET /meta/faults', async () =>
    answer(services.definitions.faults().map((fault) => ({ ...fault, text: formatFault(fault) }))),
  );
  serve(app, 'GET /meta/definitions', async (request) =>
    answer(await readVersions(services.db, request.query.path ?? null)),
  );
}

/** Every route with what the router needs to know of it; nothing of what it shows. */
function routesOf(services: AppServices): readonly RouteEntry[] {
  const { resources } = services.definitions.catalog();
  const routes = routePages(resources, services.definitions.setup().pages);
  return [...routes].map(([path, found]) => {
    const { kind, guard, audience, component, report, list } = found.page;
    return {
      path,
      title: titleOf(found),
      kind,
      ...(guard === undefined ? {} : { guard }),
      ...(audience === undefined ? {} : { audience }),
      ...(component === undefined ? {} : { component }),
      ...(report === undefined ? {} : { report }),
      ...(list === undefined ? {} : { list }),
      ...(found.resource === null ? {} : { resource: found.resource.resource }),
    };
  });
}

function resourcesOf(services: AppServices, caller: Caller): readonly ResourceEntry[] {
  const ours = currentCatalog(services);
  const catalog = caller.subject.kind === 'partner' ? partnersCatalog(ours) : ours;
  return Object.values(catalog.resources).flatMap((resource) => {
    const operations = offeredOperations(resource, accessTo(services, caller.subject, resource).operations);
    if (operations.length === 0) return [];
    const { resource: key, title, kind, hash, label } = resource;
    return [{ resource: key, title, kind, hash, label, operations, pages: recordPages(resource) }];
  });
}

/** What the pages offer: not to delete what nobody can. */
function offeredOperations(resource: Resource, operations: ReadonlySet<string>): readonly string[] {
  return [...operations].filter((operation) => operation !== 'delete' || !postsWhenMade(resource));
}

async function resourceOf(call: Call): Promise<DefinitionAnswer> {
  const { resource, access, catalog } = call;
  if (access.operations.size === 0) throw new AppError('FORBIDDEN');
  const full = clientResource(resource, access);
  const related = full.details.related.filter((entry) => mayList(call, entry.resource));
  const owner = call.caller.subject.kind === 'partner' ? partnerPath(resource, catalog) : null;
  const client = owner === null ? full : withoutOwner(full, owner);
  const dictionaries = await loadDictionaries(call, usedDictionaries(client));
  return {
    ...client,
    percentPaths: client.paths.filter((path) => fieldAt({ resource, catalog }, path)?.type === 'percent'),
    details: { ...client.details, related },
    operations: offeredOperations(resource, access.operations),
    dictionaries,
    shows: shownBeside(call),
  };
}

/** Records of a resource that stand beside another are asked for only where the reader may list them. */
function mayList({ services, caller, catalog }: Call, key: string): boolean {
  const target = catalog.resources[key];
  return target !== undefined && accessTo(services, caller.subject, target).operations.has('list');
}

function shownBeside(call: Call): ShownBeside {
  const { catalog, caller, resource } = call;
  const { postings, holds, vouchers, account, limits } = resource;
  const isPosting = postings.length + holds.length + vouchers.length > 0;
  return {
    chain: chainLinks(catalog).some(({ later, earlier }) => [later, earlier].includes(resource.resource)),
    // How close the house is to its limits is nothing that customers are told.
    limits: limits.length > 0 && caller.subject.kind !== 'partner',
    entries: account !== undefined ? 'account' : isPosting ? 'document' : null,
    makes: openMakes(call).map(({ key, title, make, action }) => ({
      make: key,
      title,
      to: make.to,
      action: action?.key ?? null,
      fixed: fixedValues(make),
      takesSeveral: make.lines !== undefined && make.each === undefined && make.per === undefined,
    })),
    postsWhenMade: postsWhenMade(resource),
    begins: beginningsOf(call),
  };
}

/** The documents that give the resource whole and are named by a field that one picks in its form. */
function beginningsOf({ services, caller, catalog, resource }: Call): readonly OfferedBeginning[] {
  return Object.values(catalog.resources).flatMap((source) => {
    if (!Object.values(source.makes).some((make) => make.to === resource.resource)) return [];
    const call = openAnyCall(services, caller, source.resource);
    if (!call.access.operations.has('read')) return [];
    return openMakes(call).flatMap(({ key, make }): readonly OfferedBeginning[] => {
      const field = Object.values(resource.fields).find(
        (one) =>
          one.type === 'reference' &&
          one.to === source.resource &&
          one.readOnly !== true &&
          make.map?.[one.name] === 'id',
      );
      if (make.to !== resource.resource || make.each !== undefined || field === undefined) return [];
      return [{ field: field.name, from: source.resource, make: key, fixed: fixedValues(make) }];
    });
  });
}

/** Answers 304 when the browser has the same already. */
function sendTagged<T>(
  request: Pick<FastifyRequest, 'headers'>,
  reply: FastifyReply,
  given: Answer<T>,
): FastifyReply {
  const body = JSON.stringify(given);
  const etag = `"${createHash('sha1').update(body).digest('base64url')}"`;
  void reply
    .header('etag', etag)
    .header('cache-control', 'private, no-cache')
    .header('vary', 'authorization');
  const known = request.headers['if-none-match']?.split(',').map((tag) => tag.trim().replace(/^W\//, ''));
  if (known?.includes(etag) === true) return reply.code(304).send();
  return reply.type('application/json; charset=utf-8').send(body);
}
