import type { FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '#server/kernel/errors.ts';
import { type Call, openCall } from '#server/records/call/open-call.ts';
import type { AppServices } from '#server/auth/app-services.ts';
import { checkImport } from '#server/workflow/transfer/check-import.ts';
import { commitImport } from '#server/workflow/transfer/commit-import.ts';
import { exportList } from '#server/workflow/transfer/export-list.ts';
import { cancelExport, exportFile } from '#server/workflow/transfer/export-job.ts';
import { importErrors, importTemplate } from '#server/workflow/transfer/import-workbooks.ts';
import { findJob, jobView } from '#server/workflow/transfer/job-store.ts';
import { XLSX_TYPE } from '#server/workflow/transfer/write-workbook.ts';
import { answer } from './answer.ts';
import { type App, callerOf } from './app-types.ts';
import { FILE_RATE, QUERY_BODY } from '#contract/limits.ts';
import { receiveFiles, refuseHuge } from './receive-files.ts';

interface ResourceParams {
  readonly resource: string;
}
interface ImportParams extends ResourceParams {
  readonly importId: string;
}
interface JobParams {
  readonly id: string;
}

/** Export, jobs and import. */
export function registerTransferRoutes(app: App, services: AppServices): void {
  const open = (request: FastifyRequest<{ Params: ResourceParams }>, operation: string): Call =>
    openCall(services, callerOf(request), request.params.resource, operation);
  const config = { permission: 'resource' } as const;
  const own = { permission: 'session' } as const;

  app.post<{ Params: ResourceParams }>(
    '/data/:resource/export',
    { config: { ...config, limits: QUERY_BODY, rate: FILE_RATE } },
    async (request, reply) => {
      const made = await exportList(open(request, 'export'), request.body);
      return made.kind === 'job' ? answer({ jobId: made.jobId }) : sendWorkbook(reply, made.name, made.bytes);
    },
  );
  app.get<{ Params: JobParams }>('/jobs/:id', { config: own }, async (request) =>
    answer(jobView(await findJob(services, callerOf(request), request.params.id))),
  );
  app.delete<{ Params: JobParams }>('/jobs/:id', { config: own }, async (request) => {
    await cancelExport(services, callerOf(request), request.params.id);
    return answer(null, '已取消');
  });
  app.get<{ Params: JobParams }>('/jobs/:id/file', { config: own }, async (request, reply) => {
    const { name, stream } = await exportFile(services, callerOf(request), request.params.id);
    return sendWorkbook(reply, name, stream);
  });
  registerImportRoutes(app, services);
}

/** Import in two steps: a file is checked, then its good rows are written. */
function registerImportRoutes(app: App, services: AppServices): void {
  const open = (request: FastifyRequest<{ Params: ResourceParams }>): Call =>
    openCall(services, callerOf(request), request.params.resource, 'import');
  const config = { permission: 'resource' } as const;

  app.get<{ Params: ResourceParams }>(
    '/data/:resource/import/template',
    { config },
    async (request, reply) => {
      const { name, bytes } = await importTemplate(open(request));
      return sendWorkbook(reply, name, bytes);
    },
  );
  const preValidation = refuseHuge('FILE_TOO_LARGE');
  app.post<{ Params: ResourceParams }>(
    '/data/:resource/import',
    { config: { ...config, takesFiles: true, rate: FILE_RATE }, preValidation },
    async (request) => {
      const call = open(request);
      const [file] = await receiveFiles(request, false);
      if (file === undefined) throw new AppError('FILE_MISSING');
      return answer(await checkImport(call, file));
    },
  );
  app.post<{ Params: ImportParams }>('/data/:resource/import/:importId/commit', { config }, async (request) =>
    answer(await commitImport(open(request), request.params.importId), '导入完成'),
  );
  app.get<{ Params: ImportParams }>(
    '/data/:resource/import/:importId/errors',
    { config },
    async (request, reply) => {
      const { name, bytes } = await importErrors(open(request), request.params.importId);
      return sendWorkbook(reply, name, bytes);
    },
  );
}

/** Sends a spreadsheet as a download. */
function sendWorkbook(
  reply: FastifyReply,
  name: string,
  content: Buffer | NodeJS.ReadableStream,
): FastifyReply {
  return reply
    .type(XLSX_TYPE)
    .header('content-disposition', `attachment; filename*=UTF-8''${encodeURIComponent(name)}`)
    .header('x-content-type-options', 'nosniff')
    .header('cache-control', 'no-store')
    .send(content);
}
