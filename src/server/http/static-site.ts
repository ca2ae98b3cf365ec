import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '../errors.ts';
import type { Services } from '../services.ts';
import { sendRefusal } from './answer.ts';
import type { App } from './app-types.ts';
import { siteOf } from './site.ts';

/** Paths that are never pages: what is not found there answers with an envelope. */
const API = /^\/erp\/(?!$)/;
const FILE = /\.[a-z0-9]{1,8}$/i;

/** The built pages: hashed assets for ever, index.html with the company's site data for every page address. */
export async function serveSite(app: App, services: Services): Promise<void> {
  const { webDir } = services.config;
  const index = createIndexReader(join(webDir, 'index.html'));
  const hasAssets = await stat(join(webDir, 'assets')).then(
    (found) => found.isDirectory(),
    () => false,
  );
  if (hasAssets)
    await app.register(fastifyStatic, {
      root: webDir,
      prefix: '/',
      index: false,
      wildcard: true,
      preCompressed: true,
      allowedPath: (path) => !path.endsWith('.html') && !path.endsWith('.map') && !path.includes('/.'),
      setHeaders: (response, path) => {
        const isHashed = path.includes('/assets/');
        response.header(
          'cache-control',
          isHashed ? 'public, max-age=31536000, immutable' : 'public, max-age=3600',
        );
      },
    });
  const sendPage = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const [path = ''] = request.url.split('?');
    const isPage =
      (request.method === 'GET' || request.method === 'HEAD') && !API.test(path) && !FILE.test(path);
    const html = isPage ? await index() : null;
    if (html === null) return sendRefusal(reply, new AppError('ROUTE_NOT_FOUND'));
    const site = await siteOf(services, request.hostname).catch(() => null);
    return reply
      .code(200)
      .type('text/html; charset=utf-8')
      .header('cache-control', 'no-cache')
      .send(site === null ? html : withSite(html, site));
  };
  app.setNotFoundHandler(sendPage);
  app.get('/', { config: { permission: 'public' } }, sendPage);
}

/** Puts the site data into the page as data, never as script. */
export function withSite(html: string, site: object): string {
  const json = JSON.stringify(site).replaceAll('<', '\\u003c');
  const tag = `<script type="application/json" id="erp-site">${json}</script>`;
  return html.replace(/<script type="application\/json" id="erp-site">[^<]*<\/script>|<\/head>/, (found) =>
    found === '</head>' ? `${tag}</head>` : tag,
  );
}

/** The page's text, read again when a build replaced it. */
function createIndexReader(path: string): () => Promise<string | null> {
  let known: { readonly stamp: string; readonly html: string } | null = null;
  return async () => {
    const found = await stat(path).catch(() => null);
    if (found === null) return null;
    const stamp = `${found.mtimeMs}:${found.size}`;
    if (known?.stamp !== stamp) known = { stamp, html: await readFile(path, 'utf8') };
    return known.html;
  };
}
