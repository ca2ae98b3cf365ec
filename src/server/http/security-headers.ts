import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import helmet, { type HelmetOptions } from 'helmet';
import { FRAME_SOURCES } from '#engine/fields/richtext-policy.ts';
import type { Config } from '#server/kernel/config.ts';
import type { App } from './app-types.ts';

/** What every answer tells the browser: what a page may load, and that nothing of the API is kept. */
export function sendSecurityHeaders(app: App, config: Config): void {
  const headers = headersOnce(securityHeaders(config));
  app.addHook('onRequest', (_request, reply, done) => {
    for (const [name, value] of headers) reply.raw.setHeader(name, value);
    // Files, definitions with their tag and the built pages say otherwise themselves.
    void reply.header('cache-control', 'no-store');
    done();
  });
}

/** They are the same for every answer: written once, on an answer that nobody gets. */
function headersOnce(options: HelmetOptions): readonly (readonly [string, string])[] {
  const request = new IncomingMessage(new Socket());
  const response = new ServerResponse(request);
  helmet(options)(request, response, () => undefined);
  return Object.entries(response.getHeaders()).map(([name, value]) => [name, String(value)]);
}

function securityHeaders(config: Config): HelmetOptions {
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
