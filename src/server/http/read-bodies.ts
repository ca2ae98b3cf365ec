import { FORM_BODY } from '#contract/limits.ts';
import multipart from '@fastify/multipart';
import { AppError } from '#server/kernel/errors.ts';
import type { App } from './app-types.ts';
import { MULTIPART_LIMITS } from './receive-files.ts';
import { parseSafeJson } from './safe-json.ts';

/** Takes JSON within the limits of its call, and files where they are asked for. */
export async function readBodies(app: App): Promise<void> {
  app.addHook('onRoute', (route) => {
    // Uploads have limits of their own, for each file.
    route.bodyLimit ??= (route.config?.contract?.limits?.body ?? FORM_BODY).bytes;
  });
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    try {
      const limits = request.routeOptions.config.contract?.limits?.body ?? FORM_BODY;
      done(null, parseSafeJson(Buffer.isBuffer(body) ? body : Buffer.from(body), limits));
    } catch (error) {
      done(error instanceof Error ? error : new AppError('BAD_JSON'));
    }
  });
  await app.register(multipart, { limits: MULTIPART_LIMITS });
}

/** Who sends a form of files where none are taken is told so, before anything of it is read. */
export function refuseUnaskedFiles(app: App): void {
  app.addHook('onRequest', (request, _reply, done) => {
    const isForm = /^multipart\//i.test(request.headers['content-type'] ?? '');
    if (isForm && request.routeOptions.config?.contract?.takes !== 'files' && !request.is404)
      done(new AppError('UNSUPPORTED_MEDIA_TYPE'));
    else done();
  });
}
