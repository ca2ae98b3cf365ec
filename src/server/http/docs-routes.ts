import { mapInTurns } from '#server/kernel/let-others.ts';
import { ERRORS } from '#server/kernel/errors.ts';
import { clientResource } from '#engine/schema/client-resource.ts';
import type { Resource } from '#engine/schema/resource.ts';
import type { AppServices } from '#server/auth/app-services.ts';
import { accessTo } from '#server/records/call/open-call.ts';
import { currentCatalog } from '#server/records/call/overrides.ts';
import type { Caller } from '#server/records/services.ts';
import { type App, callerOf } from './app-types.ts';
import { type OpenApiDocument, openApiDocument } from './open-api.ts';
import type { RegisteredRoute } from './route-table.ts';
import { serve } from './serve.ts';

/** The API's description: the calls that are registered, and the records as the reader's role may see them. */
export function registerDocsRoutes(
  app: App,
  services: AppServices,
  routes: readonly RegisteredRoute[],
): void {
  const documentFor = async (caller: Caller): Promise<OpenApiDocument> =>
    openApiDocument(routes, await visibleResources(services, caller));
  serve(app, 'GET /docs/json', async (request, reply) => reply.send(await documentFor(callerOf(request))));
  serve(app, 'GET /docs', async (request, reply) =>
    reply.type('text/html; charset=utf-8').send(page(await documentFor(callerOf(request)))),
  );
}

/** With others served in between: there are well over a hundred. */
async function visibleResources(services: AppServices, { subject }: Caller): Promise<readonly Resource[]> {
  const found = await mapInTurns(
    Object.values(currentCatalog(services).resources),
    (resource) => {
      const access = accessTo(services, subject, resource);
      return access.operations.size === 0 ? [] : [clientResource(resource, access)];
    },
    () => RESOURCE_WEIGHT,
  );
  return found.flat();
}

/** A resource takes as long as so many rows. */
const RESOURCE_WEIGHT = 12;

function page({ info, paths }: OpenApiDocument): string {
  const rows = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { tags, summary }]) => ({ path, method, tags, summary })),
  );
  const groups = new Map<string, typeof rows>();
  for (const row of rows) {
    const tag = row.tags[0] ?? '';
    groups.set(tag, [...(groups.get(tag) ?? []), row]);
  }
  const sections = [...groups].map(
    ([tag, entries]) =>
      `<details><summary>${escape(tag)}（${entries.length}）</summary><table>${entries
        .map(
          ({ method, path, summary }) =>
            `<tr><td><code>${method.toUpperCase()}</code></td><td><code>${escape(path)}</code></td><td>${escape(summary)}</td></tr>`,
        )
        .join('')}</table></details>`,
  );
  const errors = Object.entries(ERRORS).map(
    ([code, { status, message, doc }]) =>
      `<tr><td>${status}</td><td><code>${code}</code></td><td>${escape(message)}</td><td>${escape(doc)}</td></tr>`,
  );
  return `<!doctype html><html lang="zh-CN"><head><meta charset="utf-8"><title>${escape(info.title)}</title>
<style>body{font:14px/1.6 system-ui,sans-serif;max-width:1100px;margin:2rem auto;padding:0 1rem;color:#1f2329}
table{border-collapse:collapse;width:100%}td{border-bottom:1px solid #e5e6eb;padding:4px 8px;vertical-align:top}
summary{cursor:pointer;padding:6px 0;font-weight:600}code{font-size:13px}</style></head><body>
<h1>${escape(info.title)}</h1>
<p>成功：<code>{ code: 200, msg, data }</code>。拒绝：<code>{ code, msg, data: null, requestId, problems: [{ path, code, message }] }</code>，HTTP 状态与 code 相同。
完整描述（OpenAPI 3.1）：<a href="docs/json">docs/json</a></p>
<h2>接口</h2>${sections.join('')}
<h2>错误码</h2><table>${errors.join('')}</table></body></html>`;
}

function escape(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
