import type { FastifyReply } from 'fastify';
import type { FileView, StoredFileView } from '#contract/files.ts';
import { isPicture } from '#engine/fields/picture.ts';
import { AppError } from '#server/kernel/errors.ts';
import { captureFile } from '#server/records/files/capture-file.ts';
import { makeThumbnail } from '#server/records/files/prepare-image.ts';
import { originOf, readableFile, requireUploadRight } from '#server/records/files/file-access.ts';
import type { StoredFile } from '#server/records/files/file-service.ts';
import { saveUnbound } from '#server/records/files/save-unbound.ts';
import type { AppServices } from '#server/auth/app-services.ts';
import type { Caller } from '#server/records/services.ts';
import { answer } from './answer.ts';
import { type App, callerOf } from './app-types.ts';
import { eachFile, refuseHuge } from './receive-files.ts';
import { type RequestOf, serve } from './serve.ts';

/** Upload, download and capture of files. */
export function registerFileRoutes(app: App, services: AppServices): void {
  const hooks = { preValidation: refuseHuge('FILE_TOO_LARGE') };
  const receive = async (request: RequestOf<'POST /files'>) => {
    const caller = callerOf(request);
    const { resource, field, image } = request.query;
    if (resource !== undefined)
      requireUploadRight(services, caller, { resource, field: field ?? 'attachments' });
    const place = { resource: resource ?? null, field: field ?? null };
    const files: StoredFile[] = [];
    await eachFile(request, { imagesOnly: image === '1' }, async (upload) => {
      files.push(await saveUnbound(services, { ...upload, ...ownerOf(caller), ...place }));
    });
    return Promise.all(files.map((file) => describeFile(services, file)));
  };
  serve(
    app,
    'POST /files',
    async (request) => {
      const [first, ...more] = await receive(request);
      if (first === undefined) throw new AppError('FILE_MISSING');
      return answer(more.length === 0 ? first : [first, ...more], '上传成功');
    },
    hooks,
  );
  serve(app, 'GET /files/:id', async (request, reply) => {
    const file = await readableFile(services, callerOf(request), request.params.id);
    return request.query.thumb === '1' && isPicture(file.type)
      ? sendThumbnail(services, reply, file)
      : sendFile(services, reply, file);
  });
  serve(app, 'GET /files/:id/info', async (request) =>
    answer(await describeFile(services, await readableFile(services, callerOf(request), request.params.id))),
  );
  serve(app, 'POST /files/capture', async (request) => {
    const caller = callerOf(request);
    const { url, resource, field } = request.body;
    if (resource !== undefined)
      requireUploadRight(services, caller, { resource, field: field ?? 'attachments' });
    const bytes = await captureFile(url);
    const place = { resource: resource ?? null, field: field ?? null };
    const upload = { bytes, name: url.split(/[?#]/)[0]?.split('/').pop() ?? '', imagesOnly: true };
    return answer(presentFile(await saveUnbound(services, { ...upload, ...ownerOf(caller), ...place })));
  });
}

function ownerOf({ subject }: Caller): { readonly coCode: string; readonly createdBy: string } {
  return { coCode: subject.co_code, createdBy: subject.id };
}

/** What callers learn of a file; url is where the editor puts it. */
function presentFile(file: StoredFile): StoredFileView {
  const { id, name, size, type } = file;
  return { id, name, size, type, url: `/erp/api/files/${id}` };
}

/** The same with who brought it and when. */
async function describeFile(services: AppServices, file: StoredFile): Promise<FileView> {
  return { ...presentFile(file), ...(await originOf(services, file)) };
}

/** Sends a file so that no browser runs it: as attachment, images sandboxed. */
export async function sendFile(
  services: AppServices,
  reply: FastifyReply,
  file: StoredFile,
): Promise<FastifyReply> {
  const stream = await services.files.open(file);
  const isShown = isPicture(file.type);
  return reply
    .type(file.type)
    .header('content-length', String(file.size))
    .header(
      'content-disposition',
      `${isShown ? 'inline' : 'attachment'}; filename*=UTF-8''${encodeRfc5987(file.name)}`,
    )
    .header('content-security-policy', "default-src 'none'; style-src 'unsafe-inline'; sandbox")
    .header('x-content-type-options', 'nosniff')
    .header('cache-control', 'private, max-age=300')
    .header('vary', 'authorization')
    .send(stream);
}

/** A small JPEG of an image; what cannot be drawn small is sent whole. */
async function sendThumbnail(
  services: AppServices,
  reply: FastifyReply,
  file: StoredFile,
): Promise<FastifyReply> {
  const small = await makeThumbnail(await services.files.open(file));
  if (small === null) return sendFile(services, reply, file);
  return reply
    .type('image/jpeg')
    .header('x-content-type-options', 'nosniff')
    .header('cache-control', 'private, max-age=86400')
    .header('vary', 'authorization')
    .send(small);
}

function encodeRfc5987(text: string): string {
  return encodeURIComponent(text).replace(
    /['()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
