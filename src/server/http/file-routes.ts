import type { FastifyReply } from 'fastify';
import { captureFile } from '#server/records/files/capture-file.ts';
import { makeThumbnail } from '#server/records/files/prepare-image.ts';
import { originOf, readableFile, requireUploadRight } from '#server/records/files/file-access.ts';
import type { StoredFile } from '#server/records/files/file-service.ts';
import type { AppServices } from '#server/auth/app-services.ts';
import type { Caller } from '#server/records/services.ts';
import { answer } from './answer.ts';
import { type App, callerOf } from './app-types.ts';
import { PASTE_RATE } from '#contract/limits.ts';
import { RESOURCE_KEY } from '#contract/common.ts';
import { receiveFiles, refuseHuge } from './receive-files.ts';

const PLACE = {
  type: 'object',
  properties: {
    resource: RESOURCE_KEY,
    id: { type: 'string', maxLength: 100 },
    field: { type: 'string', maxLength: 130 },
    image: { enum: ['1'] },
  },
  additionalProperties: false,
} as const;

const FILE = {
  type: 'object',
  required: ['id'],
  properties: { id: { type: 'string', maxLength: 100 } },
} as const;

const SHOWN = {
  type: 'object',
  properties: { thumb: { enum: ['1'] } },
} as const;

const CAPTURE = {
  type: 'object',
  required: ['url'],
  properties: {
    url: { type: 'string', maxLength: 2_000 },
    resource: RESOURCE_KEY,
    field: { type: 'string', maxLength: 130 },
  },
  additionalProperties: false,
} as const;

/** Upload, download and capture of files. */
export function registerFileRoutes(app: App, services: AppServices): void {
  const config = { permission: 'session' } as const;
  const preValidation = refuseHuge('FILE_TOO_LARGE');
  app.post(
    '/files',
    { config: { ...config, takesFiles: true }, schema: { querystring: PLACE }, preValidation },
    async (request) => {
      const caller = callerOf(request);
      const { resource, field, image } = request.query;
      if (resource !== undefined)
        requireUploadRight(services, caller, { resource, field: field ?? 'attachments' });
      const uploads = await receiveFiles(request, image === '1');
      const files: StoredFile[] = [];
      for (const upload of uploads) {
        const place = { resource: resource ?? null, field: field ?? null };
        files.push(await services.files.save({ ...upload, ...ownerOf(caller), ...place }));
      }
      const shown = await Promise.all(files.map((file) => describeFile(services, file)));
      return answer(shown.length === 1 ? shown[0] : shown, '上传成功');
    },
  );
  app.get('/files/:id', { config, schema: { params: FILE, querystring: SHOWN } }, async (request, reply) => {
    const file = await readableFile(services, callerOf(request), request.params.id);
    return request.query.thumb === '1' && file.type.startsWith('image/')
      ? sendThumbnail(services, reply, file)
      : sendFile(services, reply, file);
  });
  app.get('/files/:id/info', { config, schema: { params: FILE } }, async (request) =>
    answer(await describeFile(services, await readableFile(services, callerOf(request), request.params.id))),
  );
  app.post(
    '/files/capture',
    { config: { ...config, rate: PASTE_RATE }, schema: { body: CAPTURE } },
    async (request) => {
      const caller = callerOf(request);
      const { url, resource, field } = request.body;
      if (resource !== undefined)
        requireUploadRight(services, caller, { resource, field: field ?? 'attachments' });
      const bytes = await captureFile(url);
      const place = { resource: resource ?? null, field: field ?? null };
      const upload = { bytes, name: url.split(/[?#]/)[0]?.split('/').pop() ?? '', imagesOnly: true };
      return answer(presentFile(await services.files.save({ ...upload, ...ownerOf(caller), ...place })));
    },
  );
}

function ownerOf({ subject }: Caller): { readonly coCode: string; readonly createdBy: string } {
  return { coCode: subject.co_code, createdBy: subject.id };
}

/** What callers learn of a file; url is where the editor puts it. */
export function presentFile(file: StoredFile): Record<string, unknown> {
  const { id, name, size, type } = file;
  return { id, name, size, type, url: `/erp/api/files/${id}` };
}

/** The same with who brought it and when. */
async function describeFile(services: AppServices, file: StoredFile): Promise<Record<string, unknown>> {
  return { ...presentFile(file), ...(await originOf(services, file)) };
}

/** Sends a file so that no browser runs it: as attachment, images sandboxed. */
export async function sendFile(
  services: AppServices,
  reply: FastifyReply,
  file: StoredFile,
): Promise<FastifyReply> {
  const stream = await services.files.open(file);
  const isShown = file.type.startsWith('image/');
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
    .send(small);
}

function encodeRfc5987(text: string): string {
  return encodeURIComponent(text).replace(
    /['()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
