import type { FastifyRequest } from 'fastify';
import { v4 as uuid } from 'uuid';
import type { LinkedImage } from '#contract/upload-links.ts';
import { countCall } from '#server/auth/call-limit.ts';
import { AppError } from '#server/kernel/errors.ts';
import { imagesOfLink, receiveImage, removeImage } from '#server/business/invoices/receive-image.ts';
import {
  createUploadLink,
  openUpload,
  revokeUploadLink,
  uploadLinksOf,
  uploadTitle,
} from '#server/records/files/upload-links.ts';
import { regionOfCompany } from '#server/records/definitions/regions.ts';
import type { Call } from '#server/records/call/open-call.ts';
import { isRecordId } from '#server/records/read/read-stored.ts';
import type { AppServices } from '#server/auth/app-services.ts';
import { answer } from './answer.ts';
import type { App } from './app-types.ts';
import { resourceCall } from './resource-call.ts';
import { serve } from './serve.ts';
import { eachFile, refuseHuge } from './receive-files.ts';

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
  serve(app, 'GET /invoice/uploadLink', async (request) => {
    const open = await opened(request.query.applyId, request.ip);
    const region = regionOfCompany(services, String(open.record['co_code'] ?? ''));
    return answer({
      title: uploadTitle(open),
      company: region?.coName ?? '',
      expiresAt: open.expiresAt,
      max: open.uploads.max,
      images: await imagesOfLink(services, request.query.applyId ?? ''),
    });
  });
  serve(
    app,
    'POST /invoice/uploadInvoiceFile',
    async (request) => {
      const open = await opened(request.query.applyId, request.ip);
      const chosen = uploadIdOf(request.query.upload);
      const taken: LinkedImage[] = [];
      await eachFile(request, { imagesOnly: true }, async ({ bytes, name }) => {
        await countCall(services.db, { ...UPLOADS, subject: open.link }, services.clock());
        const upload = taken.length === 0 ? chosen : uuid();
        const by = request.caller?.subject.name ?? '';
        const applyId = request.query.applyId ?? '';
        taken.push(await receiveImage(services, { applyId, upload, bytes, name, by }));
      });
      return answer(taken, '上传成功');
    },
    { preValidation: refuseHuge('IMAGE_TOO_LARGE') },
  );
  serve(app, 'POST /invoice/removeInvoiceFile', async (request) => {
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
  });
}

/** @throws BAD_REQUEST for what is no UUID */
function uploadIdOf(given: string | undefined): string {
  if (given === undefined) return uuid();
  if (!isRecordId(given)) throw new AppError('BAD_REQUEST', { message: '上传编号应为 UUID' });
  return given;
}

function registerLinkRoutes(app: App, services: AppServices): void {
  const callOf = (
    request: FastifyRequest<{ Params: { readonly resource: string; readonly id: string } }>,
  ): Call => {
    if (!isRecordId(request.params.id)) throw new AppError('NOT_FOUND');
    return resourceCall(services, request);
  };
  serve(app, 'GET /data/:resource/:id/upload-links', async (request) =>
    answer(await uploadLinksOf(callOf(request), request.params.id)),
  );
  serve(app, 'POST /data/:resource/:id/upload-links', async (request) =>
    answer(await createUploadLink(callOf(request), request.params.id), '链接已生成'),
  );
  serve(app, 'DELETE /data/:resource/:id/upload-links/:link', async (request) => {
    const { id, link } = request.params;
    if (!isRecordId(link)) throw new AppError('NOT_FOUND');
    await revokeUploadLink(callOf(request), id, link);
    return answer(null, '链接已停用');
  });
}
