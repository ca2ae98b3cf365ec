import { v4 as uuid } from 'uuid';
import { countCall } from '#server/auth/call-limit.ts';
import { AppError } from '#server/kernel/errors.ts';
import {
  imagesOfLink,
  type LinkedImage,
  receiveImage,
  removeImage,
} from '#server/business/invoices/receive-image.ts';
import {
  createUploadLink,
  openUpload,
  revokeUploadLink,
  uploadLinksOf,
  uploadTitle,
} from '#server/records/files/upload-links.ts';
import { regionOfCompany } from '#server/records/definitions/regions.ts';
import { type Call, openCall } from '#server/records/call/open-call.ts';
import { isRecordId } from '#server/records/read/read-stored.ts';
import type { AppServices } from '#server/auth/app-services.ts';
import { answer } from './answer.ts';
import { type App, callerOf } from './app-types.ts';
import { RESOURCE_KEY } from '#contract/common.ts';
import { eachFile, refuseHuge } from './receive-files.ts';

const APPLY = {
  type: 'object',
  properties: { applyId: { type: 'string', maxLength: 100 } },
  additionalProperties: false,
} as const;

/** Beside the link an id that the sender makes: by it an upload is repeated and cancelled. */
const UPLOAD = {
  type: 'object',
  properties: { applyId: { type: 'string', maxLength: 100 }, upload: { type: 'string', maxLength: 100 } },
  additionalProperties: false,
} as const;

const RECORD = {
  type: 'object',
  required: ['resource', 'id'],
  properties: { resource: RESOURCE_KEY, id: { type: 'string', maxLength: 100 } },
} as const;

const LINK = {
  type: 'object',
  required: ['resource', 'id', 'link'],
  properties: { ...RECORD.properties, link: { type: 'string', maxLength: 100 } },
} as const;

const REMOVAL = {
  type: 'object',
  properties: { id: { type: 'string', maxLength: 100 }, upload: { type: 'string', maxLength: 100 } },
  additionalProperties: false,
} as const;

/** Wrong capabilities of one address: nobody guesses 128 bits, but nobody shall try either. */
const GUESSES = { kind: 'upload link', calls: 30, seconds: 600 } as const;
const REMOVALS = { kind: 'remove image', calls: 600, seconds: 3600 } as const;
const UPLOADS = { kind: 'upload image', calls: 300, seconds: 3600 } as const;

/** Images by a link without a session (/fapiao, spec sections 2.7 and 7), and the links themselves. */
export function registerUploadLinkRoutes(app: App, services: AppServices): void {
  registerLinkRoutes(app, services);
  /** Tells which record a link fills; a wrong one counts against its address. */
  const opened = async (applyId: string | undefined, address: string) => {
    try {
      return await openUpload(services, services.db, { applyId: applyId ?? '' });
    } catch (error) {
      if (error instanceof AppError && error.code === 'UPLOAD_LINK_INVALID')
        await countCall(services.db, { ...GUESSES, subject: address }, services.clock());
      throw error;
    }
  };
  app.get(
    '/invoice/uploadLink',
    { config: { permission: 'public' }, schema: { querystring: APPLY } },
    async (request) => {
      const open = await opened(request.query.applyId, request.ip);
      const region = regionOfCompany(services, String(open.record['co_code'] ?? ''));
      return answer({
        title: uploadTitle(open),
        company: region?.coName ?? '',
        expiresAt: open.expiresAt,
        max: open.uploads.max,
        images: await imagesOfLink(services, request.query.applyId ?? ''),
      });
    },
  );
  app.post(
    '/invoice/uploadInvoiceFile',
    {
      config: { permission: 'visitor', takesFiles: true },
      schema: { querystring: UPLOAD },
      preValidation: refuseHuge('IMAGE_TOO_LARGE'),
    },
    async (request) => {
      const open = await opened(request.query.applyId, request.ip);
      const chosen = uploadIdOf(request.query.upload);
      const taken: LinkedImage[] = [];
      await eachFile(request, true, async ({ bytes, name }) => {
        await countCall(services.db, { ...UPLOADS, subject: open.link }, services.clock());
        const upload = taken.length === 0 ? chosen : uuid();
        const by = request.caller?.subject.name ?? '';
        const applyId = request.query.applyId ?? '';
        taken.push(await receiveImage(services, { applyId, upload, bytes, name, by }));
      });
      return answer(taken, '上传成功');
    },
  );
  app.post(
    '/invoice/removeInvoiceFile',
    { config: { permission: 'visitor' }, schema: { querystring: APPLY, body: REMOVAL } },
    async (request) => {
      const open = await opened(request.query.applyId, request.ip);
      await countCall(services.db, { ...REMOVALS, subject: open.link }, services.clock());
      const { id, upload } = request.body;
      if (upload === undefined && (id === undefined || !isRecordId(id)))
        throw new AppError('NOT_FOUND', { message: '图片不存在或已移除' });
      await removeImage(
        services,
        request.query.applyId ?? '',
        upload === undefined ? { file: id ?? '' } : { upload: uploadIdOf(upload) },
      );
      return answer(null, '已移除');
    },
  );
}

/** @throws BAD_REQUEST for what is no UUID */
function uploadIdOf(given: string | undefined): string {
  if (given === undefined) return uuid();
  if (!isRecordId(given)) throw new AppError('BAD_REQUEST', { message: '上传编号应为 UUID' });
  return given;
}

function registerLinkRoutes(app: App, services: AppServices): void {
  const config = { permission: 'resource' } as const;
  const callOf = (
    request: Parameters<typeof callerOf>[0],
    params: { resource: string; id: string },
  ): Call => {
    if (!isRecordId(params.id)) throw new AppError('NOT_FOUND');
    return openCall(services, callerOf(request), params.resource, 'update');
  };
  app.get('/data/:resource/:id/upload-links', { config, schema: { params: RECORD } }, async (request) =>
    answer(await uploadLinksOf(callOf(request, request.params), request.params.id)),
  );
  app.post('/data/:resource/:id/upload-links', { config, schema: { params: RECORD } }, async (request) =>
    answer(await createUploadLink(callOf(request, request.params), request.params.id), '链接已生成'),
  );
  app.delete(
    '/data/:resource/:id/upload-links/:link',
    { config, schema: { params: LINK } },
    async (request) => {
      if (!isRecordId(request.params.link)) throw new AppError('NOT_FOUND');
      await revokeUploadLink(callOf(request, request.params), request.params.id, request.params.link);
      return answer(null, '链接已停用');
    },
  );
}
