import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Site } from '#contract/meta.ts';
import { shownSite } from '#engine/values/shown-site.ts';
import { type WrittenLogins, writtenLogin } from '#engine/values/written-login.ts';
import { textAccent } from '#engine/values/readable-accent.ts';
import { AppError } from '#server/kernel/errors.ts';
import type { AppServices } from '#server/auth/app-services.ts';
import { methodFinder } from './allowed-methods.ts';
import { sendRefusal } from './answer.ts';
import type { App } from './app-types.ts';
import type { RegisteredRoute } from './route-table.ts';
import { serve } from './serve.ts';
import { siteOf } from './site.ts';

/** Paths that are never pages: what is not found there answers with an envelope. */
const API = /^\/erp\/(?!$)/;
const FILE = /\.[a-z0-9]{1,8}$/i;
/** What a browser tells of the system's look once it was asked to. */
const SYSTEM_LOOK = 'sec-ch-prefers-color-scheme';
const COLOR = /^#[0-9a-f]{3,8}$/i;
/** What a build leaves for browsers; pages are never sent as they lie there. */
const SERVED = /\.(js|css|svg|png|jpe?g|webp|gif|ico|woff2?|ttf|wasm|webmanifest|txt)$/i;

/** The built pages: hashed assets for ever, index.html with the company's site data for every page address. */
export async function serveSite(
  app: App,
  services: AppServices,
  routes: readonly RegisteredRoute[],
): Promise<void> {
  const { webDir } = services.config;
  const index = createFileReader(join(webDir, 'index.html'), (html) => html);
  const logins = createFileReader(join(webDir, 'login.json'), (json): WrittenLogins => JSON.parse(json));
  await app.register(fastifyStatic, {
    root: webDir,
    serve: false,
    preCompressed: true,
    setHeaders: (response, path) => {
      const isHashed = path.includes('/assets/');
      response.header(
        'cache-control',
        isHashed ? 'public, max-age=31536000, immutable' : 'public, max-age=3600',
      );
    },
  });
  const methodsOf = methodFinder(routes);
  const sendPage = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const [path = ''] = request.url.split('?');
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    const html = isRead && !API.test(path) && !FILE.test(path) ? await index() : null;
    if (html === null) return refuseAddress(reply, methodsOf(path));
    const site = await siteOf(services, request.hostname).catch(() => null);
    const cookies = request.headers.cookie ?? '';
    // A build may be writing it: the page is drawn by its program then.
    const written = await logins().catch(() => null);
    const isLogin = written?.addresses.includes(path) === true;
    const page = site === null || !isLogin ? html : withLogin(html, { written, site, cookies });
    return reply
      .code(200)
      .type('text/html; charset=utf-8')
      .header('cache-control', 'no-cache')
      .header('vary', `cookie, ${SYSTEM_LOOK}`)
      .header('accept-ch', SYSTEM_LOOK)
      .send(withLook(site === null ? page : withSite(page, site), request));
  };
  app.setNotFoundHandler(sendPage);
  // Open pages ask whether they are still those of the server.
  serve(app, 'GET /build.json', async (_, reply) =>
    reply.header('cache-control', 'no-store').send({ stamp: await stampOf(webDir) }),
  );
  serve(app, 'GET /*', async (request, reply) => {
    const [path = ''] = request.url.split('?');
    return SERVED.test(path) && !API.test(path) ? reply.sendFile(decodePath(path)) : sendPage(request, reply);
  });
}

/** An address that knows other methods says which; any other is not there. */
function refuseAddress(reply: FastifyReply, methods: readonly string[]): FastifyReply {
  if (methods.length === 0) return sendRefusal(reply, new AppError('ROUTE_NOT_FOUND'));
  return sendRefusal(reply.header('allow', methods.join(', ')), new AppError('METHOD_NOT_ALLOWED'));
}

/** The stamp of the pages that are served now; empty where there are none. */
async function stampOf(webDir: string): Promise<string> {
  const text = await readFile(join(webDir, 'build.json'), 'utf8').catch(() => '{}');
  const build: unknown = JSON.parse(text);
  return typeof build === 'object' && build !== null && 'stamp' in build ? String(build.stamp) : '';
}

function decodePath(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch (cause) {
    throw new AppError('ROUTE_NOT_FOUND', { cause });
  }
}

/** Puts the site data into the page as data, never as script. */
export function withSite(html: string, site: object): string {
  const json = JSON.stringify(site).replaceAll('<', '\\u003c');
  const tag = `<script type="application/json" id="site">${json}</script>`;
  return html.replace(/<script type="application\/json" id="site">[^<]*<\/script>|<\/head>/, (found) =>
    found === '</head>' ? `${tag}</head>` : tag,
  );
}

/**
 * Marks the page dark where that was chosen (src/web/data/look.ts keeps it), or where it is to be as the system is and the
 * browser says that it is dark: it would flash white until its program runs.
 */
function withLook(html: string, { headers }: FastifyRequest): string {
  const [, look] = /(?:^|; )erp_look=(dark|system)\./.exec(headers.cookie ?? '') ?? [];
  const isDark = look === 'dark' || (look === 'system' && headers[SYSTEM_LOOK] === 'dark');
  return isDark ? html.replace('<html ', '<html data-theme="dark" ') : html;
}

/** Writes the login form into the page, for the way in that was used last: one types while the program is still on its way. */
export function withLogin(
  html: string,
  given: { readonly written: WrittenLogins; readonly site: Site; readonly cookies: string },
): string {
  const tab = /(?:^|; )login-tab=(\w+)/.exec(given.cookies)?.[1] ?? 'management';
  const site = shownSite(given.site);
  const login = writtenLogin(given.written, tab, site);
  if (login === null || !COLOR.test(site.accent)) return html;
  const accents = `--accent:${site.accent};--accent-strong:${textAccent(site.accent)}`;
  return html
    .replace('<html ', `<html style="${accents}" `)
    .replace('<div id="root"></div>', () => `<div id="root" data-login="${tab}">${login}</div>`);
}

/** What is made of a file's text, again when a build has replaced it; null where there is none. */
function createFileReader<T>(path: string, make: (text: string) => T): () => Promise<T | null> {
  let known: { readonly stamp: string; readonly made: T } | null = null;
  return async () => {
    const found = await stat(path).catch(() => null);
    if (found === null) return null;
    const stamp = `${found.mtimeMs}:${found.size}`;
    if (known?.stamp !== stamp) known = { stamp, made: make(await readFile(path, 'utf8')) };
    return known.made;
  };
}
